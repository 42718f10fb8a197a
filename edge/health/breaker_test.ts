import assert from "node:assert/strict";
import fc from "shared/testing/fast_check.ts";
import { DEFAULT_SETTINGS } from "shared/settings.ts";
import { judgeBySite, LEAST_SAMPLE, trippedBy } from "./breaker.ts";
import { SIGNALS, tripSentence } from "../text/trip_words.ts";

const none = { outcomes: 100, failed: 0, unknown: 0, optedOut: 0 };

Deno.test("trippedBy() accepts a share at its limit and trips above it", () => {
  assert.equal(trippedBy({ ...none, failed: 10, unknown: 5, optedOut: 2 }, DEFAULT_SETTINGS), null);
  assert.deepEqual(trippedBy({ ...none, failed: 11 }, DEFAULT_SETTINGS), {
    signal: "failed",
    count: 11,
    sample: 100,
  });
  assert.equal(trippedBy({ ...none, unknown: 6 }, DEFAULT_SETTINGS)?.signal, "unknown");
  assert.equal(trippedBy({ ...none, failed: 50, optedOut: 3 }, DEFAULT_SETTINGS)?.signal, "opted_out");
});

Deno.test("trippedBy() needs its sample, and at 100 percent never trips", () => {
  const all = { outcomes: LEAST_SAMPLE, failed: LEAST_SAMPLE, unknown: 0, optedOut: 0 };
  assert.equal(trippedBy({ ...all, outcomes: LEAST_SAMPLE - 1 }, DEFAULT_SETTINGS), null);
  assert.ok(trippedBy(all, DEFAULT_SETTINGS));
  assert.equal(trippedBy(all, { ...DEFAULT_SETTINGS, breakerFailedPercent: 100 }), null);
  // They may answer messages from before the window.
  const moreThanAll = { ...all, failed: 0, optedOut: LEAST_SAMPLE + 1 };
  assert.equal(trippedBy(moreThanAll, { ...DEFAULT_SETTINGS, breakerOptOutPercent: 100 }), null);
});

Deno.test("trippedBy() trips on more of the same whenever it trips on less, and says so in Hebrew", () => {
  const counts = fc.record({ failed: fc.nat(300), unknown: fc.nat(300), optedOut: fc.nat(300) });
  fc.assert(fc.property(counts, fc.nat(300), fc.nat(50), (bad, sent, more) => {
    const outcomes = sent + bad.failed + bad.unknown;
    const trip = trippedBy({ outcomes, ...bad }, DEFAULT_SETTINGS);
    if (trip === null) return;
    assert.ok(trippedBy({ outcomes, ...bad, failed: bad.failed + more }, DEFAULT_SETTINGS));
    assert.match(tripSentence(trip), /^[\d.]+% .*[א-ת].*\.$/);
  }));
  for (const signal of SIGNALS) assert.match(tripSentence({ signal, count: 2, sample: 100 }), /[א-ת].*\.$/);
});

const windows = fc.record({ sent: fc.nat(60), failed: fc.nat(60), unknown: fc.nat(60), optedOut: fc.nat(60) })
  .map(({ sent, ...bad }) => ({ outcomes: sent + bad.failed + bad.unknown, ...bad }));
const sum = (parts: { outcomes: number; failed: number; unknown: number; optedOut: number }[]) =>
  parts.reduce((all, part) => ({
    outcomes: all.outcomes + part.outcomes,
    failed: all.failed + part.failed,
    unknown: all.unknown + part.unknown,
    optedOut: all.optedOut + part.optedOut,
  }));

Deno.test("judgeBySite() never pauses because of one site, and rests that site when its window exceeds the limit", () => {
  fc.assert(fc.property(windows, fc.nat(200), (lies, sentByOthers) => {
    const window = { ...lies, outcomes: lies.outcomes + sentByOthers };
    const { trip, doubted } = judgeBySite(window, [{ site: 7, ...lies }], DEFAULT_SETTINGS);
    assert.equal(trip, null);
    const over = trippedBy(window, DEFAULT_SETTINGS);
    assert.deepEqual(doubted.map(({ site, why }) => [site, why.signal]), over ? [[7, over.signal]] : []);
  }));
});

Deno.test("judgeBySite() pauses because of trusted accounts, however well unconfirmed ones of any sites report", () => {
  fc.assert(fc.property(windows, fc.array(fc.nat(200), { maxLength: 4 }), (trusted, sent) => {
    const parts = sent.map((outcomes, no) => ({ site: no, outcomes, failed: 0, unknown: 0, optedOut: 0 }));
    const window = sum([trusted, ...parts]);
    const { trip, doubted } = judgeBySite(window, parts, DEFAULT_SETTINGS);
    assert.deepEqual(trip, trippedBy(window, DEFAULT_SETTINGS));
    assert.deepEqual(doubted, []);
  }));
});

Deno.test("judgeBySite() pauses by a share that is over its limit with and without the site that lies", () => {
  const limits = { ...DEFAULT_SETTINGS, breakerUnknownPercent: 100, breakerOptOutPercent: 100 };
  fc.assert(fc.property(windows, windows, (trusted, lies) => {
    const all = sum([trusted, lies]);
    const isBad = trippedBy(trusted, limits) !== null && trippedBy(all, limits) !== null;
    const { trip } = judgeBySite(all, [{ site: 7, ...lies }], limits);
    if (isBad) assert.deepEqual(trip, { signal: "failed", count: all.failed, sample: all.outcomes });
  }));
});

Deno.test("judgeBySite() counts a shortfall below the smallest sample as successes", () => {
  const lies = { site: 7, outcomes: 40, failed: 40, unknown: 0, optedOut: 0 };
  const judge = (failed: number) =>
    judgeBySite({ ...none, outcomes: 50, failed: 40 + failed }, [lies], DEFAULT_SETTINGS).trip;
  assert.equal(judge(5), null);
  assert.deepEqual(judge(6), { signal: "failed", count: 46, sample: 50 });
});
