import assert from "node:assert/strict";
import { stopInOrder } from "./stop_in_order.ts";

interface Ground {
  happened: string[];
  slept: number[];
  stop(loop: Promise<void>, drainMs?: number): Promise<void>;
}

function openGround(endsAtOnce: boolean): Ground {
  const happened: string[] = [];
  const slept: number[] = [];
  const hub = (name: string) => ({ closeAll: () => void happened.push(`${name} closed`) });
  return {
    happened,
    slept,
    stop: (loop, drainMs = 0) =>
      stopInOrder({
        readiness: { stop: () => void happened.push("not ready") },
        hubs: [hub("browsers"), hub("agents")],
        listener: {
          stop(graceMs) {
            happened.push(`listener stopped in ${graceMs}`);
            return Promise.resolve();
          },
        },
        loops: [loop],
        drainMs,
        sleep(ms) {
          slept.push(ms);
          // The longest sleep is the limit of the whole stop.
          return ms >= 4_000 && !endsAtOnce ? new Promise(() => {}) : Promise.resolve();
        },
      }),
  };
}

const CLOSED = ["browsers closed", "agents closed"];

Deno.test("stopInOrder() refuses work, closes sockets, then stops listening, and closes late sockets", async () => {
  const { happened, slept, stop } = openGround(false);
  await stop(Promise.resolve(), 700);
  assert.deepEqual(happened, ["not ready", ...CLOSED, "listener stopped in 2500", ...CLOSED]);
  assert.ok(slept.includes(700));
});

Deno.test("stopInOrder() does not wait for a duty that does not end in time", async () => {
  const { happened, slept, stop } = openGround(true);
  await stop(new Promise(() => {}));
  assert.equal(happened[0], "not ready");
  assert.ok(Math.max(...slept) < 5_000);
});
