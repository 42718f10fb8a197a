import assert from "node:assert/strict";
import { type Statement, statementSchema } from "shared/statement_api.ts";
import { type Mail, OutsideError } from "../context.ts";
import { openEmail, openMail } from "../alerts/send_email.ts";
import { auditQueue } from "../queue/audit.ts";
import { BYTE_ORDER_MARK } from "../http/csv.ts";
import { startFakeMail } from "../testing/fake_mail.ts";
import { makeCampaign } from "../testing/make_campaign.ts";
import { openTestApp, type TestApp, type TestPerson } from "../testing/test_app.ts";
import { addMonths, startOfMonth } from "../time/local_month.ts";
import { sendStatements } from "./statement_mail.ts";

const HOUR_MS = 60 * 60_000;
const DAY_MS = 24 * HOUR_MS;

async function read(person: Pick<TestPerson, "ask">, query = ""): Promise<Statement> {
  const answer = await person.ask(`/api/statement${query}`);
  assert.equal(answer.status, 200);
  return statementSchema.parse(await answer.json());
}

/** A client with entries of every kind in three months; the present month is November 2026. */
async function makeLedger(edge: TestApp, client: number): Promise<number> {
  const id = await makeCampaign(edge.ctx, { client, status: "completed", sendAt: edge.clock.now });
  const add = (at: number, kind: string, delta: number, campaign: number | null = null) =>
    edge.ctx.db.execute({
      sql: "INSERT INTO quota_ledger (client, at, kind, delta, campaign, reason) VALUES (?, ?, ?, ?, ?, ?)",
      args: [client, at, kind, delta, campaign, kind === "correction" ? "תיקון של טעות" : null],
    });
  const november = startOfMonth("2026-11");
  await add(november - 40 * DAY_MS, "grant", 1_000);
  await add(november - 1, "reserve", -100, id);
  await add(november, "refund", 20, id);
  await add(november + DAY_MS, "reserve", -300, id + 1);
  await add(november + DAY_MS, "release", 300, id + 1);
  await add(november + DAY_MS, "charge", -1, id);
  await add(november + DAY_MS, "correction", -50);
  await add(november + 2 * DAY_MS, "grant", 200);
  return id;
}

function assertAddsUp(found: Statement): void {
  const sum = (numbers: number[]) => numbers.reduce((all, one) => all + one, 0);
  const change = found.closing - found.opening;
  assert.equal(sum(found.kinds.map(({ units }) => units)), change);
  const campaigns = sum(found.campaigns.map(({ net }) => net)) + (found.moreCampaigns?.net ?? 0);
  const loads = sum(found.loads.map(({ units }) => units)) + (found.moreLoads?.units ?? 0);
  assert.equal(loads - campaigns, change);
  for (const { reserved, returned, charged, net } of found.campaigns) {
    assert.equal(reserved - returned + charged, net);
  }
}

Deno.test("readStatement(): the entries of a month are the difference of its balances", async () => {
  await using edge = await openTestApp();
  const dana = await edge.addPerson({ messageQuota: 0 });
  const id = await makeLedger(edge, dana.id);
  assert.deepEqual(
    await auditQueue(edge.ctx.db).then((found) => found.filter(({ rule }) => /balance/.test(rule))),
    [],
  );
  const october = await read(dana, "?month=2026-10");
  const november = await read(dana);
  assert.equal(november.month, "2026-11");
  assert.deepEqual([october.opening, october.closing], [1_000, 900]);
  assert.deepEqual([november.opening, november.closing], [900, 1_069]);
  assert.deepEqual([october.isOver, november.isOver], [true, false]);
  for (const found of [october, november]) assertAddsUp(found);
  const [campaign, other] = november.campaigns;
  assert.deepEqual(campaign, {
    id,
    name: "סתיו",
    startedAt: edge.clock.now,
    reserved: 0,
    returned: 20,
    charged: 1,
    net: -19,
  });
  assert.deepEqual([other!.reserved, other!.net], [0, 0], "taken back");
  assert.deepEqual(november.loads.map(({ kind, units }) => [kind, units]), [["correction", -50], [
    "grant",
    200,
  ]]);
  assert.deepEqual(november.months, ["2026-11", "2026-10", "2026-09"]);
  assert.deepEqual((await read(dana, "?month=2026-12")).kinds, [], "a month that has not begun");
});

