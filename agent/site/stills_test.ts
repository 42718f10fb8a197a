import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import type { AgentFrameOf } from "shared/agent_protocol.ts";
import { MAX_STILL_BYTES, STILL_EVERY_MS, STILL_PART_BYTES, stillSize } from "shared/still.ts";
import { noisePng } from "shared/testing/noise_png.ts";
import { AdbTimeoutError } from "../adb/adb_error.ts";
import type { LieRates } from "../../simulator/phone/lies.ts";
import type { AdbClient } from "../adb/client.ts";
import type { LogFields } from "../log.ts";
import { numbers, startTestSite } from "../testing/site.ts";
import { steadyClock } from "../testing/steady_clock.ts";
import { Stills } from "./stills.ts";

type Part = AgentFrameOf<"stillPart">;
type NoStill = AgentFrameOf<"noStill">;

interface Given {
  lies?: LieRates;
  devices?: number;
  speed?: number;
  adb?: (adb: AdbClient) => AdbClient;
}

/** Starts a site with online phones, in a time of its own. */
async function startSite({ lies, devices = 1, speed, adb }: Given = {}) {
  const clock = steadyClock();
  const logged: { level: string; event: string; fields: LogFields }[] = [];
  const site = await startTestSite({
    clock,
    adb,
    log: (level, event, fields = {}) => void logged.push({ level, event, fields }),
    phones: {
      devices,
      lies,
      traits: () => ({ language: "he" }),
      hangMs: { min: 20_000, max: 20_000 },
      ...(speed && { speed }),
    },
  });
  await site.edge.until(() =>
    site.edge.received.some((frame) =>
      frame.type === "inventory" && frame.accounts.filter(({ state }) => state === "ok").length >= devices
    )
  );
  let lastId = 0;
  const answers = (id: number) =>
    site.edge.received.filter((frame): frame is Part | NoStill =>
      (frame.type === "stillPart" || frame.type === "noStill") && frame.id === id
    );
  return {
    ...site,
    clock,
    logged,
    phone: site.simulator.phones[0]!,
    ask(device = "SIM0001", at = 0, id = ++lastId): number {
      site.edge.send({ type: "still", id, device, at });
      return id;
    },
    answers,
    /** Returns the answer to the ask that is number `nth` of its picture. */
    async answer(id: number, nth = 1): Promise<Part | NoStill> {
      await site.edge.until(() => answers(id).length >= nth);
      return answers(id)[nth - 1]!;
    },
    /** Asks for a whole picture, part by part. */
    async picture(device = "SIM0001"): Promise<Uint8Array> {
      const id = this.ask(device);
      const chunks: Uint8Array[] = [];
      for (let nth = 1, at = 0;; nth++) {
        const part = await this.answer(id, nth);
        if (part.type === "noStill") throw new Error(`No still: ${part.why}`);
        assert.equal(part.at, at);
        const bytes = Uint8Array.fromBase64(part.data);
        chunks.push(bytes);
        at += bytes.length;
        if (at === part.size) return new Uint8Array(await new Blob(chunks as BlobPart[]).arrayBuffer());
        this.ask(device, at, id);
      }
    },
    async [Symbol.asyncDispose]() {
      await site[Symbol.asyncDispose]();
      clock[Symbol.dispose]();
    },
  };
}

Deno.test("a still is a picture of the phone's present screen, and leaves the phone as it was", async () => {
  await using site = await startSite();
  const dark = await site.picture();
  assert.deepEqual(stillSize(dark), { width: 270, height: 600 });
  site.phone.wake();
  site.phone.isLocked = false;
  const lit = await site.picture();
  assert.ok(lit.length > dark.length, "a lit screen shows something");
  assert.deepEqual([site.phone.screen.kind, site.phone.isAwake], ["home", true]);
  assert.equal(site.taps().length, 0);
});

/** An adb client whose phones have a picture of `bytes` on their screens. */
const showing = (bytes: Uint8Array) => (adb: AdbClient): AdbClient => ({
  ...adb,
  exec: () => Promise.resolve(bytes),
});

