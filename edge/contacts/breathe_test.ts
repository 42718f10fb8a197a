import assert from "node:assert/strict";
import { serve } from "../http/serve.ts";
import { createBreathe } from "./breathe.ts";

const SLICE_MS = 15;
/** A request is a few turns of the loop: it is accepted, read and answered. By setImmediate() it took 170 and more. */
const MOST_SLICES = 80;

for (const pieces of [1, 10]) {
  Deno.test(`createBreathe() lets a request through within some slices of ${pieces} at work`, async () => {
    const listener = serve({ host: "127.0.0.1", port: 0 }, () => new Response("ok"));
    let slices = 0;
    let isAnswered = false;
    async function work(): Promise<void> {
      // Its clock jumps by a slice at each look, so that each breath is a turn of the loop.
      let now = 0;
      const breathe = createBreathe({ clock: () => now += SLICE_MS });
      while (!isAnswered) {
        slices++;
        await breathe();
      }
    }
    const asked = fetch(listener.url).then((answer) => answer.text()).finally(() => isAnswered = true);
    await Promise.all([asked, ...Array.from({ length: pieces }, work)]);
    assert.equal(await asked, "ok");
    assert.ok(slices < MOST_SLICES * pieces, `${slices} slices`);
    await listener.stop(1_000);
  });
}
