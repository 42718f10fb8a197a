import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import { type Expectation, testify } from "./witness.ts";

const TEXT = "שלום";
const SCHEMA = `
CREATE TABLE campaigns (id INTEGER PRIMARY KEY, message TEXT, image TEXT, status TEXT);
CREATE TABLE deliveries (id INTEGER PRIMARY KEY, campaign INTEGER, phone INTEGER, state TEXT, reason TEXT, by INTEGER,
  token TEXT, account INTEGER, resent INTEGER DEFAULT 0, fields TEXT);
CREATE TABLE accounts (id INTEGER PRIMARY KEY, key TEXT);
CREATE TABLE attempts (campaign INTEGER, phone INTEGER, outcome TEXT);
CREATE TABLE users (id INTEGER PRIMARY KEY, message_quota INTEGER);
CREATE TABLE settings (key TEXT, value TEXT);
CREATE TABLE quota_ledger (id INTEGER PRIMARY KEY, client INTEGER, kind TEXT, delta INTEGER, balance_after INTEGER,
  campaign INTEGER);
INSERT INTO campaigns VALUES (1, '${TEXT}', NULL, 'completed_with_errors');
INSERT INTO accounts VALUES (1, 'SIM0001/com.whatsapp/0'), (2, 'SIM0002/com.whatsapp/0');
INSERT INTO deliveries (campaign, phone, state, reason, by, token, account) VALUES
  (1, 972500000001, 'sent', NULL, 1, 'a', 1), (1, 972500000002, 'sent', NULL, 1, 'a', 1),
  (1, 972500000003, 'unknown', 'send_not_verified', 1, 'b', 2), (1, 972500000004, 'failed', 'not_on_app', 1, 'b', 2);
INSERT INTO attempts VALUES (1, 972500000003, 'unknown');
INSERT INTO users VALUES (7, 97);
INSERT INTO quota_ledger (client, kind, delta, balance_after, campaign) VALUES
  (7, 'grant', 100, 100, NULL), (7, 'reserve', -4, 96, 1), (7, 'refund', 1, 97, 1);
`;
const EXPECTED: Expectation = { contacts: new Map([[1, 4]]), unknownPerDevice: 1, pace: 1 };

Deno.test("testify() finds nothing where taps, rows and ledger agree", async () => {
  assert.deepEqual(await violationsOf({}), []);
});

const PLANTED: { fault: string; sql?: string; taps?: (taps: Tap[]) => Tap[]; expected: RegExp }[] = [
  {
    fault: "a second tap",
    taps: (taps) => [...taps, at(9, taps[0]!)],
    expected: /^doubled: .*1 was tapped 2 times/,
  },
  {
    fault: "a sent row without a tap",
    taps: (taps) => taps.slice(1),
    expected: /^lost: .*1 is sent and was never/,
  },
  {
    fault: "a tap of what failed",
    taps: (taps) => [...taps, at(9, { ...taps[0]!, phone: "+972500000004", serial: "SIM0002" })],
    expected: /^untrue: .*4 is failed/,
  },
  {
    fault: "a tap nobody asked for",
    taps: (taps) => [...taps, at(9, { ...taps[0]!, phone: "+972500000009" })],
    expected: /^nobody asked/,
  },
  {
    fault: "half a text",
    taps: ([first, ...rest]) => [{ ...first!, text: "של" }, ...rest],
    expected: /^nobody asked/,
  },
  {
    fault: "another account",
    taps: ([first, ...rest]) => [{ ...first!, serial: "SIM0002" }, ...rest],
    expected: /^wrong account/,
  },
  {
    fault: "a picture nobody chose",
    taps: ([first, ...rest]) => [{ ...first!, image: "00" }, ...rest],
    expected: /^wrong picture/,
  },
  {
    fault: "two taps at once",
    taps: ([first, second]) => [first!, at(0.5, second!)],
    expected: /within 500 ms/,
  },
  {
    fault: "more than a day's cap",
    sql: `INSERT INTO settings VALUES ('maxMessagesPerDay', '1')`,
    expected: /tapped 2 times on/,
  },
  { fault: "a missing row", sql: "DELETE FROM deliveries WHERE id = 4", expected: /has 3 rows of 4/ },
  {
    fault: "a row under way",
    sql: "UPDATE deliveries SET state = 'leased' WHERE id = 3",
    expected: /rests at leased/,
  },
  {
    fault: "a status its rows deny",
    sql: "UPDATE campaigns SET status = 'completed'",
    expected: /its rows say/,
  },
  {
    fault: "an unknown without evidence",
    sql: "DELETE FROM attempts",
    expected: /^unexplained: .*3 is unknown by 1/,
  },
  {
    fault: "an unknown nobody expects",
    sql: "UPDATE deliveries SET reason = 'journal_lost', by = 4 WHERE id = 3",
    expected: /^unexplained: .*journal_lost/,
  },
  {
    fault: "more unknown than disturbances",
    sql: `UPDATE deliveries SET state = 'unknown', reason = 'send_not_verified', account = 2 WHERE id = 1;
      INSERT INTO attempts VALUES (1, 972500000001, 'unknown')`,
    expected: /SIM0002 has 2 unknown and was disturbed 1 times/,
  },
  {
    fault: "a refund too few",
    sql: "DELETE FROM quota_ledger WHERE kind = 'refund'",
    expected: /paid 4, its rows hold 3/,
  },
  {
    fault: "a refund for nothing",
    sql:
      `INSERT INTO quota_ledger (client, kind, delta, balance_after, campaign) VALUES (7, 'refund', 1, 98, 1);
      UPDATE users SET message_quota = 98`,
    expected: /paid 2, its rows hold 3/,
  },
  { fault: "a balance shown wrong", sql: "UPDATE users SET message_quota = 96", expected: /is shown 96/ },
  {
    fault: "an entry with a wrong balance",
    sql: "UPDATE quota_ledger SET balance_after = 95 WHERE id = 2",
    expected: /says 95/,
  },
  {
    fault: "a refund that takes",
    sql: "UPDATE quota_ledger SET delta = -1 WHERE id = 3",
    expected: /is a refund of -1/,
  },
  {
    fault: "a balance below 0",
    sql: `INSERT INTO quota_ledger (client, kind, delta, balance_after) VALUES (7, 'grant', -98, -1);
      UPDATE users SET message_quota = -1`,
    expected: /the balance is -1/,
  },
];

