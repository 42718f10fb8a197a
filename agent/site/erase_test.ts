import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { AgentFrame } from "shared/agent_protocol.ts";
import type { Clock } from "../time/clock.ts";
import { systemClock } from "../time/system_clock.ts";
import { reportErased } from "./erase.ts";
import { Journal } from "../journal/journal.ts";

const PHONE = "+972543710968";
const OTHER = "+972543710969";
const KEY = "5".repeat(64);
const TOKEN = "a".repeat(32);
const ITEM = { id: 7, key: KEY, hash: createHmac("sha256", KEY).update(PHONE).digest("hex") };

/** A journal with an outcome of each number, reported and archived. With `open`, the first is not reported yet. */
async function withJournal(
  open: boolean,
  act: (journal: Journal, path: string) => Promise<void>,
): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "shigur-erase-"));
  const path = join(folder, "journal.db");
  const journal = new Journal(path, { now: () => 1_000, newId: () => "1".repeat(32) });
  const account = "SIM0001/com.whatsapp/0";
  journal.addLease({
    type: "lease",
    token: TOKEN,
    ttlMs: 1,
    campaign: 1,
    text: "שלום",
    image: null,
    items: [PHONE, OTHER].map((phone) => ({ phone, attempt: 1, account })),
  });
  for (const phone of [PHONE, OTHER]) {
    journal.move(TOKEN, phone, "leased", { to: "void", reason: "recalled", temporary: false });
  }
  journal.forget([PHONE, OTHER].slice(open ? 1 : 0).map((phone) => ({ token: TOKEN, phone, state: "void" })));
  try {
    await act(journal, path);
  } finally {
    journal.close();
    await rm(folder, { recursive: true });
  }
}

function erase(journal: Journal, items = [ITEM], clock: Clock = systemClock): AgentFrame[] {
  const sent: AgentFrame[] = [];
  reportErased({ journal, clock, send: (frame) => sent.push(frame) > 0, log: () => {} }, items);
  return sent;
}

Deno.test("sayErased() removes a number from the archive and the file's bytes, and keeps the others", async () => {
  await withJournal(false, async (journal, path) => {
    assert.deepEqual(erase(journal), [{ type: "erased", items: [{ id: 7, removed: 1 }] }]);
    assert.deepEqual([...journal.outcomes()].map(({ phone }) => phone), [OTHER]);
    for (const suffix of ["", "-wal"]) {
      const bytes = await readFile(path + suffix);
      assert.ok(!bytes.includes(PHONE), `${suffix} still holds it`);
    }
    assert.ok((await readFile(path)).includes(OTHER));
    assert.deepEqual(
      erase(journal),
      [{ type: "erased", items: [{ id: 7, removed: 0 }] }],
      "asked again it says so again",
    );
  });
});

Deno.test("sayErased() reports nothing while an outcome of the number is unreported", async () => {
  await withJournal(true, (journal) => {
    assert.deepEqual(erase(journal), []);
    assert.equal(journal.count(), 1);
    journal.forget([{ token: TOKEN, phone: PHONE, state: "void" }]);
    assert.deepEqual(erase(journal), [{ type: "erased", items: [{ id: 7, removed: 1 }] }]);
    return Promise.resolve();
  });
});

Deno.test("erase() raises the journal's counter only when something was removed (rule 14)", async () => {
  await withJournal(false, (journal) => {
    journal.helloAnswered();
    const before = journal.counter;
    assert.equal(journal.erase((phone) => phone === PHONE), 1);
    assert.equal(journal.counter, before + 1);
    assert.equal(journal.erase((phone) => phone === PHONE), 0);
    assert.equal(journal.counter, before + 1);
    return Promise.resolve();
  });
});

Deno.test("sayErased() reports before the edge treats a big site as gone", async () => {
  await withJournal(false, (journal) => {
    let passedMs = 0;
    // Each number takes as long as in a journal of a million rows.
    const clock = { ...systemClock, monotonic: () => passedMs += 3_000 };
    const items = Array.from({ length: 20 }, (_, i) => ({ ...ITEM, id: i }));
    assert.deepEqual(erase(journal, items, clock), [{ type: "erased", items: [{ id: 0, removed: 1 }] }]);
    return Promise.resolve();
  });
});

Deno.test("sayErased() removes a number's replies, reported or not, and keeps those of others", async () => {
  await withJournal(false, async (journal, path) => {
    const reply = {
      account: "SIM0001/com.whatsapp/0",
      decision: "unclear",
      excerpt: "הסירו אולי",
      at: 1,
    } as const;
    journal.addReplies([
      { ...reply, id: "1".repeat(32), phone: PHONE },
      { ...reply, id: "2".repeat(32), phone: OTHER },
      { ...reply, id: "3".repeat(32), phone: PHONE },
    ]);
    journal.repliesAcknowledged(["1".repeat(32)]);
    assert.deepEqual(erase(journal), [{ type: "erased", items: [{ id: 7, removed: 3 }] }]);
    assert.deepEqual(journal.unsentReplies(9).map(({ phone }) => phone), [OTHER]);
    for (const suffix of ["", "-wal"]) assert.ok(!(await readFile(path + suffix)).includes(PHONE));
    // Outcomes leave the archive sooner than replies.
    journal.addReplies([{ ...reply, id: "4".repeat(32), phone: PHONE }]);
    assert.deepEqual(erase(journal), [{ type: "erased", items: [{ id: 7, removed: 1 }] }]);
  });
});
