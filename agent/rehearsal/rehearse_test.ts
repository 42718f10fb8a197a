import assert from "node:assert/strict";
import { Journal } from "../journal/journal.ts";
import { parseRecording } from "../recordings/recording.ts";
import { replay } from "../recordings/replay.ts";
import { startTestPhone } from "../testing/test_phone.ts";
import { DRAMA_NUMBER } from "./drama_number.ts";
import { recorderOf } from "./keep_recording.ts";
import { NO_RECORDER, type Order, type Report, type Step } from "./rehearsal.ts";
import { type RehearsalParts, rehearse } from "./rehearse.ts";
import { parseScreenFile } from "../screens/screen_file.ts";
import { wordsFor } from "../screens/screen_words.ts";
import { SHIPPED_FILES, SHIPPED_WORDS } from "../screens/shipped_files.ts";
import { MOVED_IDS } from "../testing/moved_ids.ts";

const OWN = "+972501234567";
const DRY: Order = { device: "SIM0001", account: null, to: null, picture: null };
const UP_TO_THE_TAP = [
  "phone",
  "account",
  "fence",
  "chat",
  "draft",
  "again",
  "guard",
  "clear",
  "picture",
  "picture_again",
  "leave_picture",
  "home",
];

async function startRehearsal(...given: Parameters<typeof startTestPhone>) {
  const test = await startTestPhone(...given);
  const folder = await Deno.makeTempDir();
  const newId = () => crypto.randomUUID().replaceAll("-", "");
  const journal = new Journal(`${folder}/journal.db`, { now: () => test.clock.now(), newId });
  const steps: Step[] = [];
  const commands: string[] = [];
  const phone = {
    ...test.phone,
    run(command: string, options?: { timeoutMs?: number; signal?: AbortSignal }) {
      commands.push(command);
      return test.phone.run(command, options);
    },
  };
  return {
    ...test,
    journal,
    steps,
    commands,
    /** Reads the code and the digits from the page on the phone. */
    page(): string[] {
      const page = new TextDecoder().decode(
        test.inside.files.read("/sdcard/Download/shigur-identify.html")!.bytes,
      );
      return /">(\d{4})\n…(\d{4})<\/body>/.exec(page)!.slice(1);
    },
    rehearse(order: Partial<Order> = {}, changes: Partial<RehearsalParts> = {}, signal?: AbortSignal) {
      const parts: RehearsalParts = {
        phone,
        journal,
        clock: test.clock,
        newId,
        recorder: NO_RECORDER,
        onStep: (step) => steps.push(step),
        askCode: () => Promise.resolve(this.page()[0]!),
        isWanted: () => true,
        wordsOf: () => SHIPPED_WORDS,
        ...changes,
      };
      return rehearse(parts, { ...DRY, ...order }, signal ?? new AbortController().signal);
    },
    drafts: () => test.inside.accounts.flatMap(({ drafts }) => [...drafts.values()]),
    async [Symbol.asyncDispose]() {
      journal.close();
      await test[Symbol.asyncDispose]();
      await Deno.remove(folder, { recursive: true });
    },
  };
}

function verdicts({ steps }: Report): Record<string, string> {
  return Object.fromEntries(steps.map(({ name, verdict }) => [name, verdict]));
}

function sights({ steps }: Report): Record<string, string> {
  return Object.fromEntries(steps.map(({ name, seen }) => [name, seen]));
}

Deno.test("rehearse() takes every step up to the tap and not the tap, and leaves neither draft nor picture", async () => {
  await using test = await startRehearsal();
  const report = await test.rehearse();
  assert.equal(report.result, "passed", JSON.stringify(report.steps));
  assert.deepEqual(report.steps.map(({ name }) => name), UP_TO_THE_TAP);
  assert.deepEqual(test.steps, report.steps);
  assert.deepEqual(test.taps(), []);
  assert.deepEqual(test.drafts(), []);
  assert.equal(test.inside.screen.kind, "home");
  assert.equal(report.message, null);
  assert.equal(test.journal.trials.of("SIM0001"), "rehearsed");
  assert.ok(test.journal.trials.isSeen("com.whatsapp", test.inside.appVersion));
  assert.ok(!test.journal.trials.isSeen("com.whatsapp", "2.26"));
  assert.ok(!JSON.stringify(report).includes(DRAMA_NUMBER.slice(1)));
});

