import assert from "node:assert/strict";
import fc from "shared/testing/fast_check.ts";
import { type EdgeFrame, edgeFrameSchema } from "shared/agent_protocol.ts";
import { encodeFrame } from "shared/cbor.ts";
import { systemClock } from "../time/system_clock.ts";
import { type ConnectionOptions, type EdgeLink, keepConnected } from "./edge_connection.ts";
import { enroll, readIdentity } from "./identity.ts";
import { FakeEdge, JOIN_TOKEN } from "../testing/fake_edge.ts";
import { TokenSigner } from "./token.ts";
import { tempFolder } from "../testing/temp_folder.ts";

const HELLO = {
  type: "hello",
  journalId: "1".repeat(32),
  counterAtOpen: 0,
  journalCounter: 0,
  open: [],
  agentVersion: "1.0.0",
} as const;

const HOSTILE_FRAMES = 5_000;
const TYPES = edgeFrameSchema.options.map(({ shape }) => shape.type.value);
const hostile = fc.oneof(
  fc.uint8Array({ maxLength: 200 }),
  // Heads that announce more than follows, and arrays within arrays (RFC 8949).
  fc.constantFrom([0x9b, 0x7f, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff], [0xba, 0xff, 0xff, 0xff, 0xff], [
    ...Array(50_000).fill(0x81),
  ]).map((bytes) => new Uint8Array(bytes)),
  fc.record({
    type: fc.oneof(fc.constantFrom(...TYPES), fc.jsonValue()),
    fields: fc.dictionary(
      fc.constantFrom("token", "items", "epoch", "drop", "settings", "id"),
      fc.jsonValue(),
    ),
  }).filter(({ type }) => type !== "workWaiting").map(({ type, fields }) => encodeFrame({ ...fields, type })),
);

Deno.test("enroll() stores a key that only its owner can read, and refuses a used token", async () => {
  const edge = new FakeEdge();
  const agentDir = await tempFolder();
  const identity = await enroll({ edgeUrl: edge.url, agentDir, joinToken: `${JOIN_TOKEN}\n` });
  assert.equal(identity.siteId, 7);
  assert.deepEqual(await readIdentity(agentDir), identity);
  assert.equal((await Deno.stat(`${agentDir}/identity.json`)).mode! & 0o777, 0o600);
  const other = await tempFolder();
  await assert.rejects(
    enroll({ edgeUrl: edge.url, agentDir: other, joinToken: JOIN_TOKEN }),
    /join_token_invalid/,
  );
  await edge.close();
});

Deno.test("keepConnected() receives welcome first and connects again after a lost connection", async () => {
  await using site = await connect();
  await site.until((frames) => frames.filter(({ type }) => type === "welcome").length === 1);
  site.edge.cut();
  await site.until((frames) => frames.filter(({ type }) => type === "welcome").length === 2);
  assert.equal(site.ends, 1);
});

Deno.test("keepConnected() waits for an unreachable edge and connects when it is back", async () => {
  await using site = await connect();
  await site.until((frames) => frames.some(({ type }) => type === "welcome"));
  await site.edge.leave();
  const countBefore = site.frames.length;
  site.edge = site.edge.comeBack();
  await site.until((frames) => frames.length > countBefore);
});

Deno.test("keepConnected() signs with the edge's time after a refusal, whatever this machine's clock shows", async () => {
  await using site = await connect({ clockAheadMs: 86_400_000 });
  await site.until((frames) => frames.some(({ type }) => type === "welcome"));
  assert.ok(site.edge.refusals.length > 0, "the first token was signed in this machine's time");
});

Deno.test("keepConnected() closes a silent socket", async () => {
  let monotonic = 0;
  let onSleep = () => {};
  await using site = await connect({}, {
    monotonic: () => monotonic,
    sleep(ms, signal) {
      onSleep();
      return systemClock.sleep(Math.min(ms, 5), signal);
    },
  });
  await site.until((frames) => frames.some(({ type }) => type === "helloAck"));
  monotonic += 29_000;
  // When the loop sleeps again, its check is done.
  await new Promise<void>((done) => onSleep = done);
  assert.equal(site.ends, 0);
  monotonic += 2_000;
  await site.until((frames) => frames.filter(({ type }) => type === "welcome").length === 2);
  assert.equal(site.ends, 1);
});

Deno.test("keepConnected() ignores an unknown frame and continues", async () => {
  await using site = await connect();
  await site.until((frames) => frames.length === 1);
  site.edge.send({ type: "nonsense" } as unknown as EdgeFrame);
  site.edge.send({ type: "workWaiting" });
  await site.until((frames) => frames.some(({ type }) => type === "workWaiting"));
  assert.equal(site.ends, 0);
});

Deno.test("keepConnected() continues for any bytes from an edge, and delivers only frames", async () => {
  await using site = await connect();
  await site.until((frames) => frames.some(({ type }) => type === "helloAck"));
  const bytes = fc.sample(hostile, HOSTILE_FRAMES);
  for (const one of bytes) site.edge.sendBytes(one);
  site.edge.send({ type: "workWaiting" });
  await site.until((frames) => frames.some(({ type }) => type === "workWaiting"));
  assert.equal(site.ends, 0);
  for (const frame of site.frames) assert.ok(edgeFrameSchema.safeParse(frame).success);
  assert.ok(site.frames.length < HOSTILE_FRAMES / 10, "nearly all of them were refused");
});

Deno.test("keepConnected() delivers no frame of a connection that this site has left (rule 2)", async () => {
  await using site = await connect();
  await site.until((frames) => frames.length === 1);
  site.leavesAt = "workWaiting";
  site.edge.send({ type: "workWaiting" });
  site.edge.send({ type: "recall", items: [] });
  await site.until((frames) => frames.filter(({ type }) => type === "welcome").length === 2);
  assert.deepEqual(site.frames.filter(({ type }) => type === "recall"), []);
});

async function connect(
  edgeOptions: ConstructorParameters<typeof FakeEdge>[0] = {},
  clock: Partial<ConnectionOptions["clock"]> = {},
) {
  const edge = new FakeEdge(edgeOptions);
  const agentDir = await tempFolder();
  const identity = await enroll({ edgeUrl: edge.url, agentDir, joinToken: JOIN_TOKEN });
  const stop = new AbortController();
  const waiting: { test: (frames: EdgeFrame[]) => boolean; done: () => void }[] = [];
  const site = {
    edge,
    frames: [] as EdgeFrame[],
    /** The present connection. */
    link: null as EdgeLink | null,
    ends: 0,
    /** The first frame of this kind makes this side close the connection. */
    leavesAt: null as EdgeFrame["type"] | null,
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
      site.link = link;
      if (frame.type === "welcome") link.send({ ...HELLO, open: [], epoch: frame.epoch });
      if (frame.type === site.leavesAt) link.close();
      site.frames.push(frame);
      for (const { test, done } of waiting) if (test(site.frames)) done();
    },
    onEnd: () => site.ends++,
  }, stop.signal);
  return site;
}
