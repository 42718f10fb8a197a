import assert from "node:assert/strict";
import type { EdgeFrame } from "shared/agent_protocol.ts";
import { Journal } from "./journal.ts";
import { LeaseBook } from "./lease_book.ts";

const A = "+972501234567";
const B = "+972501234568";
const TOKEN = "a".repeat(32);
const TAP = { bootId: "b", deadlineUptime: 7, rowsBefore: [] };

Deno.test("LeaseBook acknowledges a lease only once it is on disk, and a second copy not at all", () => {
  const { book, journal } = setup();
  const frame = lease(TOKEN, [A]);
  const before = journal.counter;
  const ack = book.leased(frame);
  assert.deepEqual(ack, { type: "leaseAck", token: TOKEN, journalCounter: before + 1 });
  assert.equal(journal.get(TOKEN, A)?.state, "leased");
  assert.equal(book.leased(frame), null);
});

Deno.test("LeaseBook remembers a token of this connection after its row is forgotten", () => {
  const { book, journal } = setup();
  book.leased(lease(TOKEN, [A]));
  book.goReceived({ type: "go", token: TOKEN, items: [] });
  assert.equal(journal.count(), 0);
  assert.equal(book.leased(lease(TOKEN, [A])), null);
  assert.equal(journal.count(), 0);
});

Deno.test("LeaseBook hands out nothing before go, and drops what go omits", () => {
  const { book, journal } = setup();
  book.leased(lease(TOKEN, [A, B]));
  assert.equal(book.take("SIM0001"), null);
  book.goReceived({ type: "go", token: TOKEN, items: [{ phone: B, validMs: 1000 }] });
  assert.equal(journal.get(TOKEN, A), null);
  assert.equal(book.take("SIM0001")?.phone, B);
  assert.equal(book.take("SIM0001"), null, "one delivery is handed out once");
});

Deno.test("LeaseBook gives up what has no go when the connection ends, and keeps what has", () => {
  const { book, journal } = setup();
  const other = "b".repeat(32);
  book.leased(lease(TOKEN, [A]));
  book.leased(lease(other, [B]));
  go(book, other, B);
  book.connectionOver();
  assert.equal(journal.get(TOKEN, A)?.state, "void");
  assert.equal(journal.get(TOKEN, A)?.reason, "no_go");
  const hello = book.connectionOpened(2, "1.0.0");
  assert.equal(hello.type, "hello");
  if (hello.type !== "hello") return;
  assert.deepEqual(hello.open.map(({ phone, at }) => [phone, at]), [[A, "done"], [B, "held"]]);
  assert.equal(book.take("SIM0001")?.phone, B, "a confirmed delivery may be tapped offline");
});

Deno.test("LeaseBook tells the counter it opened with once in a process", () => {
  const { book } = setup({ connect: false });
  const first = book.connectionOpened(1, "1.0.0");
  const second = book.connectionOpened(2, "1.0.0");
  assert.equal(first.type === "hello" && first.counterAtOpen, 0);
  assert.equal(second.type === "hello" && second.counterAtOpen, null);
});

Deno.test("LeaseBook counts validMs from the first leaseAck, and never taps after it", () => {
  const { book, journal, clock } = setup();
  book.leased(lease(TOKEN, [A]));
  clock.at += 3_000;
  assert.equal(book.acksToRepeat().length, 1, "an unanswered leaseAck is repeated");
  assert.equal(book.acksToRepeat().length, 0, "but not at once again");
  clock.at += 6_000;
  go(book, TOKEN, A, 10_000);
  const job = book.take("SIM0001")!;
  assert.equal(book.remainingMs(job), 1_000);
  clock.at += 1_000;
  assert.equal(book.beginTapping(job, TAP, 0), false);
  assert.equal(journal.get(TOKEN, A)?.reason, "validity_over");
});

Deno.test("LeaseBook counts the time in which the machine slept and the monotonic clock stood still", () => {
  const { book, journal, clock } = setup();
  book.leased(lease(TOKEN, [A, B]));
  book.goReceived({
    type: "go",
    token: TOKEN,
    items: [{ phone: A, validMs: 10_000 }, { phone: B, validMs: 10_000 }],
  });
  const job = book.take("SIM0001")!;
  clock.sleptMs = 10_000;
  assert.equal(book.beginTapping(job, TAP, 0), false);
  assert.equal(book.take("SIM0001"), null);
  assert.deepEqual([A, B].map((phone) => journal.get(TOKEN, phone)?.reason), [
    "validity_over",
    "validity_over",
  ]);
});

