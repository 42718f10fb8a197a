import assert from "node:assert/strict";
import { chooseGoodHour, type PastCampaign } from "./good_hour.ts";

/** Returns campaigns that started at an hour of Israel's clock, in summer and in winter. */
function at(hour: number, count: number, { sent = 100, optedOut = 0, failed = 0 } = {}): PastCampaign[] {
  const days = ["2026-07-05T%:15:00+03:00", "2026-12-06T%:15:00+02:00", "2026-08-02T%:00:00+03:00"];
  return Array.from({ length: count }, (_, no) => ({
    sendAt: Date.parse(days[no % days.length]!.replace("%", String(hour).padStart(2, "0"))),
    sent,
    optedOut,
    failed,
  }));
}

Deno.test("chooseGoodHour() names the local hour with clearly the fewest removals and failures, on both sides of the clock change", () => {
  const past = [...at(10, 3, { optedOut: 1 }), ...at(18, 4, { optedOut: 5 })];
  assert.deepEqual(chooseGoodHour(past), { hour: 10, campaigns: 3, share: 0.01, usual: 23 / 700 });
});

Deno.test("chooseGoodHour() is silent with too few campaigns, with one hour, and when no hour stands out", () => {
  assert.equal(chooseGoodHour([]), null);
  assert.equal(chooseGoodHour(at(10, 20, { optedOut: 1 })), null);
  assert.equal(chooseGoodHour([...at(10, 2), ...at(18, 20, { optedOut: 5 })]), null);
  assert.equal(chooseGoodHour([...at(10, 5, { failed: 5 }), ...at(18, 5, { optedOut: 5 })]), null);
  assert.equal(chooseGoodHour([...at(10, 5), ...at(18, 5)]), null);
});
