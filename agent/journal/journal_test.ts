import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { DatabaseSync } from "node:sqlite";
import { ARCHIVE_MS } from "shared/lease.ts";
import { Journal, type LeaseFrame } from "./journal.ts";
import { JournalLockedError, openJournalFile } from "./journal_file.ts";
import { tempFolder } from "../testing/temp_folder.ts";

const PHONE = "+972501234567";
const OTHER = "+972501234568";
const TOKEN = "a".repeat(32);
const NOW = Date.UTC(2026, 0, 1);
const DRAFT = { account: "SIM0001/com.whatsapp/0", phone: PHONE, text: "text", isPicture: false };

Deno.test("Journal keeps rows, its id and its counter when it is opened again (rule 14)", async () => {
  const path = await tempPath();
  const first = open(path);
  first.helloAnswered();
  first.addLease(lease(TOKEN, [PHONE]));
  const tap = { bootId: "b", deadlineUptime: 7, rowsBefore: ["x"] };
  first.move(TOKEN, PHONE, "leased", { to: "tapping", reason: null, temporary: false, tap, tappedAt: 5 });
  const { id, counter } = first;
  first.close();
  const second = open(path);
  assert.equal(second.id, id);
  assert.equal(second.counterAtOpen, counter);
  const row = second.get(TOKEN, PHONE);
  assert.equal(row?.state, "tapping");
  assert.deepEqual(row?.tap, tap);
  assert.equal(second.lastTapAt("SIM0001"), 5);
  second.close();
});

Deno.test("Journal raises its counter with every write after an answered hello, and with nothing else (rule 14)", async () => {
  const journal = open(await tempPath());
  assert.equal(journal.counter, 0);
  journal.helloAnswered();
  journal.helloAnswered();
  assert.equal(journal.counter, 1, "that the edge has compared is a write");
  journal.addLease(lease(TOKEN, [PHONE]));
  assert.equal(journal.counter, 2);
  journal.addLease(lease(TOKEN, [PHONE]));
  journal.move(TOKEN, PHONE, "tapping", { to: "sent", reason: null, temporary: false });
  journal.get(TOKEN, PHONE);
  assert.equal(journal.counter, 2);
  journal.move(TOKEN, PHONE, "leased", { to: "void", reason: "recalled", temporary: false });
  assert.equal(journal.counter, 3);
  journal.close();
});

Deno.test("Journal of a restored copy does not raise its counter before the edge answers (rule 14)", async () => {
  const path = await tempPath();
  const first = open(path);
  first.helloAnswered();
  first.addLease(lease(TOKEN, [PHONE, OTHER]));
  first.close();
  await Deno.copyFile(path, `${path}.copy`);
  const answered = open(path);
  answered.helloAnswered();
  const { counter } = answered;
  answered.close();
  await Deno.copyFile(`${path}.copy`, path);
  for (const phone of [PHONE, OTHER]) {
    const restored = open(path);
    assert.ok(
      restored.move(TOKEN, phone, "leased", { to: "void", reason: "agent_restarted", temporary: false }),
    );
    restored.close();
  }
  const last = open(path);
  assert.ok(last.counterAtOpen < counter, "the edge still sees that this journal went backwards");
  assert.equal(last.get(TOKEN, PHONE)?.state, "void", "and what was written is kept");
  last.close();
});

Deno.test("move() moves a row only from the given state", async () => {
  const journal = open(await tempPath());
  journal.addLease(lease(TOKEN, [PHONE]));
  const toVoid = { to: "void", reason: "recalled", temporary: false } as const;
  assert.equal(journal.move(TOKEN, PHONE, "leased", toVoid), true);
  assert.equal(journal.move(TOKEN, PHONE, "leased", { ...toVoid, to: "tapping" }), false);
  assert.equal(journal.get(TOKEN, PHONE)?.state, "void");
  journal.close();
});

