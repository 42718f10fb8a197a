import assert from "node:assert/strict";
import type { EdgeFrame } from "shared/agent_protocol.ts";
import type { AgentFeature } from "shared/features.ts";
import { noisePng } from "shared/testing/noise_png.ts";
import { sendStill } from "./send_still.ts";
import { createStillDesk, MOST_STILLS, NoStillError, type StillDesk, type StillSite } from "./still_desk.ts";

/** A clock that moves only by `pass()`, and wakes its sleepers. */
function handClock() {
  let now = 0;
  const sleepers = new Set<{ at: number; wake: () => void }>();
  const turn = () => new Promise<void>((done) => setTimeout(done, 0));
  return {
    clock: () => now,
    sleep(ms: number, signal?: AbortSignal): Promise<void> {
      if (ms <= 0 || signal?.aborted) return Promise.resolve();
      return new Promise((done) => {
        const sleeper = {
          at: now + ms,
          wake: () => {
            sleepers.delete(sleeper);
            done();
          },
        };
        sleepers.add(sleeper);
        signal?.addEventListener("abort", sleeper.wake);
      });
    },
    async pass(ms: number): Promise<void> {
      await turn();
      now += ms;
      for (const sleeper of [...sleepers]) if (sleeper.at <= now) sleeper.wake();
      await turn();
    },
    get waiting() {
      return sleepers.size;
    },
  };
}

function siteOf(site: number, answers?: (desk: StillDesk, from: StillSite, frame: EdgeFrame) => void) {
  const sent: EdgeFrame[] = [];
  const from: StillSite & { desk?: StillDesk } = {
    site,
    epoch: 1,
    isReady: true,
    features: new Set<AgentFeature>(),
    send(frame) {
      sent.push(frame);
      answers?.(from.desk!, from, frame);
    },
  };
  return { from, sent, asks: () => sent.filter(({ type }) => type === "still").length };
}

const picture = noisePng(300);
const shows = (desk: StillDesk, from: StillSite, frame: EdgeFrame) => {
  if (frame.type !== "still") return;
  desk.take(from, { type: "stillPart", id: frame.id, at: 0, size: 300, data: picture.toBase64() });
};
const stays = () => new AbortController().signal;

Deno.test("a phone's next still begins 3 s after the last one began, and another phone's at once", async () => {
  const time = handClock();
  const desk = createStillDesk(time);
  const { from, asks } = siteOf(1, shows);
  from.desk = desk;
  await desk.ask(from, "A", stays());
  await time.pass(1_000);
  const [second, third] = [desk.ask(from, "A", stays()), desk.ask(from, "A", stays())];
  await time.pass(1_900);
  assert.equal(asks(), 1);
  await desk.ask(from, "B", stays());
  assert.equal(asks(), 2);
  await time.pass(100);
  assert.deepEqual(await Promise.all([second, third]), [picture, picture]);
  assert.equal(asks(), 3, "one still for both");
  assert.deepEqual([desk.size, time.waiting], [0, 0]);
});

Deno.test("a site that never answers is given up, and its late answer is taken for nothing", async () => {
  const time = handClock();
  const desk = createStillDesk(time);
  const { from, sent } = siteOf(1);
  const asked = assert.rejects(desk.ask(from, "A", stays()), new NoStillError("failed"));
  await time.pass(20_000);
  await asked;
  assert.deepEqual(sent.map(({ type }) => type), ["still", "stillOver"]);
  const part = { type: "stillPart", id: 1, at: 0, size: 300, data: picture.toBase64() } as const;
  assert.deepEqual([desk.take(from, part), desk.take(from, part)], [true, false]);
  assert.deepEqual([desk.size, time.waiting], [0, 0]);
});

Deno.test("a site that answers each part just in time is given up too", async () => {
  const time = handClock();
  const desk = createStillDesk(time);
  const { from, sent } = siteOf(1);
  const long = noisePng(8_000_000);
  const asked = assert.rejects(desk.ask(from, "A", stays()), new NoStillError("failed"));
  for (let seconds = 0; seconds < 45; seconds += 9) {
    await time.pass(9_000);
    const last = sent.at(-1)!;
    if (last.type !== "still") break;
    const data = long.subarray(last.at, last.at + 49_152).toBase64();
    desk.take(from, { type: "stillPart", id: last.id, at: last.at, size: long.length, data });
  }
  await asked;
  assert.deepEqual([sent.at(-1)!.type, desk.size, time.waiting], ["stillOver", 0, 0]);
});

Deno.test("the stills of all sites share a bounded number of places, oldest first", async () => {
  const time = handClock();
  const desk = createStillDesk(time);
  const sites = [1, 2, 3, 4].map((site) => siteOf(site));
  const asked = sites.flatMap(({ from }) =>
    ["A", "B", "C", "D"].map((device) => desk.ask(from, device, stays()))
  );
  asked.forEach((one) => one.catch(() => {}));
  await time.pass(0);
  assert.deepEqual(sites.map(({ asks }) => asks()), [4, 4, 0, 0]);
  assert.equal(MOST_STILLS, 8);
  desk.gone(sites[0]!.from);
  await time.pass(0);
  assert.deepEqual(sites.map(({ asks }) => asks()), [4, 4, 4, 0]);
  await assert.rejects(asked[0]!, new NoStillError("away"));
  // One who waits for a place may leave it.
  desk.gone(sites[3]!.from);
  desk.gone(sites[1]!.from);
  desk.gone(sites[2]!.from);
  await time.pass(0);
  assert.deepEqual(sites.map(({ asks }) => asks()), [4, 4, 4, 0]);
  assert.deepEqual([desk.size, time.waiting], [0, 0]);
  const { from } = siteOf(5, shows);
  (from as { desk?: StillDesk }).desk = desk;
  assert.deepEqual(await desk.ask(from, "A", stays()), picture, "every place was given back");
});

Deno.test("sendStill() lets go of a picture that nobody reads, that was read, or whose reader left", async () => {
  const long = noisePng(200_000);
  for (const end of ["read", "left", "silent"] as const) {
    const time = handClock();
    let left = 0;
    const reader = sendStill(long, { pace: time.sleep, leave: () => void left++ }).getReader();
    const first = await reader.read();
    assert.deepEqual([first.value!.length, left], [65_536, 0]);
    if (end === "read") { while (!(await reader.read()).done); }
    else if (end === "left") await reader.cancel();
    else {
      await time.pass(20_000);
      await assert.rejects(reader.read());
    }
    assert.deepEqual([left > 0, time.waiting], [true, 0], end);
  }
});