Deno.test("a long picture comes in parts, each only when the edge asks for it", async () => {
  const bytes = noisePng(3 * STILL_PART_BYTES + 5);
  await using site = await startSite({ adb: showing(bytes) });
  const id = site.ask();
  const first = await site.answer(id);
  assert.ok(first.type === "stillPart" && first.size === bytes.length);
  await site.clock.sleep(5_000);
  assert.equal(site.answers(id).length, 1, "the next part waits for its ask");
  site.ask("SIM0001", STILL_PART_BYTES, id);
  await site.answer(id, 2);
  assert.deepEqual(await site.picture(), bytes);
});

Deno.test("a part asked for out of order ends the picture, and so does the time", async () => {
  const bytes = noisePng(3 * STILL_PART_BYTES);
  await using site = await startSite({ adb: showing(bytes) });
  const wrong = site.ask();
  await site.answer(wrong);
  site.ask("SIM0001", 7, wrong);
  assert.deepEqual(await site.answer(wrong, 2), { type: "noStill", id: wrong, why: "failed" });
  const slow = site.ask();
  await site.answer(slow);
  await site.clock.sleep(31_000);
  site.ask("SIM0001", STILL_PART_BYTES, slow);
  assert.deepEqual(await site.answer(slow, 2), { type: "noStill", id: slow, why: "failed" });
});

Deno.test("askers of one phone share one picture, and the next is taken 3 s later", async () => {
  const at: number[] = [];
  const clock = { now: () => 0 };
  await using site = await startSite({
    adb: (adb) => ({
      ...adb,
      exec: (...args) => {
        at.push(clock.now());
        return adb.exec(...args);
      },
    }),
    speed: 1,
  });
  clock.now = () => site.clock.monotonic();
  const askers = [site.ask(), site.ask(), site.ask()];
  for (const id of askers) assert.equal((await site.answer(id)).type, "stillPart");
  assert.equal(at.length, 1);
  assert.equal((await site.answer(site.ask())).type, "stillPart");
  assert.equal(at.length, 2);
  assert.ok(at[1]! - at[0]! >= STILL_EVERY_MS, `${at}`);
});

const LIES: [LieRates, NoStill["why"], string][] = [
  [{ stillHangs: 1 }, "failed", "a phone whose screencap hangs"],
  [{ stillEndless: 1 }, "too_large", "a phone that writes without an end"],
  [{ stillNotPng: 1 }, "not_png", "a phone that writes words"],
  [{ stillHuge: 1 }, "too_large", "a phone that writes 20 MB"],
];

for (const [lies, why, what] of LIES) {
  Deno.test(`lie: ${what} gives no still, and works on`, async () => {
    await using site = await startSite({ lies });
    const id = site.ask();
    assert.deepEqual(await site.answer(id), { type: "noStill", id, why });
    assert.ok(site.logged.some(({ event, fields }) => event === "no_still" && fields.why === why));
    const [number] = numbers(1);
    site.edge.queue(1, { text: "שלום" }, [number!]);
    await site.edge.until(() => site.edge.states().sent === 1);
  });
}

Deno.test("lie: a black screen is a still like any other", async () => {
  await using site = await startSite({ lies: { stillBlack: 1 } });
  assert.deepEqual(stillSize(await site.picture()), { width: 270, height: 600 });
});

Deno.test("a phone that is away gives no still", async () => {
  await using site = await startSite();
  site.phone.unplug();
  await site.edge.until(() =>
    site.edge.received.findLast((frame) => frame.type === "inventory")!.devices[0]!.state === "offline"
  );
  const gone = site.ask();
  assert.deepEqual(await site.answer(gone), { type: "noStill", id: gone, why: "away" });
  const unknown = site.ask("NOBODY");
  assert.deepEqual(await site.answer(unknown), { type: "noStill", id: unknown, why: "away" });
});

