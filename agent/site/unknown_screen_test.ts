/** A screen that no file knows: the account stops before any tap, says so, and works again when the screen is known. */
import assert from "node:assert/strict";
import { parseRecording } from "../recordings/recording.ts";
import { replay } from "../recordings/replay.ts";
import { siteReplay } from "../recordings/replay_site.ts";
import { wordsFor } from "../screens/screen_words.ts";
import { SHIPPED_FILES } from "../screens/shipped_files.ts";
import { addScreenFile } from "../screens/keep_file.ts";
import { MOVED_IDS } from "../testing/moved_ids.ts";
import { numbers, startTestSite, type TestSiteOptions } from "../testing/site.ts";

type Fields = Record<string, unknown>;
type TestSite = Awaited<ReturnType<typeof startTestSite>>;

const NO_RECORDINGS = () => Promise.resolve([]);
const TEXT = "שלום";
/** A quarter of an hour. */
const MOST_WAITS = 1_800;

const NEWS = JSON.stringify({
  name: "news-he",
  language: "he",
  appVersions: null,
  dialogs: {
    in_the_way: {
      source: "a dialog that the simulator shows",
      seen: false,
      phrases: ["לסדר צ׳אטים בתיקיות"],
    },
  },
});

async function start(options: TestSiteOptions = {}) {
  const events: { event: string; fields: Fields }[] = [];
  const commands: string[] = [];
  const site = await startTestSite({
    ...options,
    phones: { devices: 1, traits: () => ({ language: "he", confirmsShare: false }), ...options.phones },
    log: (_level, event, fields = {}) => void events.push({ event, fields }),
    adb: (adb) => ({
      ...adb,
      shell(serial, command, given) {
        commands.push(command);
        return adb.shell(serial, command, given);
      },
    }),
  });
  const until = async (event: string) => {
    for (let waits = 0; !events.some((one) => one.event === event); waits++) {
      assert.ok(waits < MOST_WAITS, `${event} did not come`);
      await site.clock.sleep(500);
    }
    return events.find((one) => one.event === event)!.fields;
  };
  /** Commands that touch a screen. Opening a chat is no touch. */
  const touches = () => commands.filter((command) => /input (tap|keyevent (?!224))|force-stop/.test(command));
  /** Commands that open a chat. */
  const openings = () => commands.filter((command) => command.includes("https://wa.me/"));
  return { site, events, until, touches, openings };
}

function noticeIn({ edge }: TestSite) {
  const inventory = edge.received.findLast((frame) => frame.type === "inventory");
  return inventory?.accounts[0];
}

Deno.test("an app whose ids moved overnight stops its account without a tap, and a screen file mends it", async () => {
  const { site, until, touches } = await start();
  await using _ = site;
  site.simulator.phones[0]!.updateApps("2.26.1.5");
  site.edge.queue(1, { text: TEXT }, numbers(3));
  const { fingerprint, kind, ids, window } = await until("unknown_screen");
  assert.match(String(fingerprint), /^[0-9a-f]{24}$/);
  assert.deepEqual([kind, window], ["screen", "com.whatsapp.Conversation"]);
  assert.match(String(ids), /\bentry_n\b/);
  await site.edge.until(() => Boolean(noticeIn(site)?.unknownScreen));
  const { state, unknownScreen } = noticeIn(site)!;
  assert.deepEqual([state, unknownScreen?.fingerprint], ["unreachable", fingerprint]);
  await site.clock.sleep(60_000);
  assert.deepEqual([touches(), site.taps()], [[], []]);
  assert.equal(site.edge.states().sent, undefined);

  const file = String((await until("screen_recorded")).file);
  const recorded = await Deno.readTextFile(file);
  for (const words of [TEXT, ...numbers(3).map((number) => number.slice(-9))]) {
    assert.ok(!recorded.includes(words), words);
  }
  const recording = parseRecording(recorded);
  assert.deepEqual(recording.verdict, { kind: "unknown_screen" });
  assert.deepEqual((await replay(recording)).verdict, { kind: "unknown_screen" });

  const present = wordsFor({ own: [], shipped: SHIPPED_FILES }, recording.facts);
  await addScreenFile(site.agentDir, MOVED_IDS, siteReplay(site.agentDir, () => present));
  await site.edge.until(() => site.edge.states().sent === 3);
  assert.deepEqual(site.taps().map(({ text }) => text), [TEXT, TEXT, TEXT]);
});

Deno.test("an account that stands stopped gives back unopened what is leased to it, while its phone's other one works", async () => {
  const account = (app: string) => ({ app, user: 0, firstInstalledAt: 0 });
  const accounts = ["com.whatsapp", "com.whatsapp.w4b"].map(account);
  const { site, until, openings } = await start({
    phones: { traits: () => ({ language: "he", confirmsShare: false, accounts }) },
  });
  await using _ = site;
  site.simulator.phones[0]!.updateApps("2.26.1.5");
  site.edge.queue(1, { text: TEXT }, numbers(3));
  assert.equal((await until("unknown_screen")).account, "SIM0001/com.whatsapp/0");
  const before = openings().length;
  // This edge leases to the first account of a phone, whatever it is told of it.
  const leases = () => site.edge.received.filter(({ type }) => type === "leaseAck").length;
  const known = leases();
  await site.edge.until(() => leases() >= known + 3);
  await site.clock.sleep(10_000);
  assert.equal(openings().length, before);
  const reports = [...site.edge.deliveries.values()].flatMap(({ reports }) => reports);
  assert.deepEqual(
    new Set(reports.map(({ outcome, temporary }) => `${outcome} ${temporary}`)),
    new Set(["void false"]),
  );
  assert.deepEqual(site.taps(), []);
});

