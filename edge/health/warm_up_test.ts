import assert from "node:assert/strict";
import fc from "shared/testing/fast_check.ts";
import { ageDays, bornAt, WARM_UP_START, WARM_UP_STEPS, warmUpCap } from "./warm_up.ts";

const DAY_MS = 24 * 60 * 60_000;

Deno.test("warmUpCap() starts at 20, grows by a fifth a day and reaches the default cap on the fifteenth", () => {
  const caps = Array.from({ length: 15 }, (_, age) => warmUpCap(age, 0, 250));
  assert.deepEqual(caps, [20, 24, 28, 34, 41, 49, 59, 71, 85, 103, 123, 148, 178, 213, 250]);
  assert.equal(warmUpCap(400, 0, 10_000), 10_000);
});

Deno.test("warmUpCap() never falls with age, never rises above the settings' cap, and a held day costs one step", () => {
  fc.assert(fc.property(fc.nat(60), fc.nat(60), fc.integer({ min: 1, max: 10_000 }), (age, held, max) => {
    const cap = warmUpCap(age, held, max);
    assert.ok(Number.isInteger(cap) && cap >= Math.min(WARM_UP_START, max) && cap <= max);
    assert.ok(warmUpCap(age + 1, held, max) >= cap);
    assert.equal(warmUpCap(age + 1, held + 1, max), held <= age ? cap : warmUpCap(0, 0, max));
  }));
  assert.ok(WARM_UP_STEPS.every((step, index) => index === 0 || step > WARM_UP_STEPS[index - 1]!));
});

Deno.test("bornAt() returns the first install, else the first sight, or a later ban", () => {
  const birth = { firstInstalledAt: null, firstSeenAt: 5, bannedAt: null };
  assert.equal(bornAt(birth), 5);
  assert.equal(bornAt({ ...birth, firstInstalledAt: 3 }), 3);
  assert.equal(bornAt({ ...birth, firstInstalledAt: 3, bannedAt: 9 }), 9);
});

Deno.test("ageDays() changes only at local midnight, whatever the clock does", () => {
  const born = Date.parse("2026-03-20T10:00:00+02:00");
  // Summer time begins on 27 March 2026 at 02:00 in Israel.
  for (let day = 0; day < 20; day++) {
    const noon = Date.parse("2026-03-20T12:00:00+02:00") + day * DAY_MS;
    assert.equal(ageDays(born, noon), day);
  }
  assert.equal(ageDays(born, Date.parse("2026-03-27T23:59:59+03:00")), 7);
  assert.equal(ageDays(born, Date.parse("2026-03-28T00:00:00+03:00")), 8);
  assert.equal(ageDays(born, born - DAY_MS), 0, "a clock set back makes nobody younger than new");
});

Deno.test("ageDays() never counts more midnights than there were, and at most one less", () => {
  const date = (at: number) =>
    Date.parse(new Intl.DateTimeFormat("en-CA", { timeZone: "Asia/Jerusalem" }).format(at));
  const moment = fc.integer({ min: Date.parse("2024-01-01"), max: Date.parse("2030-12-31") });
  fc.assert(fc.property(moment, fc.nat(400 * DAY_MS), (born, lived) => {
    const midnights = (date(born + lived) - date(born)) / DAY_MS;
    const age = ageDays(born, born + lived);
    assert.ok(age <= midnights && age >= midnights - 1, `${age} of ${midnights}`);
  }));
  const born = Date.parse("2026-10-24T00:30:00+03:00");
  assert.equal(ageDays(born, Date.parse("2026-10-25T23:59:59+02:00")), 1);
  assert.equal(ageDays(born, Date.parse("2026-10-26T00:00:00+02:00")), 2, "the day before had 25 hours");
});
