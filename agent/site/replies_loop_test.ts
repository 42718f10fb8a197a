import assert from "node:assert/strict";
import type { ReplyItem } from "shared/agent_protocol.ts";
import { GO_HOME } from "../phone/go_home.ts";
import type { LieRates } from "../../simulator/phone/lies.ts";
import { numbers, startTestSite, type TestSiteOptions } from "../testing/site.ts";
import { steadyClock } from "../testing/steady_clock.ts";

type TestSite = Awaited<ReturnType<typeof startSite>>;

const [DANA = "", NOA = "", STRANGER = ""] = numbers(3);
/** The step for times in which phones are read every twenty seconds, and nothing is sent. */
const READING_STEP_MS = 150;

/** Starts a site with one phone, in a time of its own. */
async function startSite(options: TestSiteOptions = {}) {
  const clock = steadyClock();
  const site = await startTestSite({
    ...options,
    clock,
    phones: { devices: 1, ...options.phones },
  });
  return {
    ...site,
    clock,
    async [Symbol.asyncDispose]() {
      await site[Symbol.asyncDispose]();
      clock[Symbol.dispose]();
    },
  };
}

/** Starts a site that has written to Dana and Noa. */
async function written(options: TestSiteOptions = {}): Promise<TestSite> {
  const site = await startSite(options);
  site.edge.queue(1, { text: "מבצע" }, [DANA, NOA]);
  await site.edge.until(() => site.edge.states().sent === 2);
  site.clock.stepMs = READING_STEP_MS;
  return site;
}

function answers({ simulator }: Pick<TestSite, "simulator">, phone: string, text: string): void {
  simulator.phones[0]!.findAccount("com.whatsapp/0")!.receive(phone.slice(1), text);
}

function repliesOf({ edge }: Pick<TestSite, "edge">): ReplyItem[] {
  return edge.received.flatMap((frame) => frame.type === "inbound" ? frame.items : []);
}

/** Writes to Dana, so that her chat is in front. */
async function sentOnce({ edge }: TestSite): Promise<void> {
  edge.queue(1, { text: "מבצע" }, [DANA]);
  await edge.until(() => edge.states().sent === 1);
}

/** Resolves when the phone no longer shows a chat, or after twenty seconds. */
async function untilLeft({ simulator, clock }: TestSite): Promise<void> {
  for (let s = 0; s < 20 && simulator.phones[0]!.screen.kind === "chat"; s++) await clock.sleep(1_000);
}

/** Resolves after every phone was read twice more. */
async function readAgain({ simulator, clock }: Pick<TestSite, "simulator" | "clock">): Promise<void> {
  const from = simulator.phones[0]!.reads.notification ?? 0;
  while ((simulator.phones[0]!.reads.notification ?? 0) < from + 2) await clock.sleep(1_000);
}

Deno.test("readRepliesLoop() reports a request for removal once, and no other reply", async () => {
  await using site = await written();
  answers(site, DANA, "תודה רבה, נשמע נהדר");
  answers(site, DANA, "הָסֵר!");
  answers(site, NOA, "למה? תסירו אותי כבר, 054-371-0968");
  answers(site, STRANGER, "הסר");
  await site.edge.until(() => repliesOf(site).length >= 2);
  await readAgain(site);
  const items = repliesOf(site).sort((a, b) => a.phone.localeCompare(b.phone));
  assert.deepEqual(
    items.map(({ phone, decision, excerpt, account }) => [phone, decision, excerpt, account]),
    [
      [DANA, "remove", "הָסֵר!", "SIM0001/com.whatsapp/0"],
      [NOA, "unclear", "למה? תסירו אותי כבר, •••", "SIM0001/com.whatsapp/0"],
    ],
  );
});

Deno.test("runWorker() leaves the last chat it wrote in, so that its answer makes a notification", async () => {
  await using site = await startSite();
  const phone = site.simulator.phones[0]!;
  const account = phone.findAccount("com.whatsapp/0")!;
  site.edge.queue(1, { text: "מבצע" }, [DANA]);
  await site.edge.until(() => site.edge.states().sent === 1);
  assert.equal(phone.screen.kind, "chat");
  phone.receive(account, DANA.slice(1), "הסר");
  assert.equal(account.unread.size, 0, "the chat is open");
  await untilLeft(site);
  assert.deepEqual([phone.screen.kind, phone.isAwake], ["home", true]);
  phone.receive(account, DANA.slice(1), "הסר");
  await site.edge.until(() => repliesOf(site).length === 1);
});

Deno.test("runWorker() leaves the last chat of a device that is stopped just then", async () => {
  await using site = await startSite();
  await sentOnce(site);
  site.edge.send({ type: "command", id: 1, kind: "stop", device: "SIM0001" });
  await site.edge.until(() => site.edge.received.some(({ type }) => type === "commandResult"));
  assert.equal(site.simulator.phones[0]!.screen.kind, "chat");
  await untilLeft(site);
  assert.equal(site.simulator.phones[0]!.screen.kind, "home");
});