Deno.test("forget() keeps an outcome for 30 days after its row is gone", async () => {
  let now = NOW;
  const journal = new Journal(await tempPath(), { now: () => now, newId: () => "1".repeat(32) });
  journal.addLease(lease(TOKEN, [PHONE, OTHER]));
  journal.move(TOKEN, PHONE, "leased", { to: "failed", reason: "not_on_app", temporary: false });
  journal.forget([{ token: TOKEN, phone: PHONE, state: "failed" }]);
  assert.equal(journal.get(TOKEN, PHONE), null);
  assert.equal(journal.get(TOKEN, OTHER)?.text, "שלום", "the token's text is kept for its other row");
  assert.deepEqual([...journal.outcomes()].map(({ phone, outcome }) => [phone, outcome]), [[
    PHONE,
    "failed",
  ]]);
  now += 31 * 86_400_000;
  journal.pruneArchive(now);
  assert.deepEqual([...journal.outcomes()], []);
  journal.close();
});

Deno.test("Journal keeps each row's own text until the row is forgotten, and in no other place", async () => {
  const path = await tempPath();
  const first = open(path);
  first.addLease(lease(TOKEN, [PHONE, OTHER], (phone) => `שלום ${phone}`));
  first.move(TOKEN, PHONE, "leased", { to: "sent", reason: null, temporary: false });
  first.close();
  const second = open(path);
  assert.deepEqual(second.rows(["leased", "sent"]).map(({ phone, text }) => [phone, text]), [
    [PHONE, `שלום ${PHONE}`],
    [OTHER, `שלום ${OTHER}`],
  ]);
  second.forget([{ token: TOKEN, phone: PHONE, state: "sent" }]);
  assert.equal(second.get(TOKEN, OTHER)?.text, `שלום ${OTHER}`);
  second.erase((phone) => phone === PHONE);
  second.close();
  const bytes = await Deno.readFile(path);
  const holds = (text: string) => new TextDecoder("latin1").decode(bytes).includes(latin(text));
  assert.ok(!holds(`שלום ${PHONE}`), "the archive has the number's outcome, never its text");
  assert.ok(holds(`שלום ${OTHER}`));
});

Deno.test("Journal gives an agent of an earlier release a text that no draft equals", async () => {
  const path = await tempPath();
  const journal = open(path);
  journal.addLease(lease(TOKEN, [PHONE], () => "שלום נועה"));
  journal.close();
  const db = new DatabaseSync(path);
  const { text } = db.prepare("SELECT text FROM messages").get()!;
  db.close();
  assert.ok(text !== "" && !String(text).includes("שלום"));
});

Deno.test("Journal syncs the disk with every write, so that a power loss loses none", async () => {
  // Killing a process would not test this: the system still writes the data that it holds.
  const db = openJournalFile(await tempPath(), "1".repeat(32));
  const read = (name: string) => db.prepare(`PRAGMA ${name}`).get()?.[name];
  // sqlite.org/pragma.html#pragma_synchronous: 2 = FULL, in a write-ahead log a sync after each commit.
  assert.deepEqual([read("journal_mode"), read("synchronous")], ["wal", 2]);
  db.close();
});

Deno.test("pruneArchive() keeps an outcome to the end of its 30 days: a restored database asks for all of them (rule 17)", async () => {
  let now = NOW;
  const journal = new Journal(await tempPath(), { now: () => now, newId: () => "1".repeat(32) });
  journal.addLease(lease(TOKEN, [PHONE]));
  journal.move(TOKEN, PHONE, "leased", { to: "failed", reason: "not_on_app", temporary: false });
  journal.forget([{ token: TOKEN, phone: PHONE, state: "failed" }]);
  journal.pruneArchive(now + ARCHIVE_MS + 1);
  for (const [passedMs, edgeBehindMs, kept] of [[ARCHIVE_MS, 0, 1], [1, 1, 1], [0, 0, 0]] as const) {
    now += passedMs;
    journal.pruneArchive(now - edgeBehindMs);
    assert.equal([...journal.outcomes()].length, kept);
  }
  journal.close();
});

