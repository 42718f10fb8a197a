import assert from "node:assert/strict";
import { serve } from "./serve.ts";
import { createYieldToEventLoop } from "./yield_to_event_loop.ts";

const SLICE_MS = 15;
/**
 * Turns of the loop for a request: it is accepted, read and answered. With setImmediate() each needed more than sixty.
 */
const MOST_SLICES = 30;

for (const pieces of [1, 10]) {
  Deno.test(`createYieldToEventLoop() lets a request through within some slices of ${pieces} at work`, async () => {
    const listener = serve({ host: "127.0.0.1", port: 0 }, () => new Response("ok"));
    let slices = 0;
    let isAnswered = false;
    async function work(): Promise<void> {
      const yieldToEventLoop = createYieldToEventLoop({ sliceMs: SLICE_MS });
      while (!isAnswered) {
        slices++;
        keepBusy(SLICE_MS);
        await yieldToEventLoop();
      }
    }
    const asked = fetch(listener.url).then((answer) => answer.text()).finally(() => isAnswered = true);
    await Promise.all([asked, ...Array.from({ length: pieces }, work)]);
    assert.equal(await asked, "ok");
    // Each piece of work begins with a slice.
    assert.ok(slices < pieces + MOST_SLICES, `${slices} slices`);
    await listener.stop(1_000);
  });
}

/** Blocks the loop, so that the number of slices during a request does not depend on the machine's speed. */
function keepBusy(ms: number): void {
  const end = performance.now() + ms;
  while (performance.now() < end);
}
