import assert from "node:assert/strict";
import { untilSettled } from "./until_settled.ts";

function settling(open: number[], giveUp = new AbortController().signal) {
  let now = 0;
  return untilSettled({
    openRows: () => open.length > 1 ? open.shift()! : open[0]!,
    giveUp,
    withinMs: 60_000,
    clock: () => now,
    pause: (ms) => Promise.resolve(void (now += ms)),
  });
}

Deno.test("untilSettled() returns when no row is open", async () => {
  await settling([3, 2, 0]);
});

Deno.test("untilSettled() reports the open rows when it takes too long or is aborted", async () => {
  await assert.rejects(settling([3, 2]), /^Error: 2 deliveries are still open after 60 s$/);
  await assert.rejects(settling([3], AbortSignal.abort()), /^Error: Given up with 3 deliveries open$/);
});