Deno.test("outcomes() returns archived, unreported and tapping rows, with the time of each tap (rule 17)", async () => {
  const journal = open(await tempPath());
  const states = ["leased", "tapping", "sent", "unknown", "void"] as const;
  const phones = states.map((_, no) => `+97250123456${no}`);
  journal.addLease(lease(TOKEN, phones));
  for (const [no, to] of states.entries()) {
    const phone = phones[no]!;
    if (to === "leased") continue;
    if (to === "void") {
      journal.move(TOKEN, phone, "leased", { to, reason: "recalled", temporary: false });
      continue;
    }
    journal.move(TOKEN, phone, "leased", {
      to: "tapping",
      reason: null,
      temporary: false,
      tappedAt: NOW - 10 + no,
    });
    if (to !== "tapping") journal.move(TOKEN, phone, "tapping", { to, reason: null, temporary: false });
  }
  const reported = () =>
    [...journal.outcomes()].map(({ phone, outcome, at }) => [phones.indexOf(phone), outcome, at - NOW]);
  const expected = [[1, "tapping", -9], [2, "sent", -8], [3, "unknown", -7], [4, "void", 0]];
  assert.deepEqual(reported(), expected);
  journal.forget([{ token: TOKEN, phone: phones[2]!, state: "sent" }]);
  assert.deepEqual(reported(), expected, "and the same once it was reported");
  journal.close();
});

Deno.test("outcomes() returns taps in the edge's time, whatever the machine's clock shows since (rule 17)", async () => {
  const journal = open(await tempPath());
  const phones = [0, 1, 2].map((no) => `+97250123456${no}`);
  journal.addLease(lease(TOKEN, phones));
  const tapping = { to: "tapping", reason: null, temporary: false, tappedAt: NOW } as const;
  // The edge's time is not known yet.
  journal.move(TOKEN, phones[0]!, "leased", tapping);
  let edgeNow = NOW + 86_400_000;
  journal.edgeNow = () => edgeNow;
  journal.move(TOKEN, phones[1]!, "leased", tapping);
  edgeNow = NOW + 5;
  journal.move(TOKEN, phones[1]!, "tapping", { to: "sent", reason: null, temporary: false });
  journal.move(TOKEN, phones[2]!, "leased", { to: "void", reason: "recalled", temporary: false });
  const reported = () =>
    [...journal.outcomes()].map(({ phone, edgeAt }) => [phones.indexOf(phone), edgeAt]).sort();
  const expected = [[0, undefined], [1, NOW + 86_400_000], [2, NOW + 5]];
  assert.deepEqual(reported(), expected);
  journal.forget([{ token: TOKEN, phone: phones[1]!, state: "sent" }]);
  assert.deepEqual(reported(), expected, "and the same once it was reported");
  journal.close();
});

Deno.test("Journal of an earlier release opens, and returns its outcomes without the edge's time (rule 17)", async () => {
  const path = await tempPath();
  open(path).close();
  const before = new DatabaseSync(path);
  before.exec(`ALTER TABLE archive DROP COLUMN edge_at; ALTER TABLE deliveries DROP COLUMN edge_at;
    INSERT INTO archive VALUES (1, '${PHONE}', '${TOKEN}', 1, 'sent', 'SIM0001/com.whatsapp/0', ${NOW})`);
  before.close();
  const journal = open(path);
  assert.deepEqual([...journal.outcomes()].map(({ at, edgeAt }) => [at, edgeAt]), [[NOW, undefined]]);
  journal.close();
});

Deno.test("Journal of an earlier release opens, and keeps drafts from then on", async () => {
  const path = await tempPath();
  open(path).close();
  const before = new DatabaseSync(path);
  before.exec("DROP TABLE drafts");
  before.close();
  const journal = open(path);
  assert.deepEqual(journal.drafts.of("SIM0001"), []);
  journal.drafts.begins(DRAFT);
  assert.deepEqual(journal.drafts.of("SIM0001"), [{ ...DRAFT, isDeleting: false, at: NOW }]);
  journal.close();
});