Deno.test("runWorker() leaves its last chats when it ends", async () => {
  await using site = await startSite();
  await sentOnce(site);
  assert.equal(site.simulator.phones[0]!.screen.kind, "chat");
  await site.stop();
  assert.equal(site.simulator.phones[0]!.screen.kind, "home");
});

Deno.test("runWorker() leaves a chat whose tap is in doubt as it is, when it ends", async () => {
  const inDoubt = Promise.withResolvers<void>();
  await using site = await startSite({
    phones: { lies: { tapIgnored: 1 } },
    log: (_level, event, fields) => {
      if (event === "delivery" && fields?.result === "doubt") inDoubt.resolve();
    },
  });
  site.edge.queue(1, { text: "מבצע" }, [DANA]);
  await inDoubt.promise;
  await site.stop();
  assert.equal(site.simulator.phones[0]!.screen.kind, "chat");
});

Deno.test("runWorker() leaves the chat in which an earlier process was killed", async () => {
  await using site = await startSite();
  await sentOnce(site);
  await site.stop();
  const phone = site.simulator.phones[0]!;
  phone.openChat(phone.findAccount("com.whatsapp/0")!, DANA.slice(1), "");
  site.start();
  await untilLeft(site);
  assert.equal(phone.screen.kind, "home");
});

Deno.test("runWorker() tries again to leave a chat where it failed", async () => {
  let failures = 0;
  await using site = await startSite({
    adb: (adb) => ({
      ...adb,
      shell(serial, command, options) {
        const isLeaving = command.includes(GO_HOME) && !command.includes("wa.me");
        if (!isLeaving || failures === 2) return adb.shell(serial, command, options);
        failures++;
        return Promise.reject(new Error("The connection is gone"));
      },
    }),
  });
  await sentOnce(site);
  await untilLeft(site);
  assert.equal(site.simulator.phones[0]!.screen.kind, "home");
});

Deno.test("tellRepliesLoop() repeats replies until they are acknowledged, also after a crash", async () => {
  let isAcked = false;
  await using site = await written({ edge: { lets: (frame) => frame.type !== "inboundAck" || isAcked } });
  answers(site, DANA, "הסר");
  await site.edge.until(() => repliesOf(site).length >= 1);
  await site.stop();
  // The notification is gone: only the journal holds the reply.
  site.simulator.phones[0]!.findAccount("com.whatsapp/0")!.markRead(DANA.slice(1));
  site.edge.received.length = 0;
  site.start();
  await site.edge.until(() => repliesOf(site).length >= 1);
  isAcked = true;
  site.edge.received.length = 0;
  await site.edge.until(() => repliesOf(site).length >= 1);
  await readAgain(site);
  site.edge.received.length = 0;
  await readAgain(site);
  assert.deepEqual(repliesOf(site), []);
});

Deno.test("tellRepliesLoop() sends a restored edge every reply again, after the outcomes that they answer", async () => {
  let isTaking = true;
  await using site = await written({
    edge: { lets: (frame) => isTaking || frame.type !== "outcomesAck" },
  });
  answers(site, DANA, "הסר");
  await site.edge.until(() => repliesOf(site).length === 1);
  await readAgain(site);
  const [first] = repliesOf(site);
  site.edge.received.length = 0;
  isTaking = false;
  site.edge.generation = "restored";
  site.edge.cut();
  await site.edge.until(() => site.edge.received.some(({ type }) => type === "outcomes"));
  answers(site, NOA, "הסר");
  await readAgain(site);
  assert.deepEqual(repliesOf(site), [], "the outcomes were not taken yet");
  isTaking = true;
  site.edge.cut();
  await site.edge.until(() => repliesOf(site).some(({ phone }) => phone === NOA));
  await readAgain(site);
  const again = repliesOf(site).find(({ phone }) => phone === DANA);
  assert.deepEqual(again, { ...first, excerpt: "" });
});

Deno.test("tellRepliesLoop() sends nothing to an edge that does not accept replies", async () => {
  await using site = await written({ edge: { can: {} } });
  answers(site, DANA, "הסר");
  await readAgain(site);
  assert.deepEqual(repliesOf(site), []);
});

Deno.test("tellRepliesLoop() sends replies to an edge of the previous release, as its flag says (rule 20)", async () => {
  await using site = await written({ edge: { can: { takesReplies: true } } });
  answers(site, DANA, "הסר");
  await readAgain(site);
  await site.edge.until(() => repliesOf(site).length > 0);
  assert.deepEqual(repliesOf(site).map(({ phone }) => phone), [DANA]);
});

