import assert from "node:assert/strict";
import type { EdgeFrame } from "shared/agent_protocol.ts";
import { numbers, startTestSite } from "../testing/site.ts";

const TEXT = "שלום";
const PHONE = "SIM0001";

interface Given {
  lets?: (frame: EdgeFrame) => boolean;
}

/** Starts a site with one phone, and records its frames about that phone. */
async function startSite({ lets }: Given = {}) {
  const site = await startTestSite({ phones: { devices: 1 }, edge: { lets } });
  const { edge } = site;
  const reported = () => edge.received.findLast((frame) => frame.type === "inventory")?.devices[0]?.stopped;
  const hellos = () => edge.received.filter((frame) => frame.type === "hello");
  await edge.until(() =>
    edge.received.some((frame) => frame.type === "inventory" && frame.accounts[0]?.state === "ok")
  );
  return {
    ...site,
    reported,
    hellos,
    command: (id: number, kind: "stop" | "start") => edge.send({ type: "command", id, kind, device: PHONE }),
    /** Cuts the connection and waits until the site has sent its phones on the next one. */
    async reconnect(): Promise<void> {
      const before = hellos().length;
      edge.cut();
      await edge.until(() => hellos().length > before && edge.received.at(-1)?.type === "inventory");
    },
    async [Symbol.asyncDispose]() {
      await site[Symbol.asyncDispose]();
    },
  };
}

Deno.test("runWorker() lists its stopped phones in hello, and the edge's answer starts them", async () => {
  await using site = await startSite();
  site.command(1, "stop");
  await site.edge.until(() => site.reported() === true);
  site.edge.stopped = [];
  site.edge.queue(1, { text: TEXT }, numbers(1));
  await site.reconnect();
  assert.deepEqual(site.hellos().map(({ stopped }) => stopped), [[], [PHONE]]);
  await site.clock.sleep(20_000);
  assert.deepEqual([site.reported(), site.taps().length], [false, 1]);
});

Deno.test("runWorker() stops the phones that the edge names at hello, also over a restart of its process", async () => {
  await using site = await startSite();
  site.edge.stopped = [PHONE];
  await site.reconnect();
  await site.clock.sleep(1_000);
  assert.equal(site.reported(), true);
  site.edge.queue(1, { text: TEXT }, numbers(1));
  site.edge.stopped = null;
  await site.stop();
  site.start();
  await site.edge.until(() => site.hellos().length === 3);
  assert.deepEqual(site.hellos().at(-1)?.stopped, [PHONE]);
  await site.clock.sleep(20_000);
  assert.deepEqual(site.taps(), []);
});

Deno.test("runWorker() keeps a phone stopped when an edge of the previous release sends no stop list (rule 20)", async () => {
  await using site = await startSite();
  site.command(1, "stop");
  await site.edge.until(() => site.reported() === true);
  await site.reconnect();
  assert.equal(site.reported(), true);
});

Deno.test("runWorker() follows a stop that arrives before an older answer to its hello", async () => {
  let isLate = false;
  await using site = await startSite({
    lets: (frame) => {
      if (frame.type === "helloAck" && isLate) {
        isLate = false;
        site.command(1, "stop");
      }
      return true;
    },
  });
  site.edge.stopped = [];
  isLate = true;
  await site.reconnect();
  site.edge.queue(1, { text: TEXT }, numbers(1));
  await site.clock.sleep(20_000);
  assert.deepEqual([site.reported(), site.taps()], [true, []]);
  await site.reconnect();
  await site.clock.sleep(20_000);
  assert.equal(site.reported(), false, "the answer to the next hello counts");
});