Deno.test("Journal keeps a draft until its chat was read without it or the send is proven, and over a restart", async () => {
  const path = await tempPath();
  const first = open(path);
  first.helloAnswered();
  first.addLease(lease(TOKEN, [PHONE, OTHER]));
  const { counter } = first;
  first.drafts.begins(DRAFT);
  first.drafts.begins({ ...DRAFT, text: "of before" });
  first.drafts.begins({ ...DRAFT, phone: OTHER });
  assert.equal(first.counter, counter, "it counts deliveries only");
  first.close();
  const second = open(path);
  assert.equal(second.drafts.of("SIM0001").length, 3);
  assert.deepEqual(second.drafts.of("SIM000"), []);
  second.move(TOKEN, OTHER, "leased", { to: "void", reason: "recalled", temporary: false });
  second.forget([{ token: TOKEN, phone: OTHER, state: "void" }]);
  assert.equal(second.drafts.of("SIM0001").length, 3);
  second.move(TOKEN, PHONE, "leased", { to: "tapping", reason: null, temporary: false, tappedAt: 5 });
  second.move(TOKEN, PHONE, "tapping", { to: "sent", reason: null, temporary: false });
  assert.deepEqual(second.drafts.of("SIM0001").map(({ phone }) => phone), [OTHER]);
  second.drafts.gone(DRAFT.account, OTHER);
  assert.deepEqual(second.drafts.of("SIM0001"), []);
  second.close();
});

Deno.test("Journal knows after a restart whose deletion had begun, also of a draft that was typed again", async () => {
  const path = await tempPath();
  const first = open(path);
  first.drafts.begins(DRAFT);
  first.drafts.begins({ ...DRAFT, text: "another" });
  first.close();
  const before = new DatabaseSync(path);
  before.exec("ALTER TABLE drafts DROP COLUMN deleting");
  before.close();
  const second = open(path);
  second.drafts.deleting(DRAFT.account, DRAFT.phone, DRAFT.text);
  second.drafts.begins(DRAFT);
  second.close();
  const third = open(path);
  const found = third.drafts.of("SIM0001").map(({ text, isDeleting }) => [text, isDeleting]);
  assert.deepEqual(found.toSorted(), [["another", false], ["text", true]]);
  third.close();
});

Deno.test("Journal keeps a chat's text draft when a picture to it is proven, and forgets that picture's caption", async () => {
  const journal = open(await tempPath());
  journal.addLease({ ...lease(TOKEN, [PHONE]), image: "b".repeat(64) });
  journal.drafts.begins({ ...DRAFT, text: "שלום", isPicture: true });
  journal.drafts.begins(DRAFT);
  journal.move(TOKEN, PHONE, "leased", { to: "tapping", reason: null, temporary: false, tappedAt: 5 });
  journal.move(TOKEN, PHONE, "tapping", { to: "sent", reason: null, temporary: false });
  assert.deepEqual(journal.drafts.of("SIM0001").map(({ isPicture }) => isPicture), [false]);
  journal.close();
});

Deno.test("Journal forgets drafts with their number, a day after they were typed, and after thirty days by itself", async () => {
  const path = await tempPath();
  let now = NOW;
  const journal = new Journal(path, { now: () => now, newId: () => "id" });
  journal.drafts.begins({ ...DRAFT, text: "נוסח שנשאר בצ'אט" });
  journal.drafts.begins({ ...DRAFT, phone: OTHER });
  assert.equal(journal.erase((phone) => phone === PHONE), null, "somebody may still clear it");
  now += 24 * 60 * 60_000;
  assert.equal(journal.erase((phone) => phone === PHONE), 1);
  assert.deepEqual(journal.drafts.of("SIM0001").map(({ phone }) => phone), [OTHER]);
  const bytes = await Deno.readFile(path);
  for (const words of [PHONE, "נוסח שנשאר"]) {
    assert.ok(!Buffer.from(bytes).includes(words), words);
  }
  now += ARCHIVE_MS + 1;
  journal.pruneArchive(now);
  assert.deepEqual(journal.drafts.of("SIM0001"), []);
  journal.close();
});