Deno.test("rehearse() says which steps a number hides that is not on the app, and does not count as passed", async () => {
  await using test = await startRehearsal();
  test.lies.numberNotOnApp = 1;
  const report = await test.rehearse();
  assert.equal(report.result, "partly");
  const { chat, draft, again, guard, picture } = verdicts(report);
  assert.deepEqual([chat, draft, again, guard, picture], ["ok", "not_seen", "not_seen", "ok", "not_seen"]);
  assert.equal(sights(report).chat, "number_not_on_app");
  assert.equal(test.journal.trials.of("SIM0001"), "none");
  assert.deepEqual(test.taps(), []);
});

Deno.test("rehearse() sends one real message after the code, proves it, and looks back", async () => {
  await using test = await startRehearsal();
  const report = await test.rehearse({ to: OWN });
  assert.equal(report.result, "passed", JSON.stringify(report.steps));
  assert.equal(report.message, "sent");
  const names = ["phone", "account", "confirm", ...UP_TO_THE_TAP.slice(2, -1)];
  assert.deepEqual(report.steps.map(({ name }) => name), [
    ...names,
    "intent",
    "tap",
    "proof",
    "look_back",
    "home",
  ]);
  assert.deepEqual(test.taps().map(({ phone, image }) => [phone, image]), [[OWN, null]]);
  assert.equal(test.journal.trials.of("SIM0001"), "proven");
  assert.equal(test.journal.count(), 0);
  assert.deepEqual(test.drafts(), []);
});

Deno.test("rehearse() sends its real message, text or picture, by the site's own screen file", async () => {
  const own = [parseScreenFile(MOVED_IDS)];
  for (const picture of [null, btoa("a picture")]) {
    await using test = await startRehearsal();
    test.inside.updateApps("2.26.1.5");
    const wordsOf: RehearsalParts["wordsOf"] = (facts) => wordsFor({ own, shipped: SHIPPED_FILES }, facts);
    const report = await test.rehearse({ to: OWN, picture }, { wordsOf });
    assert.equal(report.message, "sent", JSON.stringify(report.steps));
    assert.equal(report.result, "passed", JSON.stringify(report.steps));
    assert.deepEqual(test.taps().map(({ phone }) => phone), [OWN]);
    assert.deepEqual(test.drafts(), []);
  }
});

Deno.test("rehearse() sends the person's own picture as the one real message", async () => {
  await using test = await startRehearsal();
  const report = await test.rehearse({ to: OWN, picture: btoa("a picture") });
  assert.equal(report.message, "sent", JSON.stringify(report.steps));
  assert.deepEqual(test.taps().map(({ phone, image }) => [phone, image !== null]), [[OWN, true]]);
});

Deno.test("rehearse() keeps the whole as one recording without the number or the text, which replays", async () => {
  await using test = await startRehearsal();
  const agentDir = await Deno.makeTempDir();
  const { clock } = test;
  const newId = () => crypto.randomUUID().replaceAll("-", "");
  for (const to of [null, OWN]) {
    const recorder = recorderOf({ to }, { agentDir, clock, newId, onLost: assert.fail });
    const report = await test.rehearse({ to }, { recorder });
    const text = await Deno.readTextFile(report.recording!);
    assert.doesNotMatch(text, /7700 ?900123|50-?123-?4567|חזרה של שיגור|בדיקת שיגור/);
    const recording = parseRecording(text);
    assert.equal(recording.facts.appVersion, report.appVersion);
    assert.equal(recording.facts.language, "he");
    assert.deepEqual((await replay(recording)).wrongTaps, []);
  }
  await Deno.remove(agentDir, { recursive: true });
});

