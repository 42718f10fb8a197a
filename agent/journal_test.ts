import assert from "node:assert/strict";
import { Journal, JournalLockedError, type LeaseFrame } from "./journal.ts";

const PHONE = "+972501234567";
const OTHER = "+972501234568";
const TOKEN = "a".repeat(32);

Deno.test("Journal keeps rows, its id and its counter when it is opened again", async () => {
  const path = await tempPath();
  const first = open(path);
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

Deno.test("Journal raises its counter with every write and with nothing else", async () => {
  const journal = open(await tempPath());
  assert.equal(journal.counter, 0);
  journal.addLease(lease(TOKEN, [PHONE]));
  assert.equal(journal.counter, 1);
  journal.addLease(lease(TOKEN, [PHONE]));
  journal.move(TOKEN, PHONE, "tapping", { to: "sent", reason: null, temporary: false });
  journal.get(TOKEN, PHONE);
  assert.equal(journal.counter, 1);
  journal.move(TOKEN, PHONE, "leased", { to: "void", reason: "recalled", temporary: false });
  assert.equal(journal.counter, 2);
  journal.close();
});

Deno.test("move() moves a row only from the state it is said to be in", async () => {
  const journal = open(await tempPath());
  journal.addLease(lease(TOKEN, [PHONE]));
  const toVoid = { to: "void", reason: "recalled", temporary: false } as const;
  assert.equal(journal.move(TOKEN, PHONE, "leased", toVoid), true);
  assert.equal(journal.move(TOKEN, PHONE, "leased", { ...toVoid, to: "tapping" }), false);
  assert.equal(journal.get(TOKEN, PHONE)?.state, "void");
  journal.close();
});

Deno.test("forget() keeps an outcome for 30 days after its row is gone", async () => {
  let now = Date.UTC(2026, 0, 1);
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
  journal.pruneArchive();
  assert.deepEqual([...journal.outcomes()], []);
  journal.close();
});

Deno.test("Journal refuses to be opened by two agents", async () => {
  const path = await tempPath();
  const journal = open(path);
  assert.throws(() => open(path), JournalLockedError);
  journal.close();
  open(path).close();
});

Deno.test("Journal loses nothing it said was written when its process is killed", async () => {
  const path = await tempPath();
  for (const killAfter of [3, 40]) {
    const script = new URL("./testing/journal_writer.ts", import.meta.url).pathname;
    await Deno.remove(path).catch(() => {});
    await Deno.remove(`${path}-wal`).catch(() => {});
    const child = new Deno.Command(Deno.execPath(), {
      args: ["run", "-q", "-A", script, path],
      stdout: "piped",
    }).spawn();
    let told = "";
    for await (const text of child.stdout.pipeThrough(new TextDecoderStream())) {
      told += text;
      if (told.split("\n").length > killAfter) break;
    }
    child.kill("SIGKILL");
    await child.status;
    const lines = told.split("\n").slice(0, -1);
    const journal = open(path);
    for (const line of lines) {
      const [token = ""] = line.split(" ");
      assert.equal(journal.get(token, PHONE)?.state, "tapping");
    }
    assert.ok(journal.counterAtOpen >= Number(lines.at(-1)?.split(" ")[1]));
    journal.close();
  }
});

function lease(token: string, phones: string[]): LeaseFrame {
  const items = phones.map((phone) => ({ phone, attempt: 1, account: "SIM0001/com.whatsapp/0" }));
  return { type: "lease", token, ttlMs: 60_000, campaign: 3, text: "שלום", image: null, items };
}

function open(path: string): Journal {
  return new Journal(path, { now: () => Date.UTC(2026, 0, 1), newId: () => "1".repeat(32) });
}

async function tempPath(): Promise<string> {
  return `${await Deno.makeTempDir()}/journal.db`;
}
