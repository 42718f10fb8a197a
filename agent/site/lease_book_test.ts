import assert from "node:assert/strict";
import type { EdgeFrameOf } from "shared/agent_protocol.ts";
import type { EdgeFeature } from "shared/features.ts";
import { Journal } from "../journal/journal.ts";
import { LeaseBook } from "./lease_book.ts";
import { rowsOnDisk } from "../testing/process_site.ts";
import { tempFolder } from "../testing/temp_folder.ts";

const A = "+972501234567";
const B = "+972501234568";
const TOKEN = "a".repeat(32);
const JOB = { campaign: 1, attempt: 1, account: "SIM0001/com.whatsapp/0", text: "שלום", image: null };
const TAP = { bootId: "b", deadlineUptime: 7, rowsBefore: [] };

Deno.test("LeaseBook: none × lease, token new on this connection → on disk, then its leaseAck", () => {
  const { book, journal } = setup();
  const frame = lease(TOKEN, [A]);
  const before = journal.counter;
  const ack = book.leased(frame);
  assert.deepEqual(ack, { type: "leaseAck", token: TOKEN, journalCounter: before + 1 });
  assert.equal(journal.get(TOKEN, A)?.state, "leased");
});

Deno.test("LeaseBook hands each device the text of its own item, as the journal has it", () => {
  const { book, journal } = setup();
  const { text: _, ...frame } = lease(TOKEN, [A, B]);
  const items = frame.items.map((item) => ({ ...item, text: `שלום ${item.phone}` }));
  book.leased({ ...frame, items });
  book.goReceived({ type: "go", token: TOKEN, items: [A, B].map((phone) => ({ phone, validMs: 60_000 })) });
  for (const phone of [A, B]) {
    const job = book.take("SIM0001");
    assert.deepEqual([job?.phone, job?.text], [phone, `שלום ${phone}`]);
    assert.equal(journal.get(TOKEN, phone)?.text, `שלום ${phone}`);
  }
});

Deno.test("LeaseBook: none × lease seen before, go, recall → nothing", () => {
  const { book, journal } = setup();
  book.leased(lease(TOKEN, [A]));
  const { counter } = journal;
  assert.equal(book.leased(lease(TOKEN, [A])), null);
  go(book, "b".repeat(32), B);
  book.recalled([{ token: "b".repeat(32), phones: [B] }, { token: TOKEN, phones: [B] }]);
  assert.equal(journal.count(), 1);
  assert.equal(journal.counter, counter);
  assert.equal(book.take("SIM0001"), null);
});

Deno.test("LeaseBook journals a token once a connection, also when its row was forgotten since (rule 6)", () => {
  const { book, journal } = setup();
  book.leased(lease(TOKEN, [A]));
  book.goReceived({ type: "go", token: TOKEN, items: [] });
  assert.equal(journal.count(), 0);
  assert.equal(book.leased(lease(TOKEN, [A])), null);
  assert.equal(journal.count(), 0);
});

Deno.test("LeaseBook accepts the go of a token once: a second copy gives no more time (rule 6)", () => {
  const { book, clock } = setup();
  book.leased(lease(TOKEN, [A]));
  go(book, TOKEN, A, 10_000);
  const job = book.take("SIM0001")!;
  clock.at += 4_000;
  go(book, TOKEN, A, 60_000);
  assert.equal(book.remainingMs(job), 6_000);
});

Deno.test("LeaseBook: leased, no go × go lists it → may be tapped; go omits it → deleted (rule 4)", () => {
  const { book, journal } = setup();
  book.leased(lease(TOKEN, [A, B]));
  assert.equal(book.take("SIM0001"), null);
  book.goReceived({ type: "go", token: TOKEN, items: [{ phone: B, validMs: 1000 }] });
  assert.equal(journal.get(TOKEN, A), null);
  assert.equal(book.take("SIM0001")?.phone, B);
  assert.equal(book.take("SIM0001"), null, "one delivery is handed out once");
});

Deno.test("LeaseBook: leased, no go × no answer for a while → leaseAck again, on the same connection", () => {
  const { book, clock } = setup();
  const ack = book.leased(lease(TOKEN, [A]));
  assert.deepEqual(book.acksToRepeat(), [], "not at once");
  clock.at += 3_000;
  assert.deepEqual(book.acksToRepeat(), [ack]);
  clock.at += 3_000;
  assert.deepEqual(book.acksToRepeat(), [ack], "until it is answered");
  go(book, TOKEN, A);
  clock.at += 3_000;
  assert.deepEqual(book.acksToRepeat(), []);
  book.leased(lease("b".repeat(32), [B]));
  book.connectionOpened(2, "1.0.0");
  clock.at += 3_000;
  assert.deepEqual(book.acksToRepeat(), [], "and on no other");
});