Deno.test("rehearse() shows the number's last digits beside the code, and a wrong code opens no chat", async () => {
  await using test = await startRehearsal();
  const pages: string[][] = [];
  const askCode = () => {
    const [code, digits] = test.page();
    pages.push([code!, digits!]);
    return Promise.resolve(code === "0000" ? "0001" : "0000");
  };
  const report = await test.rehearse({ to: OWN }, { askCode });
  assert.equal(report.result, "unconfirmed");
  assert.equal(sights(report).confirm, "code_wrong");
  assert.deepEqual(pages.map(([, digits]) => digits), ["4567", "4567", "4567"]);
  assert.equal(verdicts(report).chat, "not_done");
  assert.equal(test.inside.accounts[0]!.chats.length, 0);
  assert.ok(!test.commands.some((command) => command.includes("wa.me")));
  assert.deepEqual(test.taps(), []);
});

Deno.test("rehearse() shows the code again when nothing was typed, and gives up when the person is gone", async () => {
  await using test = await startRehearsal();
  const answers = ["", null];
  const report = await test.rehearse({ to: OWN }, { askCode: () => Promise.resolve(answers.shift()!) });
  assert.equal(report.result, "unconfirmed");
  assert.equal(sights(report).confirm, "code_missing");
  assert.deepEqual(answers, []);
});

Deno.test("rehearse() taps nothing once the person is gone, at whatever moment that is", async () => {
  await using counting = await startRehearsal();
  let asked = 0;
  await counting.rehearse({ to: OWN }, { isWanted: () => ++asked > 0 });
  assert.equal(counting.taps().length, 1);
  // The last questions are asked about the tap itself.
  const moments = [1, Math.floor(asked / 2), ...Array.from({ length: 6 }, (_, index) => asked - index)];
  for (const leaves of moments) {
    await using test = await startRehearsal();
    let count = 0;
    const report = await test.rehearse({ to: OWN }, { isWanted: () => ++count < leaves });
    const isTapped = report.steps.some(({ name, verdict }) => name === "intent" && verdict === "ok");
    assert.equal(test.taps().length, isTapped ? 1 : 0, `left at ${leaves}: ${JSON.stringify(report.steps)}`);
    assert.deepEqual(test.drafts(), [], `left at ${leaves}`);
    assert.equal(test.journal.count(), 0);
  }
});

Deno.test("rehearse() writes unknown when the tap proves nothing, and never taps again", async () => {
  await using test = await startRehearsal();
  Object.defineProperty(test.lies, "tapIgnored", {
    get: () => test.journal.countByState().tapping === 1 ? 1 : 0,
  });
  const report = await test.rehearse({ to: OWN });
  assert.equal(report.result, "failed");
  assert.equal(report.message, "not_sent");
  assert.deepEqual(test.taps(), []);
  assert.notEqual(test.journal.trials.of("SIM0001"), "proven");
});

Deno.test("rehearse() names what it saw instead: a chat with a name, a lost account, a phone that is away", async () => {
  for (
    const [lie, step, seen] of [
      ["nameTitle", "chat", "chat_titled_by_name"],
      ["banned", "chat", "account_banned"],
      ["draftLost", "draft", "draft_mismatch"],
      ["captionLost", "picture", "caption_not_shown"],
    ] as const
  ) {
    await using test = await startRehearsal();
    test.lies[lie] = 1;
    const report = await test.rehearse();
    assert.equal(report.result, "failed", lie);
    assert.equal(sights(report)[step], seen, JSON.stringify(report.steps));
    assert.equal(test.journal.trials.of("SIM0001"), "none");
    assert.deepEqual(test.taps(), []);
  }
  await using away = await startRehearsal();
  away.inside.unplug();
  const report = await away.rehearse();
  assert.equal(sights(report).phone, "phone_lost");
  assert.deepEqual(new Set(report.steps.slice(1).map(({ verdict }) => verdict)), new Set(["not_done"]));
});

Deno.test("rehearse() sends at most three real messages a day from one phone", async () => {
  await using test = await startRehearsal();
  for (let no = 0; no < 4; no++) {
    const report = await test.rehearse({ to: OWN });
    assert.equal(report.message, no < 3 ? "sent" : null, JSON.stringify(report.steps));
  }
  assert.equal(test.taps().length, 3);
});
