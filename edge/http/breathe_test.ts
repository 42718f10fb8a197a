import assert from "node:assert/strict";
import { serve } from "./serve.ts";
import { createBreathe } from "./breathe.ts";

const SLICE_MS = 15;
/** A request is some turns of the loop: it is accepted, read and answered. By setImmediate() each took sixty and more. */
const MOST_SLICES = 30;

for (const pieces of [1, 10]) {
  Deno.test(`createBreathe() lets a request through within some slices of ${pieces} at work`, async () => {
    const listener = serve({ host: "127.0.0.1", port: 0 }, () => new Response("ok"));
    let slices = 0;
    let isAnswered = false;
    async function work(): Promise<void> {
      const breathe = createBreathe({ sliceMs: SLICE_MS });
      while (!isAnswered) {
        slices++;
        keepBusy(SLICE_MS);
        await breathe();
      }
    }
    const asked = fetch(listener.url).then((answer) => answer.text()).finally(() => isAnswered = true);
    await Promise.all([asked, ...Array.from({ length: pieces }, work)]);
    assert.equal(await asked, "ok");
    // Each begins with a slice.
    assert.ok(slices < pieces + MOST_SLICES, `${slices} slices`);
    await listener.stop(1_000);
  });
}

/** The loop stands still meanwhile, so that how many slices a request takes is no matter of the machine's speed. */
function keepBusy(ms: number): void {
  const end = performance.now() + ms;
  while (performance.now() < end);
}