Deno.test("a site takes four pictures at once, and refuses the next", async () => {
  await using site = await startSite({ devices: 6, lies: { stillHangs: 1 } });
  const ids = [1, 2, 3, 4, 5].map((n) => site.ask(`SIM000${n}`));
  assert.deepEqual(await site.answer(ids[4]!), { type: "noStill", id: ids[4], why: "busy" });
  // A person who leaves makes room: the picture is not finished for nobody.
  site.edge.send({ type: "stillOver", id: ids[0]! });
  site.edge.send({ type: "stillOver", id: ids[1]! });
  site.simulator.phones[5]!.context.liar.lies = () => false;
  assert.equal((await site.answer(site.ask("SIM0006"))).type, "stillPart");
});

Deno.test("a picture waits for a tap on its way, and a tap ends a picture that was begun before it", async () => {
  using clock = steadyClock();
  const sent: unknown[] = [];
  const begun: AbortSignal[] = [];
  const stills = new Stills({
    clock,
    halt: new AbortController().signal,
    log: () => {},
    send: (frame) => sent.push(frame) > 0,
    pool: {
      screencap: async (_, { timeoutMs, signal }) => {
        begun.push(signal);
        await clock.sleep(Math.min(timeoutMs, 600), signal);
        signal.throwIfAborted();
        return noisePng(100);
      },
    },
  });
  const until = async (test: () => boolean) => {
    while (!test()) await clock.sleep(50);
  };
  stills.tapBegins("A");
  stills.asked({ type: "still", id: 1, device: "A", at: 0 });
  await clock.sleep(2_000);
  assert.equal(begun.length, 0, "it waits");
  stills.tapOver("A");
  await until(() => begun.length === 1);
  const firstAt = clock.monotonic();
  stills.tapBegins("A");
  assert.ok(begun[0]!.aborted, "the tap has the cable for itself");
  await clock.sleep(1_000);
  assert.deepEqual([begun.length, sent.length], [1, 0]);
  stills.tapOver("A");
  await until(() => sent.length === 1);
  assert.equal(begun.length, 2);
  assert.ok(
    clock.monotonic() - firstAt >= 3_000,
    "the phone takes no two pictures within 3 s, an ended one counts",
  );

  stills.tapBegins("A");
  stills.asked({ type: "still", id: 2, device: "A", at: 0 });
  await until(() => sent.length === 2);
  assert.deepEqual(sent[1], { type: "noStill", id: 2, why: "busy" });
  await stills.allDone();
});

Deno.test("every error of adb has its reason", async () => {
  using clock = steadyClock();
  const sent: unknown[] = [];
  const logged: unknown[] = [];
  const stills = new Stills({
    clock,
    halt: new AbortController().signal,
    log: (...entry) => void logged.push(entry),
    send: (frame) => sent.push(frame) > 0,
    pool: { screencap: () => Promise.reject(new AdbTimeoutError("No answer")) },
  });
  stills.asked({ type: "still", id: 1, device: "A", at: 0 });
  await stills.allDone();
  assert.deepEqual(sent, [{ type: "noStill", id: 1, why: "failed" }]);
});

Deno.test("a still is in no log, not in the journal and in no other file of the site", async () => {
  await using site = await startSite();
  const pictures: Uint8Array[] = [];
  site.phone.wake();
  site.phone.isLocked = false;
  for (let i = 0; i < 2; i++) pictures.push(await site.picture());
  await site.stop();
  const folder = site.journalPath.replace(/\/[^/]+$/, "");
  const logged = JSON.stringify(site.logged);
  for (const picture of pictures) {
    const middle = picture.subarray(60, 84);
    assert.ok(!logged.includes(middle.toBase64().slice(0, 24)) && !logged.includes("iVBORw0KGgo"));
    for (const name of readdirSync(folder)) {
      const file = Deno.readFileSync(`${folder}/${name}`);
      assert.ok(!contains(file, middle) && !contains(file, picture.subarray(0, 8)), name);
    }
  }
  assert.ok(pictures[0]!.length < MAX_STILL_BYTES);
});

function contains(file: Uint8Array, bytes: Uint8Array): boolean {
  return new TextDecoder("latin1").decode(file).includes(new TextDecoder("latin1").decode(bytes));
}