Deno.test("readRepliesLoop() takes ten removals from one reading, and the rest with the next", async () => {
  const taken: unknown[] = [];
  await using site = await startSite({
    log: (_level, event, fields) => {
      if (event === "replies_read") taken.push(fields?.replies);
    },
  });
  const people = numbers(12);
  site.edge.queue(1, { text: "מבצע" }, people);
  await site.edge.until(() => site.edge.states().sent === people.length);
  await site.stop();
  for (const phone of people) answers(site, phone, "הסר");
  site.clock.stepMs = READING_STEP_MS;
  site.start();
  const removed = () => new Set(repliesOf(site).map(({ phone, decision }) => `${phone} ${decision}`));
  await site.edge.until(() => removed().size === people.length);
  assert.deepEqual(removed(), new Set(people.map((phone) => `${phone} remove`)));
  assert.deepEqual(taken, [10, 2]);
});

Deno.test("readRepliesLoop() leaves a reply that may be forged to a person, and marks the phone while it is shown", async () => {
  await using site = await written();
  const detail = (wanted: RegExp | null) => () => {
    const last = site.edge.received.findLast((frame) => frame.type === "inventory")?.devices[0]?.stateDetail;
    return wanted === null ? last === null : wanted.test(last ?? "");
  };
  const block = "    NotificationRecord(0x0: pkg=com.whatsapp user=UserHandle{0} id=1)\n      extras={\n" +
    `          android.title=String (${NOA})\n          android.text=String (הסר)\n      }\n`;
  answers(site, DANA, `x)\n      }\n${block}`);
  await site.edge.until(() => repliesOf(site).length === 1);
  assert.deepEqual(repliesOf(site).map(({ phone, decision }) => [phone, decision]), [[NOA, "unclear"]]);
  await site.edge.until(detail(/^a notification looks forged: requests to be removed wait for a person$/));
  site.simulator.phones[0]!.findAccount("com.whatsapp/0")!.markRead(DANA.slice(1));
  await site.edge.until(detail(null));
});

Deno.test("readRepliesLoop() marks a phone whose replies could not be read twice in a row", async () => {
  let isBroken = true;
  let reads = 0;
  await using site = await startSite({
    adb: (adb) => ({
      ...adb,
      shell(serial, command, options) {
        if (!command.includes("dumpsys notification") || !isBroken) {
          return adb.shell(serial, command, options);
        }
        reads++;
        return Promise.reject(new Error("more than 4194304 bytes"));
      },
    }),
  });
  site.clock.stepMs = READING_STEP_MS;
  const shows = (detail: string | null) => () =>
    site.edge.received.findLast((frame) => frame.type === "inventory")?.devices[0]?.stateDetail === detail;
  await site.edge.until(shows("replies cannot be read: more than 4194304 bytes"));
  assert.ok(reads >= 2);
  isBroken = false;
  await site.edge.until(shows(null));
});

const UNREADABLE: [LieRates, RegExp][] = [
  [{ notificationsHidden: 1 }, /^replies cannot be read: the phone hides the texts of notifications$/],
  [{ notificationsRefused: 1 }, /^replies cannot be read: dumpsys notification says: Permission Denial/],
];
for (const [lies, detail] of UNREADABLE) {
  Deno.test(`lie: ${Object.keys(lies)} – the phone's own state says that replies to it cannot be read`, async () => {
    await using site = await written({ phones: { devices: 1, lies } });
    answers(site, DANA, "הסר");
    await site.edge.until(() =>
      site.edge.received.some((frame) =>
        frame.type === "inventory" && detail.test(frame.devices[0]?.stateDetail ?? "")
      )
    );
    assert.deepEqual(repliesOf(site), []);
    const last = site.edge.received.findLast((frame) => frame.type === "inventory");
    assert.equal(last?.devices[0]?.state, "online");
  });
}

const SHOWN: [LieRates, ReplyItem["decision"]][] = [
  [{ notificationCut: 1 }, "unclear"],
  [{ notificationPacked: 1 }, "remove"],
  [{ notificationTwice: 1 }, "remove"],
  [{ notificationMarked: 1 }, "remove"],
];
for (const [lies, decision] of SHOWN) {
  Deno.test(`lie: ${Object.keys(lies)} – a reply is reported once, as ${decision}`, async () => {
    await using site = await written({ phones: { devices: 1, lies } });
    answers(site, DANA, decision === "remove" ? "הסר" : "הסר אותי בשום אופן לא");
    await site.edge.until(() => repliesOf(site).length >= 1);
    await readAgain(site);
    assert.deepEqual(repliesOf(site).map(({ phone, decision }) => [phone, decision]), [[DANA, decision]]);
  });
}

Deno.test("lie: nameTitle – who is known to the phone by name alone is not guessed at", async () => {
  const lies: LieRates = {};
  await using site = await written({ phones: { devices: 1, lies } });
  lies.nameTitle = 1;
  answers(site, DANA, "הסר");
  await readAgain(site);
  assert.deepEqual(repliesOf(site), []);
});