Deno.test("a dialog with new words is not touched before the tap; a file that knows them lets it be closed", async () => {
  const { site, until, touches } = await start({ phones: { lies: { newDialog: 1 } } });
  await using _ = site;
  site.edge.queue(1, { text: TEXT }, numbers(1));
  const { kind } = await until("unknown_screen");
  assert.equal(kind, "dialog");
  await site.clock.sleep(60_000);
  assert.deepEqual([touches(), site.taps()], [[], []], "the person who comes finds it");
  site.simulator.phones[0]!.context.liar.lies = () => false;

  await addScreenFile(site.agentDir, NEWS, NO_RECORDINGS);
  await until("screen_known");
  await site.edge.until(() => site.edge.states().sent === 1);
  assert.equal(site.taps().length, 1);
});

Deno.test("a file that does not know the screen starts nothing, and a person's start tries once more", async () => {
  const { site, events, until } = await start();
  await using _ = site;
  site.simulator.phones[0]!.updateApps("2.26.1.5");
  site.edge.queue(1, { text: TEXT }, numbers(1));
  await until("unknown_screen");
  await addScreenFile(site.agentDir, NEWS, NO_RECORDINGS);
  await until("screens_changed");
  await site.clock.sleep(60_000);
  const found = () => events.filter(({ event }) => event === "unknown_screen").length;
  assert.equal(found(), 1);
  site.edge.send({ type: "command", id: 1, kind: "start", device: "SIM0001" });
  while (found() < 2) await site.clock.sleep(500);
  assert.deepEqual(site.taps(), []);
});

Deno.test("rows whose ids moved stop the account after one message without a proof", async () => {
  const { site, until } = await start();
  await using _ = site;
  const words = JSON.parse(MOVED_IDS);
  delete words.ids[0].names.row;
  delete words.ids[0].names.rowStatus;
  await addScreenFile(site.agentDir, JSON.stringify(words), NO_RECORDINGS);
  await until("screens_changed");
  site.simulator.phones[0]!.updateApps("2.26.1.5");
  site.edge.queue(1, { text: TEXT }, numbers(3));
  // The delivery reads the new version before it types anything, so its file counts.
  assert.equal((await until("unknown_screen")).kind, "row");
  await site.clock.sleep(120_000);
  assert.equal(site.taps().length, 1);
  assert.deepEqual(site.edge.states(), { unknown: 1, queued: 2 });
});

/** Starts a site whose app is updated right after the first tap, before its proof. */
async function startUpdatedAtTap() {
  const started = await start();
  const { send } = started.site.simulator.phones[0]!;
  const phone = started.site.simulator.phones[0]!;
  phone.send = () => {
    send.call(phone);
    phone.send = send;
    phone.updateApps("2.26.1.5");
  };
  started.site.edge.queue(1, { text: TEXT }, numbers(3));
  return started;
}

Deno.test("a tap whose proof an update hid is looked at again when the screens are known, and was one tap", async () => {
  const { site, until } = await startUpdatedAtTap();
  await using _ = site;
  await until("unknown_screen");
  await site.clock.sleep(120_000);
  assert.deepEqual(site.edge.states().unknown, undefined);
  assert.equal(site.taps().length, 1);
  await addScreenFile(site.agentDir, MOVED_IDS, NO_RECORDINGS);
  await site.edge.until(() => site.edge.states().sent === 3);
  assert.equal(site.taps().length, 3);
  assert.equal(new Set(site.taps().map(({ phone }) => phone)).size, 3);
});

Deno.test("a tap whose proof an update hid is unknown after five minutes in which nobody knew the screens", async () => {
  const { site, until } = await startUpdatedAtTap();
  await using _ = site;
  await until("unknown_screen");
  await site.edge.until(() => site.edge.states().unknown === 1);
  assert.equal(site.taps().length, 1);
  assert.equal(site.edge.states().sent, undefined);
});

Deno.test("a damaged screen file is named and ignored, and the site sends", async () => {
  const { site, events, until } = await start();
  await using _ = site;
  Deno.mkdirSync(`${site.agentDir}/screens`, { recursive: true });
  Deno.writeTextFileSync(`${site.agentDir}/screens/broken.json`, `{"name": "broken",`);
  const { file, why } = await until("screens_file_ignored");
  assert.deepEqual([file, why], ["broken.json", "it is not JSON"]);
  site.edge.queue(1, { text: TEXT }, numbers(1));
  await site.edge.until(() => site.edge.states().sent === 1);
  assert.equal(events.some(({ event }) => event === "unknown_screen"), false);
});

Deno.test("an edge that does not know of screens gets no notice, and no work for the account", async () => {
  const { site, until } = await start({ edge: { can: { features: ["leases_with_reports"] } } });
  await using _ = site;
  site.simulator.phones[0]!.updateApps("2.26.1.5");
  site.edge.queue(1, { text: TEXT }, numbers(1));
  await until("unknown_screen");
  await site.edge.until(() => noticeIn(site)?.state === "unreachable");
  assert.equal("unknownScreen" in noticeIn(site)!, false);
});