Deno.test("readStatement(): an entry of a clock that is behind at midnight is in exactly one month", async () => {
  await using edge = await openTestApp();
  const dana = await edge.addPerson({ messageQuota: 0 });
  const november = startOfMonth("2026-11");
  for (
    const [at, delta] of [[november - 2, 10], [november + 1, 20], [november - 1, 40], [november + 2, 80]]
  ) {
    await edge.ctx.db.execute({
      sql: "INSERT INTO quota_ledger (client, at, kind, delta) VALUES (?, ?, 'grant', ?)",
      args: [dana.id, at!, delta!],
    });
  }
  const [october, later] = [await read(dana, "?month=2026-10"), await read(dana)];
  for (const found of [october, later]) assertAddsUp(found);
  assert.equal(october.closing, later.opening);
  assert.deepEqual([october.opening, later.closing], [0, 150]);
});

Deno.test("readStatement(): many campaigns are lines and one rest, and slices add up", async () => {
  await using edge = await openTestApp();
  const dana = await edge.addPerson({ messageQuota: 0 });
  const at = edge.clock.now;
  await edge.ctx.db.execute({
    sql: "INSERT INTO quota_ledger (client, at, kind, delta) VALUES (?, ?, 'grant', 20000)",
    args: [dana.id, at],
  });
  await edge.ctx.db.execute({
    sql: `WITH RECURSIVE n(v) AS (SELECT 1 UNION ALL SELECT v + 1 FROM n WHERE v < 12000)
      INSERT INTO quota_ledger (client, at, kind, delta, campaign) SELECT ?, ?, 'reserve', -1, v % 600 FROM n`,
    args: [dana.id, at],
  });
  const found = await read(dana);
  assertAddsUp(found);
  assert.equal(found.closing, 8_000);
  assert.deepEqual([found.campaigns.length, found.moreCampaigns], [500, {
    campaigns: 100,
    reserved: 2_000,
    returned: 0,
    charged: 0,
    net: 2_000,
  }]);
});

Deno.test("a statement is its client's and administrators': no other client finds it", async () => {
  await using edge = await openTestApp();
  const dana = await edge.addPerson();
  const other = await edge.addPerson();
  const admin = await edge.addPerson({ role: "admin" });
  await makeLedger(edge, dana.id);
  assert.equal((await other.ask(`/api/statement?client=${dana.id}`)).status, 404);
  assert.equal((await other.ask(`/api/statement.csv?client=${dana.id}`)).status, 404);
  assert.equal((await read(admin, `?client=${dana.id}`)).client.username, dana.username);
  assert.equal((await admin.ask("/api/statement?client=999999")).status, 404);
  for (const month of ["2026-13", "1999-01", "x"]) {
    assert.equal((await dana.ask(`/api/statement?month=${month}`)).status, 400);
  }
});

Deno.test("the statement's file has stable names, and its lines add up to the balance", async () => {
  await using edge = await openTestApp();
  const dana = await edge.addPerson({ messageQuota: 0 });
  await makeLedger(edge, dana.id);
  const text = await (await dana.ask("/api/statement.csv?month=2026-11")).text();
  const rows = text.replace(BYTE_ORDER_MARK, "").trimEnd().split("\r\n").map((line) =>
    line.slice(1, -1).split('","')
  );
  assert.deepEqual(rows[0], [
    "section",
    "name",
    "label",
    "time",
    "entries",
    "added",
    "taken",
    "reserved",
    "returned",
    "charged",
    "net",
    "balance",
  ]);
  const kinds = rows.filter(([section]) => section === "kind");
  const change = kinds.reduce((sum, row) => sum + Number(row[5] || 0) - Number(row[6] || 0), 0);
  assert.equal(Number(rows[2]![11]) + change, Number(rows.at(-1)![11]));
  assert.equal(rows[2]![3], "2026-11-01T00:00:00+02:00");
  assert.ok((await dana.ask("/api/statement.xlsx")).ok);
});

/** Eight in the morning of the first day of December. */
const FIRST = startOfMonth("2026-12") + 8 * HOUR_MS;

async function openMailHouse() {
  const sent: Mail[] = [];
  let fails: OutsideError | undefined;
  const outside = {
    send: {},
    origin: "https://shigur.example",
    mail: (mail: Mail) => {
      if (fails) return Promise.reject(fails);
      sent.push(mail);
      return Promise.resolve();
    },
  };
  const edge = await openTestApp({ outside });
  // The last evening of November: sessions that begin now live on the next days.
  edge.clock.now = FIRST - 9 * HOUR_MS;
  const dana = await edge.addPerson({ username: "דנה <b>", messageQuota: 0 });
  await makeLedger(edge, dana.id);
  const saved = await dana.ask("/api/statement/mail", { method: "PUT", json: { email: "dana@example.org" } });
  assert.equal(saved.status, 200);
  return { edge, dana, sent, fail: (error?: OutsideError) => void (fails = error) };
}