Deno.test("LeaseBook takes no more than hello can list, the unreported included", () => {
  const { book } = setup();
  const phones = Array.from({ length: 4_000 }, (_, i) => `+97250${1_000_000 + i}`);
  book.leased(lease(TOKEN, phones));
  book.connectionOver();
  assert.equal(book.outcomesToReport().length, 500);
  assert.equal(book.isFull, true);
});

Deno.test("LeaseBook refuses the tap of what was recalled in hand", () => {
  const { book, journal } = setup();
  book.leased(lease(TOKEN, [A]));
  go(book, TOKEN, A);
  const job = book.take("SIM0001")!;
  book.recalled([{ token: TOKEN, phones: [A] }]);
  assert.equal(book.beginTapping(job, TAP, 0), false);
  assert.equal(journal.get(TOKEN, A)?.state, "void");
  assert.deepEqual(book.outcomesToReport().map(({ outcome, reason }) => [outcome, reason]), [
    ["void", "recalled"],
  ]);
});

Deno.test("LeaseBook keeps an outcome until the edge has acknowledged it", () => {
  const { book, journal } = setup();
  book.leased(lease(TOKEN, [A]));
  go(book, TOKEN, A);
  const job = book.take("SIM0001")!;
  assert.equal(book.beginTapping(job, TAP, 1), true);
  book.recalled([{ token: TOKEN, phones: [A] }]);
  book.apply(job, { type: "provenSent" }, { tappedAt: 2 });
  assert.deepEqual(book.outcomesToReport().map(({ outcome, tappedAt }) => [outcome, tappedAt]), [[
    "sent",
    2,
  ]]);
  assert.equal(book.outcomesToReport().length, 1);
  book.reportAcked({ type: "reportAck", seq: 1, items: [{ token: TOKEN, phone: A, result: "stale" }] });
  assert.equal(journal.count(), 0);
});

Deno.test("LeaseBook gives up on a new start what was leased, and hands back what was tapping", () => {
  const { book, journal } = setup();
  book.leased(lease(TOKEN, [A, B]));
  book.goReceived({
    type: "go",
    token: TOKEN,
    items: [{ phone: A, validMs: 1000 }, { phone: B, validMs: 1000 }],
  });
  book.beginTapping(book.take("SIM0001")!, TAP, 1);
  const next = new LeaseBook({ journal, clock: { now: () => 0, monotonic: () => 0 } });
  assert.deepEqual(next.recover().map(({ phone, tap }) => [phone, tap]), [[A, TAP]]);
  assert.equal(journal.get(TOKEN, B)?.reason, "agent_restarted");
});

Deno.test("LeaseBook has room for as many as may wait besides the one in hand", () => {
  const { book } = setup();
  assert.equal(book.room("SIM0001", 2), 2);
  book.leased(lease(TOKEN, [A, B]));
  assert.equal(book.room("SIM0001", 2), 0);
  book.goReceived({
    type: "go",
    token: TOKEN,
    items: [{ phone: A, validMs: 1000 }, { phone: B, validMs: 1000 }],
  });
  book.take("SIM0001");
  assert.equal(book.room("SIM0001", 2), 1);
  book.drain();
  assert.equal(book.room("SIM0001", 2), 0);
});

function setup(options: { connect?: boolean } = {}) {
  const clock = { at: 0, sleptMs: 0 };
  const journal = new Journal(":memory:", { now: () => 1, newId: () => "1".repeat(32) });
  const book = new LeaseBook({
    journal,
    clock: { monotonic: () => clock.at, now: () => clock.at + clock.sleptMs },
  });
  if (options.connect !== false) {
    book.connectionOpened(1, "1.0.0");
    book.helloAcked({ type: "helloAck", epoch: 1, drop: [] });
  }
  return { book, journal, clock };
}

function go(book: LeaseBook, token: string, phone: string, validMs = 60_000): void {
  book.goReceived({ type: "go", token, items: [{ phone, validMs }] });
}

function lease(token: string, phones: string[]): Extract<EdgeFrame, { type: "lease" }> {
  const items = phones.map((phone) => ({ phone, attempt: 1, account: "SIM0001/com.whatsapp/0" }));
  return { type: "lease", token, ttlMs: 60_000, campaign: 1, text: "שלום", image: null, items };
}
