import assert from "node:assert/strict";
import fc from "fast-check";
import { DEFAULT_SETTINGS } from "shared/settings.ts";
import { LEAST_SAMPLE, SIGNALS, trippedBy, tripSentence } from "./breaker.ts";

const none = { outcomes: 100, failed: 0, unknown: 0, optedOut: 0 };

Deno.test("trippedBy() lets a share stand at its limit and trips above it", () => {
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
  // They may answer to what was sent before the window.
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
