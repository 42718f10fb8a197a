import assert from "node:assert/strict";
import type { AgentFrameOf, EdgeFrameOf } from "shared/agent_protocol.ts";
import type { LieRates } from "../../simulator/phone/lies.ts";
import type { PhoneTraits } from "../../simulator/phone/traits.ts";
import type { FakeEdgeOptions } from "../testing/fake_edge.ts";
import { numbers, startTestSite } from "../testing/site.ts";
import { steadyClock } from "../testing/steady_clock.ts";

const TEXT = "שלום";
const PICTURE = new Uint8Array([0xff, 0xd8, 0xff, 1, 2, 3]);
const IMAGE = new Uint8Array(await crypto.subtle.digest("SHA-256", PICTURE)).toHex();
type Kind = EdgeFrameOf<"command">["kind"];
type Result = AgentFrameOf<"commandResult">;

interface Given {
  traits?: Partial<PhoneTraits>;
  lies?: LieRates;
  speed?: number;
  edge?: Pick<FakeEdgeOptions, "images" | "queuesAgain">;
}

/** Starts a site with one online phone, in a time of its own. */
async function startSite(given: Given = {}) {
  const clock = steadyClock();
  const { traits = {}, edge, ...options } = given;
  const site = await startTestSite({
    clock,
    edge,
    phones: {
      devices: 1,
      traits: () => ({ language: "he", ...traits }),
      hangMs: { min: 3_000, max: 3_000 },
      ...options,
    },
  });
  const device = () => site.edge.received.findLast((frame) => frame.type === "inventory")?.devices[0];
  await site.edge.until(() =>
    site.edge.received.some((frame) => frame.type === "inventory" && frame.accounts[0]?.state === "ok")
  );
  let lastId = 0;
  return {
    ...site,
    clock,
    device,
    phone: site.simulator.phones[0]!,
    brightness: () => site.simulator.phones[0]!.settings.get("system screen_brightness"),
    command(kind: Kind, name = "SIM0001"): number {
      site.edge.send({ type: "command", id: ++lastId, kind, device: name });
      return lastId;
    },
    async answer(id: number): Promise<Result> {
      const find = () =>
        site.edge.received.find((frame): frame is Result =>
          frame.type === "commandResult" && frame.id === id
        );
      await site.edge.until(() => find() !== undefined);
      return find()!;
    },
    async until(test: () => boolean): Promise<void> {
      while (!test()) await clock.sleep(100);
    },
    async [Symbol.asyncDispose]() {
      await site[Symbol.asyncDispose]();
      clock[Symbol.dispose]();
    },
  };
}

Deno.test("identify shows a bright page for 20 s, and then restores the phone", async () => {
  await using site = await startSite();
  const { ok, detail } = await site.answer(site.command("identify"));
  assert.deepEqual([ok, detail], [true, "It shows a bright page"]);
  const from = site.clock.monotonic();
  assert.equal(site.phone.page, "file:///sdcard/Download/shigur-identify.html");
  const page = site.phone.files.read("/sdcard/Download/shigur-identify.html")!;
  assert.match(new TextDecoder().decode(page.bytes), />SIM0001<\/body>/);
  assert.equal(site.brightness(), "255");
  await site.until(() => site.phone.page === null && site.phone.processes.size === 0);
  const shownMs = site.clock.monotonic() - from;
  assert.ok(shownMs > 15_000 && shownMs < 25_000, `${shownMs}`);
  assert.deepEqual([site.brightness(), site.phone.settings.get("system screen_brightness_mode")], [
    "102",
    "1",
  ]);
  assert.equal(site.phone.files.read("/sdcard/Download/shigur-identify.html"), null);
});

Deno.test("identify pulls down the notifications on a phone without pages, and lights a PIN lock", async () => {
  await using bare = await startSite({ traits: { showsPages: false } });
  const first = await bare.answer(bare.command("identify"));
  assert.deepEqual([first.ok, first.detail.slice(0, 27)], [true, "It shows its notifications "]);
  assert.equal(bare.phone.isShadeDown, true);
  await using locked = await startSite();
  locked.phone.isPinSet = true;
  const second = await locked.answer(locked.command("identify"));
  assert.deepEqual([second.ok, second.detail.slice(0, 21)], [true, "Its lock screen is li"]);
  assert.equal(locked.brightness(), "255");
});

Deno.test("identify waits for the delivery in hand, and the next delivery waits for it", async () => {
  await using site = await startSite({ lies: { tapHangs: 1 } });
  const [first = "", second = ""] = numbers(2);
  site.edge.queue(1, { text: TEXT }, [first]);
  const isTapping = () => [...site.phone.processes.values()].some((line) => line.startsWith("cmd input tap"));
  await site.until(isTapping);
  const id = site.command("identify");
  site.edge.queue(1, { text: TEXT }, [second]);
  while (isTapping()) {
    assert.equal(site.phone.page, null);
    await site.clock.sleep(25);
  }
  const { ok } = await site.answer(id);
  assert.equal(ok, true);
  assert.deepEqual(site.taps().map(({ phone }) => phone), [first], "nothing is sent from under the page");
  await site.edge.until(() => site.edge.states().sent === 2);
  assert.deepEqual(site.taps().map(({ phone }) => phone), [first, second]);
});

Deno.test("identify shows a phone that needs its PIN before its last tap can be checked", async () => {
  await using site = await startSite({ lies: { tapHangs: 1 } });
  site.edge.queue(1, { text: TEXT }, numbers(1));
  await site.until(() => [...site.phone.processes.values()].some((line) => line.startsWith("cmd input tap")));
  site.phone.isPinSet = true;
  site.phone.lock();
  await site.until(() => site.phone.processes.size === 0);
  const { ok, detail } = await site.answer(site.command("identify"));
  assert.deepEqual([ok, detail], [true, "Its lock screen is lit at full brightness: it wants its PIN"]);
  assert.deepEqual([site.edge.states(), site.taps()], [{ leased: 1 }, []]);
  site.phone.isPinSet = false;
  await site.edge.until(() => site.edge.states().sent === 1);
  assert.equal(site.taps().length, 1);
});