Deno.test("Journal knows after a restart which phones a person stopped, and when each device last tapped", async () => {
  const path = await tempPath();
  const first = open(path);
  for (const device of ["SIM0001", "SIM0002"]) first.setStopped(device, true);
  first.setStopped("SIM0002", false);
  first.addLease(lease(TOKEN, [PHONE, OTHER]));
  for (const [phone, tappedAt] of [[PHONE, 5], [OTHER, 9]] as const) {
    first.move(TOKEN, phone, "leased", { to: "tapping", reason: null, temporary: false, tappedAt });
  }
  first.close();
  const second = open(path);
  assert.deepEqual(["SIM0001", "SIM0002"].map((device) => second.isStopped(device)), [true, false]);
  assert.equal(second.lastTapAt("SIM0001"), 9);
  second.close();
});

Deno.test("hasWrittenTo() finds numbers that a campaign reached, but not those of a trial by hand", async () => {
  const journal = open(await tempPath());
  for (const [token, phone, campaign] of [[TOKEN, PHONE, 0], ["b".repeat(32), OTHER, 3]] as const) {
    journal.addLease({ ...lease(token, [phone]), campaign });
    journal.move(token, phone, "leased", { to: "sent", reason: null, temporary: false });
    assert.equal(journal.hasWrittenTo(phone), campaign > 0);
    journal.forget([{ token, phone, state: "sent" }]);
    assert.equal(journal.hasWrittenTo(phone), campaign > 0, "and from the archive");
  }
  journal.close();
});

Deno.test("pruneArchive() keeps a reply until the edge has it, however long that takes", async () => {
  let now = NOW;
  const journal = new Journal(await tempPath(), { now: () => now, newId: () => "1".repeat(32) });
  const id = "c".repeat(32);
  const account = "SIM0001/com.whatsapp/0";
  journal.addReplies([{ id, phone: PHONE, account, decision: "remove", excerpt: "הסר", at: NOW }]);
  now += ARCHIVE_MS + 1;
  journal.pruneArchive(now);
  assert.deepEqual(journal.unsentReplies(9).map((reply) => reply.id), [id]);
  journal.repliesAcknowledged([id]);
  journal.pruneArchive(now);
  assert.equal(journal.knowsReply(id), false);
  journal.close();
});

Deno.test("forget() keeps a row that has left the given state", async () => {
  const journal = open(await tempPath());
  journal.addLease(lease(TOKEN, [PHONE]));
  journal.move(TOKEN, PHONE, "leased", { to: "void", reason: "recalled", temporary: false });
  journal.forget([{ token: TOKEN, phone: PHONE, state: "leased" }]);
  assert.equal(journal.get(TOKEN, PHONE)?.state, "void");
  journal.close();
});

Deno.test("forget() deletes a token's text with its last row", async () => {
  const path = await tempPath();
  const journal = open(path);
  journal.addLease(lease(TOKEN, [PHONE, OTHER]));
  journal.forget([{ token: TOKEN, phone: PHONE, state: "leased" }]);
  assert.equal(journal.addLease(lease(TOKEN, [PHONE])), false, "the token is still known");
  journal.forget([{ token: TOKEN, phone: OTHER, state: "leased" }]);
  journal.close();
  const db = new DatabaseSync(path);
  assert.equal(db.prepare("SELECT count(*) AS n FROM messages").get()?.n, 0);
  db.close();
});

Deno.test("Journal refuses to be opened by two agents", async () => {
  const path = await tempPath();
  const journal = open(path);
  assert.throws(() => open(path), JournalLockedError);
  journal.close();
  open(path).close();
});

