/** A draft of ours that a delivery left in a chat: cleared before any other work, and nothing else is touched. */
import assert from "node:assert/strict";
import { addScreenFile } from "../screens/keep_file.ts";
import { MOVED_IDS } from "../testing/moved_ids.ts";
import { numbers, startTestSite, type TestSiteOptions } from "../testing/site.ts";

const TEXT = "שלום";
const [NUMBER] = numbers(1) as [string];
/** Two minutes. */
const MOST_WAITS = 240;

/** Starts a site. `atDraft` is called once, when the first text has been typed into a chat of a phone. */
async function start(
  atDraft: (site: TestSite, phone: TestSite["simulator"]["phones"][number]) => void,
  options: TestSiteOptions = {},
) {
  const events: { event: string; fields: Record<string, unknown> }[] = [];
  const commands: string[] = [];
  let isTyped = false;
  const site: TestSite = await startTestSite({
    ...options,
    phones: { devices: 2, traits: () => ({ language: "he", confirmsShare: false }), ...options.phones },
    log: (_level, event, fields = {}) => void events.push({ event, fields }),
    adb: (adb) => ({
      ...adb,
      shell(serial, command, given) {
        commands.push(command);
        return adb.shell(serial, command, given);
      },
    }),
  });
  for (const phone of site.simulator.phones) {
    const open = phone.openChat.bind(phone);
    phone.openChat = (account, number, text) => {
      open(account, number, text);
      if (isTyped || text === "") return;
      isTyped = true;
      atDraft(site, phone);
    };
  }
  const until = async (test: () => boolean, what: string) => {
    for (let waits = 0; !test(); waits++) {
      assert.ok(waits < MOST_WAITS, `${what} did not come`);
      await site.clock.sleep(500);
    }
  };
  return {
    site,
    events,
    commands,
    until,
    drafts: () =>
      site.simulator.phones.flatMap(({ accounts }) => accounts.flatMap(({ drafts }) => [...drafts.values()])),
    /** Notices beside the phones' states in the last inventory. */
    details: () => {
      const inventory = site.edge.received.findLast((frame) => frame.type === "inventory");
      return inventory?.devices.map(({ stateDetail }) => stateDetail) ?? [];
    },
    untilEvent: (name: string) => until(() => events.some(({ event }) => event === name), name),
  };
}

type TestSite = Awaited<ReturnType<typeof startTestSite>>;

function mostTapsOfOne(site: TestSite): number {
  const counts = new Map<string, number>();
  for (const { phone } of site.taps()) counts.set(phone, (counts.get(phone) ?? 0) + 1);
  return Math.max(...counts.values());
}

Deno.test("a draft behind an unknown screen stays untouched, is named, and goes before any work once the screen is known", async () => {
  const { site, commands, until, untilEvent, drafts, details } = await start((site) => {
    for (const phone of site.simulator.phones) phone.updateApps("2.26.1.5");
  });
  await using _ = site;
  site.edge.queue(1, { text: TEXT }, numbers(4));
  await untilEvent("unknown_screen");
  await site.clock.sleep(120_000);
  assert.ok(drafts().length > 0);
  assert.deepEqual(commands.filter((command) => /input (tap|keyevent (?!224))|force-stop/.test(command)), []);
  assert.ok(details().some((detail) => detail?.startsWith("draft_left")), JSON.stringify(details()));

  await addScreenFile(site.agentDir, MOVED_IDS, () => Promise.resolve([]));
  await site.edge.until(() => site.edge.states().sent === 4);
  await until(() => drafts().length === 0, "the last draft's end");
  await until(() => details().every((detail) => detail === null), "the notice's end");
  assert.equal(mostTapsOfOne(site), 1);
});

Deno.test("a phone that is unplugged with a draft in its chat clears it when it is back, and the message went once", async () => {
  const { site, until, drafts, details } = await start((_site, phone) => phone.unplug());
  await using _ = site;
  site.edge.queue(1, { text: TEXT }, [NUMBER]);
  await site.edge.until(() => site.edge.states().sent === 1);
  assert.deepEqual(drafts(), [TEXT]);
  await until(() => details().some((detail) => detail?.startsWith("draft_left") === true), "the notice");
  for (const phone of site.simulator.phones) phone.replug();
  await until(() => drafts().length === 0, "the draft's end");
  assert.equal(site.taps().length, 1);
});

Deno.test("work that is taken back after its draft was typed leaves no draft", async () => {
  const { site, until, drafts } = await start((site) => site.edge.recall([NUMBER]), {
    edge: { queuesAgain: false },
  });
  await using _ = site;
  site.edge.queue(1, { text: TEXT }, [NUMBER]);
  await site.edge.until(() => site.edge.states().void === 1 || site.edge.states().sent === 1);
  await until(() => drafts().length === 0, "the draft's end");
  assert.equal(site.taps().length, site.edge.states().sent ?? 0);
});

Deno.test("a draft that a person has changed is theirs: it stays, and is asked about no more", async () => {
  const changed = `${TEXT}, נדבר מחר`;
  const { site, until, events, drafts } = await start((_site, phone) => {
    phone.accounts[0]!.drafts.set(NUMBER.slice(1), changed);
    phone.unplug();
  }, { edge: { queuesAgain: false } });
  await using _ = site;
  site.edge.queue(1, { text: TEXT }, [NUMBER]);
  await site.edge.until(() => site.edge.states().void === 1);
  for (const phone of site.simulator.phones) phone.replug();
  await until(() => events.some(({ event }) => event === "draft_gone"), "the look");
  assert.deepEqual(drafts(), [changed]);
  assert.deepEqual(site.taps(), []);
});

Deno.test("a draft is cleared by the next agent, before its first delivery", async () => {
  const { site, until, drafts, commands, events } = await start((site) => void site.stop(), {
    phones: { devices: 1 },
  });
  await using _ = site;
  site.edge.queue(1, { text: TEXT }, [NUMBER]);
  await until(() => drafts().length === 1, "the draft");
  await site.stop();
  assert.deepEqual(drafts(), [TEXT]);
  commands.length = 0;
  site.start();
  await site.edge.until(() => site.edge.states().sent === 1);
  assert.equal(site.taps().length, 1);
  assert.deepEqual(drafts(), []);
  const cleared = events.findIndex(({ event }) => event === "draft_gone");
  const delivered = events.findLastIndex(({ event, fields }) =>
    event === "delivery" && fields.result === "sent"
  );
  assert.ok(cleared >= 0 && cleared < delivered);
});