Deno.test("identify is refused while a picture's tap cannot be looked back at: its screen is the only proof", async () => {
  await using site = await startSite({
    lies: { tapHangs: 1 },
    edge: { images: new Map([[IMAGE, PICTURE]]) },
  });
  site.edge.queue(1, { text: TEXT, image: IMAGE }, numbers(1));
  await site.until(() => [...site.phone.processes.values()].some((line) => line.startsWith("cmd input tap")));
  site.phone.isPinSet = true;
  site.phone.lock();
  await site.until(() => site.phone.processes.size === 0);
  const { ok, detail } = await site.answer(site.command("identify"));
  assert.deepEqual([ok, detail], [
    false,
    "A picture may have been sent from it, and it could not be looked at yet",
  ]);
  assert.deepEqual(site.edge.states(), { leased: 1 });
});

Deno.test("restart answers when the phone is back, with the duration", async () => {
  await using site = await startSite({ speed: 1 });
  const before = site.phone.bootId;
  const { ok, detail } = await site.answer(site.command("restart"));
  assert.equal(ok, true);
  assert.match(detail, /^It is back after \d+ s$/);
  assert.notEqual(site.phone.bootId, before);
  assert.equal(site.phone.availability, "device");
});

Deno.test("restart says that the phone did not come back", async () => {
  await using site = await startSite({ speed: 1 });
  const from = site.clock.monotonic();
  const id = site.command("restart");
  await site.until(() => site.phone.availability === "unplugged");
  site.phone.isBooting = true;
  // Nothing should happen for three minutes.
  site.clock.stepMs = 200;
  const { ok, detail } = await site.answer(id);
  assert.deepEqual([ok, detail], [false, "It did not come back within 180 s: booting"]);
  assert.ok(site.clock.monotonic() - from >= 180_000);
});

Deno.test("stop and start are answered at once, and an unreachable phone is reported", async () => {
  await using site = await startSite();
  assert.deepEqual((await site.answer(site.command("stop"))).ok, true);
  site.edge.queue(1, { text: TEXT }, numbers(1));
  await site.clock.sleep(20_000);
  assert.deepEqual(site.taps(), []);
  assert.deepEqual((await site.answer(site.command("start"))).ok, true);
  await site.edge.until(() => site.edge.states().sent === 1);
  site.phone.unplug();
  await site.edge.until(() => site.device()?.state === "offline");
  for (const kind of ["restart", "identify"] as const) {
    const { ok, detail } = await site.answer(site.command(kind));
    assert.deepEqual([ok, detail], [false, 'Cannot reach device "SIM0001"']);
  }
  assert.deepEqual((await site.answer(site.command("identify", "NONE"))).ok, false);
});

for (
  const [state, act] of [["banned", "banned"], ["restricted", "restricted"], [
    "logged_out",
    "loggedOut",
  ]] as const
) {
  Deno.test(`an account found ${state} by its app's screen is reported, and checked again after start`, async () => {
    await using site = await startSite();
    site.phone.setAccountState("com.whatsapp/0", act);
    site.edge.queue(1, { text: TEXT }, numbers(1));
    const account = () =>
      site.edge.received.findLast((frame) => frame.type === "inventory")?.accounts[0]?.state;
    await site.edge.until(() => account() === state);
    assert.deepEqual(site.taps(), []);
    site.phone.setAccountState("com.whatsapp/0", "ok");
    await site.answer(site.command("start"));
    await site.edge.until(() => site.edge.states().sent === 1);
    assert.equal(account(), "ok");
  });
}

Deno.test("an account's captions are learned from its first delivery of a picture", async () => {
  for (const dropsCaptions of [false, true]) {
    // An immediate retry would teach the same again before the test could see that it was forgotten.
    const edge = { images: new Map([[IMAGE, PICTURE]]), queuesAgain: false };
    await using site = await startSite({ traits: { dropsCaptions }, edge });
    const captions = () =>
      site.edge.received.findLast((frame) => frame.type === "inventory")?.accounts[0]?.captions;
    assert.equal(captions(), null);
    site.edge.queue(1, { text: TEXT, image: IMAGE }, numbers(1));
    await site.edge.until(() => captions() === !dropsCaptions);
    assert.equal(site.taps().length, dropsCaptions ? 0 : 1);
    await site.answer(site.command("start"));
    await site.edge.until(() => captions() === null);
  }
});

Deno.test("an account does not count as losing captions for a text that no caption can hold", async () => {
  await using site = await startSite({ edge: { images: new Map([[IMAGE, PICTURE]]), queuesAgain: false } });
  const [tooLong = "", next = ""] = numbers(2);
  const [cut] = site.edge.queue(1, { text: "א".repeat(2_000), image: IMAGE }, [tooLong]);
  await site.edge.until(() => cut!.state === "void");
  assert.equal(cut!.reports.at(-1)?.reason, "caption_not_shown");
  const receivedBefore = site.edge.received.length;
  const inventory = () =>
    site.edge.received.slice(receivedBefore).find((frame) => frame.type === "inventory");
  await site.edge.until(() => inventory() !== undefined);
  assert.equal(inventory()?.accounts[0]?.captions, null);
  const [short] = site.edge.queue(2, { text: TEXT, image: IMAGE }, [next]);
  await site.edge.until(() => short!.state === "sent");
});
