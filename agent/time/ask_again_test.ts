import assert from "node:assert/strict";
import { AskAgain } from "./ask_again.ts";

/** Returns the whole seconds from `from` at which it may be asked again while nothing answers. */
function askedAt(again: AskAgain, from: number, until: number): number[] {
  const asked: number[] = [];
  for (let now = from; now <= until; now += 1_000) {
    if (!again.isDue(now)) continue;
    asked.push((now - from) / 1_000);
    again.failed(now);
  }
  return asked;
}

Deno.test("AskAgain asks less often up to its limit, and starts over when something changed", () => {
  const again = new AskAgain(10_000, 60_000);
  assert.deepEqual(askedAt(again, 0, 250_000), [0, 10, 30, 70, 130, 190, 250]);
  again.changed();
  assert.deepEqual(askedAt(again, 251_000, 291_000), [0, 10, 30]);
  again.answered(300_000);
  assert.equal(again.isDue(309_999), false);
  assert.deepEqual(askedAt(again, 310_000, 340_000), [0, 10, 30]);
});