Deno.test("LeaseBook: leased × the connection ends → void without go, held with it (rule 4)", () => {
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

Deno.test("LeaseBook: leased, no go × a new connection opens, the old one's end unseen → void, and nothing is said until its hello is answered (rule 4)", () => {
  const { book, journal } = setup();
  book.leased(lease(TOKEN, [A]));
  assert.equal(book.isReady, true);
  const hello = book.connectionOpened(2, "1.0.0");
  assert.equal(book.isReady, false);
  assert.equal(journal.get(TOKEN, A)?.state, "void");
  assert.deepEqual(hello.type === "hello" && hello.open.map(({ at }) => at), ["done"]);
  book.helloAcked({ type: "helloAck", epoch: 2, drop: [] });
  book.connectionOver();
  assert.equal(book.isReady, false);
});

Deno.test("LeaseBook writes the mark of a go to disk before a tap that follows it (rule 19)", async () => {
  const path = `${await tempFolder()}/journal.db`;
  const { book } = setup({ path });
  book.leased(lease(TOKEN, [A]));
  const mark = { generation: "g", event: 9, hmac: "0".repeat(64) };
  book.goReceived({ type: "go", token: TOKEN, items: [{ phone: A, validMs: 60_000 }], mark });
  assert.ok(book.beginTapping(book.take("SIM0001")!, TAP, 1));
  for (const end of ["", "-wal"]) await Deno.copyFile(`${path}${end}`, `${path}.killed${end}`);
  const after = setup({ path: `${path}.killed`, connect: false });
  assert.deepEqual(after.journal.databaseMark, mark);
});

Deno.test("LeaseBook returns the newest mark with hello, to an edge that compares it and to no other (rules 19 and 20)", () => {
  const { book } = setup();
  const mark = { generation: "g", event: 9, hmac: "0".repeat(64) };
  const markOf = (...features: EdgeFeature[]) => {
    const hello = book.connectionOpened(2, "1.0.0", new Set(features));
    return hello.type === "hello" ? hello.mark : null;
  };
  assert.equal(markOf("compares_marks"), undefined);
  book.reportAcked({ type: "reportAck", seq: 1, items: [], mark });
  assert.deepEqual(markOf("compares_marks"), mark);
  assert.equal(markOf(), undefined);
  book.helloAcked({ type: "helloAck", epoch: 2, drop: [], mark: { ...mark, event: 11 } });
  assert.equal(markOf("compares_marks")?.event, 11);
});

Deno.test("LeaseBook sends the counter it opened with until a hello of the process was answered (rule 14)", () => {
  const { book } = setup({ connect: false });
  const counterAtOpen = (epoch: number) => {
    const hello = book.connectionOpened(epoch, "1.0.0");
    return hello.type === "hello" ? hello.counterAtOpen : undefined;
  };
  assert.equal(counterAtOpen(1), 0);
  assert.equal(counterAtOpen(2), 0, "the first hello may have been lost");
  book.helloAcked({ type: "helloAck", epoch: 2, drop: [] });
  assert.equal(counterAtOpen(3), null);
});

Deno.test("LeaseBook ignores frames of a connection before its hello was answered with that epoch (rule 2)", () => {
  const { book, journal } = setup({ connect: false });
  book.connectionOpened(2, "1.0.0");
  assert.equal(book.leased(lease(TOKEN, [A])), null);
  assert.equal(book.helloAcked({ type: "helloAck", epoch: 1, drop: [] }), false);
  assert.equal(book.isReady, false);
  assert.equal(book.leased(lease(TOKEN, [A])), null);
  assert.equal(journal.count(), 0);
  assert.equal(book.helloAcked({ type: "helloAck", epoch: 2, drop: [] }), true);
  assert.notEqual(book.leased(lease(TOKEN, [A])), null);
});

Deno.test("LeaseBook sends hello with the epoch of its welcome and every row of its journal (rules 1 and 3)", () => {
  const { book } = setup();
  const [held, tapping, done] = ["b", "c", "d"].map((letter) => letter.repeat(32)) as [
    string,
    string,
    string,
  ];
  for (const [token, phone] of [[held, A], [tapping, B], [done, A]] as const) {
    book.leased(lease(token, [phone]));
    go(book, token, phone);
  }
  book.beginTapping({ ...JOB, token: tapping, phone: B }, TAP, 1);
  book.recalled([{ token: done, phones: [A] }]);
  const hello = book.connectionOpened(7, "1.0.0");
  assert.ok(hello.type === "hello");
  assert.equal(hello.epoch, 7);
  assert.deepEqual(hello.open.map(({ token, phone, at }) => [token, phone, at]), [
    [held, A, "held"],
    [tapping, B, "tapping"],
    [done, A, "done"],
  ]);
});

Deno.test("LeaseBook gives a delivery up on disk before it reports it, and never hands it out again (rule 3)", async () => {
  const path = `${await tempFolder()}/journal.db`;
  const { book, journal } = setup({ path });
  book.leased(lease(TOKEN, [A]));
  go(book, TOKEN, A);
  book.recalled([{ token: TOKEN, phones: [A] }]);
  assert.deepEqual(rowsOnDisk(path).map(({ state }) => state), ["void"]);
  assert.deepEqual(book.outcomesToReport().map(({ outcome }) => outcome), ["void"]);
  assert.equal(book.take("SIM0001"), null);
  journal.close();
});

Deno.test("LeaseBook repeats the report of a given-up delivery until it is acknowledged (rule 5)", () => {
  const { book } = setup();
  book.leased(lease(TOKEN, [A, B]));
  book.connectionOver();
  for (let connection = 2; connection < 4; connection++) {
    book.connectionOpened(connection, "1.0.0");
    book.helloAcked({ type: "helloAck", epoch: connection, drop: [] });
    assert.deepEqual(book.outcomesToReport().map(({ phone, outcome }) => [phone, outcome]), [
      [A, "void"],
      [B, "void"],
    ]);
  }
  book.reportAcked({ type: "reportAck", seq: 1, items: [{ token: TOKEN, phone: A, result: "applied" }] });
  assert.deepEqual(book.outcomesToReport().map(({ phone }) => phone), [B]);
});

Deno.test("LeaseBook sends its journal's counter with every leaseAck (rule 14)", () => {
  const { book, journal } = setup();
  for (const letter of ["b", "c"]) {
    const ack = book.leased(lease(letter.repeat(32), [A]));
    assert.equal(ack?.type === "leaseAck" && ack.journalCounter, journal.counter);
  }
});

Deno.test("LeaseBook counts validMs from the first leaseAck, and never taps after it (rule 15)", () => {
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

Deno.test("LeaseBook leaves a delivery in hand to its try when its time is over", () => {
  const { book, journal, clock } = setup();
  book.leased(lease(TOKEN, [A, B]));
  const items = [A, B].map((phone) => ({ phone, validMs: 10_000 }));
  book.goReceived({ type: "go", token: TOKEN, items });
  const job = book.take("SIM0001")!;
  clock.at += 10_000;
  assert.equal(book.giveBackExpired(), 1);
  book.apply(job, { type: "failedForGood", reason: "not_on_app" });
  assert.deepEqual([A, B].map((phone) => journal.get(TOKEN, phone)?.state), ["failed", "void"]);
});

Deno.test("LeaseBook counts the time in which the machine slept and the monotonic clock stopped (rule 15)", () => {
  const { book, journal, clock } = setup();
  book.leased(lease(TOKEN, [A, B]));
  book.goReceived({
    type: "go",
    token: TOKEN,
    items: [{ phone: A, validMs: 10_000 }, { phone: B, validMs: 10_000 }],
  });
  const job = book.take("SIM0001")!;
  clock.jumpedMs = 10_000;
  assert.equal(book.beginTapping(job, TAP, 0), false);
  assert.equal(book.take("SIM0001"), null);
  assert.deepEqual([A, B].map((phone) => journal.get(TOKEN, phone)?.reason), [
    "validity_over",
    "validity_over",
  ]);
});

Deno.test("LeaseBook gives no more time than validMs, whatever the wall clock does (rule 15)", () => {
  const HOUR_MS = 3_600_000;
  for (const jumpMs of [-24 * HOUR_MS, -HOUR_MS, HOUR_MS, 24 * HOUR_MS]) {
    const { book, journal, clock } = setup();
    book.leased(lease(TOKEN, [A, B]));
    const items = [A, B].map((phone) => ({ phone, validMs: 10_000 }));
    book.goReceived({ type: "go", token: TOKEN, items });
    const job = book.take("SIM0001")!;
    clock.at += 4_000;
    clock.jumpedMs = jumpMs;
    // A clock set forward may mean that the machine slept, so the remaining rows are given back at once.
    assert.equal(book.remainingMs(job), jumpMs < 0 ? 6_000 : 0);
    clock.at += 6_000;
    assert.equal(book.beginTapping(job, TAP, 0), false);
    assert.equal(book.take("SIM0001"), null);
    assert.deepEqual(
      [A, B].map((phone) => journal.get(TOKEN, phone)?.reason),
      Array(2).fill("validity_over"),
    );
  }
});

Deno.test("LeaseBook takes no more rows than hello can list, unreported ones included", () => {
  const { book } = setup();
  const phones = Array.from({ length: 4_000 }, (_, i) => `+97250${1_000_000 + i}`);
  book.leased(lease(TOKEN, phones));
  book.connectionOver();
  assert.equal(book.outcomesToReport().length, 500);
  assert.equal(book.isFull, true);
  const hello = book.connectionOpened(2, "1.0.0");
  assert.ok(hello.type === "hello");
  assert.equal(hello.open.length, 4_000, "a row that hello does not list is lost to the edge");
});

/** Acts that take a delivery back, and the reason in its report. */
const TAKINGS: Record<string, [(book: LeaseBook) => void, string]> = {
  recall: [(book) => book.recalled([{ token: TOKEN, phones: [A] }]), "recalled"],
  drop: [(book) => {
    book.connectionOpened(2, "1.0.0");
    book.helloAcked({ type: "helloAck", epoch: 2, drop: [{ token: TOKEN, phones: [A] }] });
  }, "recalled"],
  "account lost": [(book) => book.giveBack({ account: JOB.account }, "account_banned"), "account_banned"],
  "device lost": [(book) => book.giveBack({ device: "SIM0001" }, "device_offline"), "device_offline"],
  drain: [(book) => book.drain(), "draining"],
};

for (const [name, [take, reason]] of Object.entries(TAKINGS)) {
  Deno.test(`LeaseBook: leased × ${name} → void, and the tap of what is in hand is refused`, () => {
    const { book, journal } = setup();
    book.leased(lease(TOKEN, [A]));
    go(book, TOKEN, A);
    const job = book.take("SIM0001")!;
    take(book);
    assert.equal(book.beginTapping(job, TAP, 0), false);
    assert.equal(journal.get(TOKEN, A)?.state, "void");
    assert.deepEqual(book.outcomesToReport().map((item) => [item.outcome, item.reason]), [["void", reason]]);
  });

  Deno.test(`LeaseBook: tapping × ${name} → nothing, the outcome will say`, () => {
    const { book, journal } = setup();
    book.leased(lease(TOKEN, [A]));
    go(book, TOKEN, A);
    const job = book.take("SIM0001")!;
    book.beginTapping(job, TAP, 1);
    take(book);
    assert.equal(journal.get(TOKEN, A)?.state, "tapping");
    book.apply(job, { type: "provenSent" }, { tappedAt: 2 });
    assert.deepEqual(book.outcomesToReport().map(({ outcome }) => outcome), ["sent"]);
  });
}

Deno.test("LeaseBook takes no more leases once it drains", () => {
  const { book, journal } = setup();
  book.drain();
  assert.equal(book.leased(lease(TOKEN, [A])), null);
  assert.equal(journal.count(), 0);
});

Deno.test("LeaseBook returns only deliveries of an account that cannot send", () => {
  const { book, journal } = setup();
  book.leased(lease(TOKEN, [A, B]));
  book.goReceived({ type: "go", token: TOKEN, items: [A, B].map((phone) => ({ phone, validMs: 60_000 })) });
  book.take("SIM0001");
  assert.equal(book.giveBackWaiting(() => null), 0);
  assert.equal(book.giveBackWaiting((account) => account === JOB.account ? "device_offline" : null), 1);
  assert.equal(journal.get(TOKEN, A)?.state, "leased", "what is in hand finds out by itself");
  assert.equal(journal.get(TOKEN, B)?.reason, "device_offline");
});

Deno.test("LeaseBook: an outcome × reportAck names it → deleted, and kept until then", () => {
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

Deno.test("LeaseBook forgets no outcome for an answer about another attempt of the same number", () => {
  const { book, journal } = setup();
  for (const token of [TOKEN, "b".repeat(32)]) book.leased(lease(token, [A]));
  book.recalled([{ token: TOKEN, phones: [A] }]);
  book.reportAcked({
    type: "reportAck",
    seq: 1,
    items: ["b", "c"].map((letter) => ({ token: letter.repeat(32), phone: A, result: "applied" as const })),
  });
  assert.equal(journal.get(TOKEN, A)?.state, "void");
  assert.equal(journal.get("b".repeat(32), A)?.state, "leased");
});

Deno.test("LeaseBook reports when an unknown tap was made, and no time for one that was undone", () => {
  for (const [evidence, outcome, tappedAt] of [[null, "unknown", 7], ["draft", "void", null]] as const) {
    const { book } = setup();
    book.leased(lease(TOKEN, [A]));
    go(book, TOKEN, A);
    const job = book.take("SIM0001")!;
    book.beginTapping(job, TAP, 7);
    book.apply(job, { type: "lookedBack", evidence, reason: "send_not_verified" });
    const [report] = book.outcomesToReport();
    assert.deepEqual([report?.outcome, report?.tappedAt], [outcome, tappedAt]);
    assert.equal(report?.temporary, evidence === "draft", "a tap that did nothing is a try");
  }
});

Deno.test("LeaseBook hands a delivery only to its phone, and takes back only one account's deliveries", () => {
  const { book, journal } = setup();
  const accounts = ["SIM0001/com.whatsapp/0", "SIM0001/com.whatsapp/10", "SIM0002/com.whatsapp/0"];
  const phones = accounts.map((_, no) => `+97250123456${no}`);
  const items = accounts.map((account, no) => ({ phone: phones[no]!, attempt: 1, account }));
  book.leased({ ...lease(TOKEN, []), items });
  book.goReceived({ type: "go", token: TOKEN, items: phones.map((phone) => ({ phone, validMs: 60_000 })) });
  assert.equal(book.take("SIM0003"), null);
  assert.equal(book.take("SIM0002")?.account, accounts[2]);
  assert.equal(book.take("SIM0002"), null);
  book.giveBack({ account: accounts[0]! }, "account_banned");
  assert.deepEqual(phones.map((phone) => journal.get(TOKEN, phone)?.state), ["void", "leased", "leased"]);
  assert.equal(book.take("SIM0001")?.account, accounts[1]);
});

Deno.test("LeaseBook: leased, tapping × reportAck names it → nothing, whatever an edge says of it", () => {
  const { book, journal } = setup();
  book.leased(lease(TOKEN, [A, B]));
  go(book, TOKEN, A);
  book.leased(lease("b".repeat(32), [B]));
  book.beginTapping(book.take("SIM0001")!, TAP, 1);
  book.reportAcked({
    type: "reportAck",
    seq: 1,
    items: [
      { token: TOKEN, phone: A, result: "known" },
      { token: "b".repeat(32), phone: B, result: "known" },
    ],
  });
  assert.equal(journal.get(TOKEN, A)?.state, "tapping");
  assert.equal(journal.get("b".repeat(32), B)?.state, "leased");
});

Deno.test("LeaseBook: leased × process starts → void; tapping → handed back to be looked at (rule 4)", () => {
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

Deno.test("LeaseBook has room for the permitted waiting deliveries in addition to the one in hand", () => {
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

function setup(options: { connect?: boolean; path?: string } = {}) {
  /** `jumpedMs`: how far the wall clock is ahead of the monotonic one. */
  const clock = { at: 0, jumpedMs: 0 };
  const journal = new Journal(options.path ?? ":memory:", { now: () => 1, newId: () => "1".repeat(32) });
  const book = new LeaseBook({
    journal,
    clock: { monotonic: () => clock.at, now: () => clock.at + clock.jumpedMs },
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

function lease(token: string, phones: string[]): EdgeFrameOf<"lease"> {
  const items = phones.map((phone) => ({ phone, attempt: 1, account: "SIM0001/com.whatsapp/0" }));
  return { type: "lease", token, ttlMs: 60_000, campaign: 1, text: "שלום", image: null, items };
}