Deno.test("sendStatements(): one message of the month that ended, from eight o'clock, by whatever edge", async () => {
  const { edge, dana, sent } = await openMailHouse();
  await using _ = edge;
  await sendStatements(edge.ctx);
  assert.equal(sent.length, 0, "in the last week of the month");
  edge.clock.now = FIRST - 1;
  await sendStatements(edge.ctx);
  assert.equal(sent.length, 0, "before eight");
  edge.clock.now = FIRST;
  await Promise.all([sendStatements(edge.ctx), sendStatements(edge.ctx)]);
  await sendStatements(edge.ctx);
  assert.equal(sent.length, 1);
  const [mail] = sent;
  assert.equal(mail!.to, "dana@example.org");
  assert.match(mail!.subject, /דוח חודשי 11\/2026/);
  assert.match(mail!.text, /יתרת פתיחה: 900[\s\S]*יתרת סגירה: 1,069/);
  assert.match(mail!.text, /https:\/\/shigur\.example\/client\/statement\?month=2026-11/);
  assert.ok(mail!.html.includes("דנה &lt;b&gt;") && !mail!.html.includes("<b>"));
  assert.equal((await read(dana, "?month=2026-11")).mail.message?.state, "sent");
  edge.clock.now = FIRST + 31 * DAY_MS;
  await sendStatements(edge.ctx);
  assert.equal(sent.length, 2, "and one of the next month");
});

Deno.test("sendStatements(): what may have arrived is not sent again; what surely did not is, twice", async () => {
  const { edge, dana, sent, fail } = await openMailHouse();
  await using _ = edge;
  edge.clock.now = FIRST;
  fail(new OutsideError("refused", false, 450));
  await sendStatements(edge.ctx);
  edge.clock.now += 9 * 60_000;
  fail();
  await sendStatements(edge.ctx);
  assert.equal(sent.length, 0, "not yet");
  edge.clock.now += 60_000;
  fail(new OutsideError("timeout", true));
  await sendStatements(edge.ctx);
  fail();
  edge.clock.now += HOUR_MS;
  await sendStatements(edge.ctx);
  assert.equal(sent.length, 0);
  assert.equal((await read(dana, "?month=2026-11")).mail.message?.state, "unknown");
});

Deno.test("sendStatements(): an edge that died under a message leaves it unknown", async () => {
  const { edge, dana, sent } = await openMailHouse();
  await using _ = edge;
  edge.clock.now = FIRST;
  await edge.ctx.db.execute({
    sql:
      "INSERT INTO statement_messages (client, month, state, attempts, tried_at) VALUES (?, '2026-11', 'sending', 1, ?)",
    args: [dana.id, FIRST],
  });
  edge.clock.now += 3 * 60_000;
  await sendStatements(edge.ctx);
  assert.equal(sent.length, 0);
  assert.equal((await read(dana, "?month=2026-11")).mail.message?.state, "unknown");
});

Deno.test("sendStatements(): nobody who took the address back, is disabled, or lets the first days pass", async () => {
  const { edge, dana, sent } = await openMailHouse();
  await using _ = edge;
  edge.clock.now = FIRST;
  await edge.ctx.db.execute(`UPDATE users SET disabled = 1 WHERE id = ${dana.id}`);
  await sendStatements(edge.ctx);
  await edge.ctx.db.execute(`UPDATE users SET disabled = 0 WHERE id = ${dana.id}`);
  edge.clock.now = startOfMonth(addMonths("2026-11", 1)) + 6 * DAY_MS;
  await sendStatements(edge.ctx);
  edge.clock.now = FIRST;
  const taken = await dana.ask("/api/statement/mail", { method: "PUT", json: { email: null } });
  assert.equal(taken.status, 200);
  await sendStatements(edge.ctx);
  assert.equal(sent.length, 0);
});

Deno.test("chooseStatementMail takes one address, and no header of a mail", async () => {
  await using edge = await openTestApp();
  const dana = await edge.addPerson();
  for (const email of ["", "dana", "a@b.co\r\nBcc: x@y.co", "a@b.co, c@d.co", `${"a".repeat(250)}@b.co`]) {
    const answer = await dana.ask("/api/statement/mail", { method: "PUT", json: { email } });
    assert.equal(answer.status, 400, email);
  }
  assert.equal((await read(dana)).mail.isPossible, false, "without a mail server");
});

Deno.test("openMail() sends to the address of the message, and to no operator", async () => {
  await using server = startFakeMail();
  const send = openMail(server.email);
  await send({ to: "dana@example.org", subject: "שיגור", text: "שלום", html: "<p>שלום</p>", at: 0 });
  assert.deepEqual(server.received.map(({ to }) => to), [["dana@example.org"]]);
  assert.match(server.received[0]!.data, /multipart\/alternative/);
  assert.ok(openEmail(server.email));
});