Deno.test("Journal keeps every confirmed write when its process is killed", async () => {
  const path = await tempPath();
  for (const killAfter of [3, 40]) {
    const script = new URL("../testing/journal_writer.ts", import.meta.url).pathname;
    await Deno.remove(path).catch(() => {});
    await Deno.remove(`${path}-wal`).catch(() => {});
    const child = new Deno.Command(Deno.execPath(), {
      args: ["run", "-q", "-A", script, path],
      stdout: "piped",
    }).spawn();
    let output = "";
    let isKilled = false;
    for await (const text of child.stdout.pipeThrough(new TextDecoderStream())) {
      output += text;
      if (isKilled || output.split("\n").length <= killAfter) continue;
      child.kill("SIGKILL");
      isKilled = true;
    }
    await child.status;
    const lines = output.split("\n").slice(0, -1);
    const journal = open(path);
    for (const line of lines) {
      const [token = ""] = line.split(" ");
      assert.equal(journal.get(token, PHONE)?.state, "tapping");
    }
    assert.ok(journal.counterAtOpen >= Number(lines.at(-1)?.split(" ")[1]));
    journal.close();
  }
});

const markOf = (event: number, generation = "g") => ({ generation, event, hmac: "0".repeat(64) });

Deno.test("Journal writes the edge database's mark with the next write, without counting it (rule 19)", async () => {
  const path = await tempPath();
  const first = open(path);
  first.helloAnswered();
  first.noteDatabaseMark(markOf(7));
  assert.deepEqual(first.databaseMark, markOf(7));
  first.addLease(lease(TOKEN, [PHONE]));
  assert.equal(first.counter, 2, "as it would be without the mark");
  first.noteDatabaseMark(markOf(9));
  first.close();
  const second = open(path);
  assert.deepEqual(second.databaseMark, markOf(7), "nothing followed the other one");
  second.close();
});

Deno.test("Journal keeps the newest mark of a generation, and that of a new one in its place (rule 19)", async () => {
  const journal = open(await tempPath());
  assert.equal(journal.databaseMark, null);
  for (const event of [7, 5, 7]) journal.noteDatabaseMark(markOf(event));
  journal.noteDatabaseMark(undefined);
  assert.deepEqual(journal.databaseMark, markOf(7));
  journal.noteDatabaseMark(markOf(3, "next"));
  assert.deepEqual(journal.databaseMark, markOf(3, "next"));
  journal.close();
});

Deno.test("Journal has the mark of a new generation on disk, and nothing of the previous one (rule 19)", async () => {
  const path = await tempPath();
  const first = open(path);
  first.noteDatabaseMark(markOf(7));
  first.addLease(lease(TOKEN, [PHONE]));
  const next = { generation: "next", event: 3, hmac: "1".repeat(64) };
  first.noteDatabaseMark(next);
  first.move(TOKEN, PHONE, "leased", { to: "void", reason: "recalled", temporary: false });
  first.close();
  const second = open(path);
  assert.deepEqual(second.databaseMark, next);
  second.close();
});

function lease(token: string, phones: string[], textFor?: (phone: string) => string): LeaseFrame {
  const items = phones.map((phone) => ({
    phone,
    attempt: 1,
    account: "SIM0001/com.whatsapp/0",
    ...(textFor && { text: textFor(phone) }),
  }));
  const text = textFor ? {} : { text: "שלום" };
  return { type: "lease", token, ttlMs: 60_000, campaign: 3, ...text, image: null, items };
}

/** UTF-8, each byte as one character. */
function latin(text: string): string {
  return new TextDecoder("latin1").decode(new TextEncoder().encode(text));
}

function open(path: string): Journal {
  return new Journal(path, { now: () => NOW, newId: () => "1".repeat(32) });
}

async function tempPath(): Promise<string> {
  return `${await tempFolder()}/journal.db`;
}
