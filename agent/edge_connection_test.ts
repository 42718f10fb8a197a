import assert from "node:assert/strict";
import type { EdgeFrame } from "shared/agent_protocol.ts";
import { systemClock } from "./commands/system_clock.ts";
import { type ConnectionOptions, type EdgeLink, keepConnected } from "./edge_connection.ts";
import { enroll, readIdentity } from "./identity.ts";
import { FakeEdge, JOIN_TOKEN } from "./testing/fake_edge.ts";
import { TokenSigner } from "./token.ts";

const HELLO = {
  type: "hello",
  journalId: "1".repeat(32),
  counterAtOpen: 0,
  journalCounter: 0,
  open: [],
  agentVersion: "1.0.0",
} as const;

Deno.test("enroll() keeps a key only its owner can read, and refuses a used token", async () => {
  const edge = new FakeEdge();
  const agentDir = await Deno.makeTempDir();
  const identity = await enroll({ edgeUrl: edge.url, agentDir, joinToken: `${JOIN_TOKEN}\n` });
  assert.equal(identity.siteId, 7);
  assert.deepEqual(await readIdentity(agentDir), identity);
  assert.equal((await Deno.stat(`${agentDir}/identity.json`)).mode! & 0o777, 0o600);
  const other = await Deno.makeTempDir();
  await assert.rejects(enroll({ edgeUrl: edge.url, agentDir: other, joinToken: JOIN_TOKEN }), /409/);
  await edge.close();
});

Deno.test("keepConnected() hears welcome first and connects again after a cut", async () => {
  await using site = await connect();
  await site.until((frames) => frames.filter(({ type }) => type === "welcome").length === 1);
  site.edge.cut();
  await site.until((frames) => frames.filter(({ type }) => type === "welcome").length === 2);
  assert.equal(site.ends, 1);
});

Deno.test("keepConnected() waits for an edge that is away and finds it when it is back", async () => {
  await using site = await connect();
  await site.until((frames) => frames.some(({ type }) => type === "welcome"));
  await site.edge.leave();
  const heard = site.frames.length;
  site.edge = site.edge.comeBack();
  await site.until((frames) => frames.length > heard);
});

Deno.test("keepConnected() signs in the edge's time after a refusal, whatever this machine's clock says", async () => {
  await using site = await connect({ clockAheadMs: 86_400_000 });
  await site.until((frames) => frames.some(({ type }) => type === "welcome"));
  assert.ok(site.edge.refusals.length > 0, "the first token was signed in this machine's time");
});

Deno.test("keepConnected() drops a socket that says nothing", async () => {
  let monotonic = 0;
  await using site = await connect({}, {
    monotonic: () => monotonic,
    sleep: (ms, signal) => systemClock.sleep(Math.min(ms, 5), signal),
  });
  await site.until((frames) => frames.some(({ type }) => type === "helloAck"));
  monotonic += 29_000;
  await systemClock.sleep(30);
  assert.equal(site.ends, 0);
  monotonic += 2_000;
  await site.until((frames) => frames.filter(({ type }) => type === "welcome").length === 2);
  assert.equal(site.ends, 1);
});

Deno.test("keepConnected() ignores a frame it does not know and goes on", async () => {
  await using site = await connect();
  await site.until((frames) => frames.length === 1);
  site.edge.say({ type: "nonsense" } as unknown as EdgeFrame);
  site.edge.say({ type: "workWaiting" });
  await site.until((frames) => frames.some(({ type }) => type === "workWaiting"));
  assert.equal(site.ends, 0);
});

async function connect(
  edgeOptions: ConstructorParameters<typeof FakeEdge>[0] = {},
  clock: Partial<ConnectionOptions["clock"]> = {},
) {
  const edge = new FakeEdge(edgeOptions);
  const agentDir = await Deno.makeTempDir();
  const identity = await enroll({ edgeUrl: edge.url, agentDir, joinToken: JOIN_TOKEN });
  const stop = new AbortController();
  const waiting: { test: (frames: EdgeFrame[]) => boolean; done: () => void }[] = [];
  const site = {
    edge,
    frames: [] as EdgeFrame[],
    ends: 0,
    until(test: (frames: EdgeFrame[]) => boolean): Promise<void> {
      return test(site.frames) ? Promise.resolve() : new Promise((done) => waiting.push({ test, done }));
    },
    async [Symbol.asyncDispose]() {
      stop.abort();
      await running;
      await site.edge.close();
    },
  };
  const running = keepConnected({
    edgeUrl: edge.url,
    tokens: new TokenSigner(identity, { now: () => Date.now(), newId: () => crypto.randomUUID() }),
    clock: { ...systemClock, ...clock },
    random: () => 0,
    log: () => {},
    onFrame(frame: EdgeFrame, link: EdgeLink) {
      if (frame.type === "welcome") link.send({ ...HELLO, open: [], epoch: frame.epoch });
      site.frames.push(frame);
      for (const { test, done } of waiting) if (test(site.frames)) done();
    },
    onEnd: () => site.ends++,
  }, stop.signal);
  return site;
}