/** The second row's text is its own too; taps with honest texts of these. */
const PERSONAL = `UPDATE campaigns SET message = 'שלום {{שם}} {{עיר|שלנו}}';
  UPDATE deliveries SET fields = '{"שם":"נועה"}'; UPDATE deliveries SET fields = '{"שם":"דן","עיר":"{{שם}}"}' WHERE id = 2`;
const honestTexts = (taps: Tap[]): Tap[] => {
  const texts: Record<string, string> = { 1: "שלום נועה שלנו", 2: "שלום דן {{שם}}", 3: "שלום נועה שלנו" };
  return taps.map((tap) => ({ ...tap, text: texts[tap.phone.at(-1)!]! }));
};

Deno.test("testify() finds nothing where each recipient got its own text", async () => {
  assert.deepEqual(await violationsOf({ sql: PERSONAL, taps: honestTexts }), []);
});

const WRONG_TEXTS: Record<string, (taps: Tap[]) => Tap[]> = {
  "swapped between two": ([a, b, ...rest]) => [{ ...a!, text: b!.text }, { ...b!, text: a!.text }, ...rest],
  "repeated": ([a, b, ...rest]) => [a!, { ...b!, text: a!.text }, ...rest],
  "left raw": ([a, ...rest]) => [{ ...a!, text: "שלום {{שם}} {{עיר|שלנו}}" }, ...rest],
  "left out": ([a, ...rest]) => [{ ...a!, text: "שלום  שלנו" }, ...rest],
};
for (const [fault, plant] of Object.entries(WRONG_TEXTS)) {
  Deno.test(`testify() finds personal texts that were ${fault}`, async () => {
    const violations = await violationsOf({ sql: PERSONAL, taps: (taps) => plant(honestTexts(taps)) });
    assert.ok(violations.some((violation) => violation.startsWith("nobody asked")), violations.join("\n"));
  });
}

for (const { fault, expected, ...planted } of PLANTED) {
  Deno.test(`testify() finds ${fault}`, async () => {
    const violations = await violationsOf(planted);
    assert.ok(
      violations.some((violation) => expected.test(violation)),
      violations.join("\n") || "nothing was found",
    );
  });
}

Deno.test("testify() allows a second tap of a delivery that a person sent again", async () => {
  const sql = "UPDATE deliveries SET resent = 1 WHERE id = 1";
  assert.deepEqual(await violationsOf({ sql, taps: (taps) => [...taps, at(9, taps[0]!)] }), []);
});

Deno.test("testify() does not count a torn last line as a tap", async () => {
  assert.deepEqual(await violationsOf({ torn: '{"at":"2026-' }), []);
});

interface Tap {
  at: string;
  serial: string;
  account: string;
  phone: string;
  text: string;
  image: null | string;
}

function at(second: number, tap: Omit<Tap, "at">): Tap {
  return { ...tap, at: new Date(Date.UTC(2026, 10, 21, 8) + second * 1000).toISOString() };
}

/** Returns the violations in a small consistent world after `sql` and `taps` changed it. */
async function violationsOf(
  { sql = "", taps = (same) => same, torn = "" }: {
    sql?: string;
    taps?: (taps: Tap[]) => Tap[];
    torn?: string;
  },
): Promise<string[]> {
  const dataDir = await Deno.makeTempDir({ prefix: "shigur-witness-" });
  try {
    await Deno.mkdir(`${dataDir}/simulator`);
    const tap = { serial: "SIM0001", account: "com.whatsapp/0", text: TEXT, image: null };
    const honest = [1, 2].map((n) => at(n, { ...tap, phone: `+97250000000${n}` }));
    const lines = taps(honest).map((one) => `${JSON.stringify(one)}\n`);
    await Deno.writeTextFile(`${dataDir}/simulator/taps.jsonl`, lines.join("") + torn);
    {
      using db = new DatabaseSync(`${dataDir}/shigur.db`);
      db.exec(SCHEMA);
      db.exec(sql);
    }
    return testify(dataDir, EXPECTED).violations;
  } finally {
    await Deno.remove(dataDir, { recursive: true });
  }
}
