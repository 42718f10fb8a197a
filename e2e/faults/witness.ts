/**
 * Compares the phones' own tap log with the rows and the ledger, to the unit. It reads the files itself and shares
 * no code with the product, so the product's mistakes are not repeated here.
 *
 * deno run -A e2e/faults/witness.ts <DATA_DIR>
 */
import { DatabaseSync } from "node:sqlite";

export interface Expectation {
  /** Number of contacts of every campaign, by its id; absent = not checked. */
  contacts?: ReadonlyMap<number, number>;
  /** Most `unknown` rows per device: one for each disturbance. Absent = not checked. */
  unknownPerDevice?: number;
  /** Allowed reasons of an `unknown` row in this run. */
  unknownReasons?: readonly string[];
  /** Minimum seconds between two taps of one device. */
  pace?: number;
}

export interface Testimony {
  violations: string[];
  taps: number;
  states: Record<string, number>;
  /** `unknown` rows by reason. */
  unknown: Record<string, number>;
}

interface Tap {
  at: string;
  serial: string;
  account: string;
  phone: string;
  text: string;
  image: string | null;
}

interface Delivery {
  id: number;
  campaign: number;
  phone: string;
  state: string;
  reason: string | null;
  by: number;
  token: string | null;
  account: string | null;
  resent: number;
  isReported: number;
  /** JSON; null = none. */
  fields: string | null;
}

interface Campaign {
  id: number;
  message: string;
  image: string | null;
  status: string;
}

const FINAL = ["sent", "failed", "unknown", "skipped", "cancelled"];
const NEVER_TAPPED = ["failed", "skipped", "cancelled"];
const HOLDING = ["queued", "leased", "sent", "unknown"];
const AFTER_A_TAP = ["send_not_verified", "tap_too_late", "earlier_attempt_open"];
/** `deliveries.by`: 1 = the site reported it, 2 = a person decided. */
const SITE = 1;
const PERSON = 2;
const SIGN: Record<string, number> = { grant: 0, reserve: -1, refund: 1, charge: -1, cover: 1 };
/** A timer of the agent may fire this much early. */
const EARLY_MS = 2;

/** Reads a DATA_DIR whose campaigns have ended and returns all contradictions. */
export function testify(dataDir: string, expected: Expectation = {}): Testimony {
  const taps = readTaps(`${dataDir}/simulator/taps.jsonl`);
  const db = new DatabaseSync(`${dataDir}/shigur.db`, { readOnly: true });
  try {
    const campaigns = all<Campaign>(db, "SELECT id, message, image, status FROM campaigns");
    // The database of an earlier release has no values.
    const hasFields = all<{ name: string }>(db, "SELECT name FROM pragma_table_info('deliveries')")
      .some(({ name }) => name === "fields");
    const deliveries = all<Delivery>(
      db,
      `SELECT d.id, d.campaign, '+' || d.phone AS phone, d.state, d.reason, d.by, d.token, a.key AS account, d.resent,
         ${hasFields ? "d.fields" : "NULL AS fields"},
         EXISTS (SELECT 1 FROM attempts t WHERE t.campaign = d.campaign AND t.phone = d.phone
           AND t.outcome = 'unknown') AS isReported
       FROM deliveries d LEFT JOIN accounts a ON a.id = d.account
       WHERE d.campaign IN (SELECT id FROM campaigns WHERE status NOT IN ('draft', 'ready'))`,
    );
    const violations = [
      ...tapsAgainstRows(taps, campaigns, deliveries),
      ...rowsAgainstExpectation(deliveries, campaigns, expected),
      ...unknownExplained(deliveries, expected),
      ...ledger(db),
      ...paceAndCap(db, taps, expected.pace),
    ];
    const unknown = deliveries.filter((row) => row.state === "unknown");
    return {
      violations,
      taps: taps.length,
      states: count(deliveries.map((row) => row.state)),
      unknown: count(unknown.map((row) => row.reason ?? "no reason")),
    };
  } finally {
    db.close();
  }
}

function tapsAgainstRows(taps: Tap[], campaigns: Campaign[], deliveries: Delivery[]): string[] {
  const wrong: string[] = [];
  const campaignOf = new Map(campaigns.map((campaign) => [campaign.id, campaign]));
  const rowOf = new Map(
    deliveries.map((
      row,
    ) => [`${row.phone} ${textFor(row.fields, campaignOf.get(row.campaign)!.message)}`, row]),
  );
  if (rowOf.size < deliveries.length) {
    wrong.push("two campaigns have one text: their taps cannot be told apart");
  }
  const tapsOf = new Map<Delivery, Tap[]>();
  for (const tap of taps) {
    const row = rowOf.get(`${tap.phone} ${tap.text}`);
    const campaign = row && campaignOf.get(row.campaign);
    if (!campaign || !row) {
      wrong.push(`nobody asked for this tap: ${JSON.stringify(tap)}`);
      continue;
    }
    if (tap.image !== campaign.image) wrong.push(`wrong picture: ${name(row)} got ${tap.image}`);
    tapsOf.set(row, [...tapsOf.get(row) ?? [], tap]);
  }
  for (const row of deliveries) {
    const own = tapsOf.get(row) ?? [];
    if (own.length > 1 + row.resent) {
      wrong.push(`doubled: ${name(row)} was tapped ${own.length} times, resent ${row.resent}`);
    }
    if (row.state === "sent" && row.by !== PERSON && own.length === 0) {
      wrong.push(`lost: ${name(row)} is sent and was never tapped`);
    }
    if (NEVER_TAPPED.includes(row.state) && row.by !== PERSON && own.length > 0) {
      wrong.push(`untrue: ${name(row)} is ${row.state} (${row.reason}) and was tapped`);
    }
    const [tap] = own;
    if (row.state === "sent" && row.resent === 0 && tap && row.account !== `${tap.serial}/${tap.account}`) {
      wrong.push(`wrong account: ${name(row)} is by ${row.account}, tapped on ${tap.serial}/${tap.account}`);
    }
  }
  return wrong;
}

/** Returns the text that a recipient has to get: every {{field}} and {{field|fallback}} with the row's own value. */
export function textFor(fields: string | null, message: string): string {
  const values = new Map(Object.entries<string>(JSON.parse(fields ?? "{}")));
  return message.replace(
    /\{\{([^{}|]+)(?:\|([^{}]*))?\}\}/g,
    (_, field: string, fallback = "") => values.get(field) || fallback,
  );
}

function rowsAgainstExpectation(
  deliveries: Delivery[],
  campaigns: Campaign[],
  { contacts }: Expectation,
): string[] {
  const wrong = deliveries.filter((row) => !FINAL.includes(row.state))
    .map((row) => `lost: ${name(row)} rests at ${row.state}`);
  const rowsOf = Map.groupBy(deliveries, (row) => row.campaign);
  for (const [campaign, expected] of contacts ?? []) {
    const found = rowsOf.get(campaign)?.length ?? 0;
    if (found !== expected) wrong.push(`lost: campaign ${campaign} has ${found} rows of ${expected}`);
  }
  for (const { id, status } of campaigns) {
    const states = count((rowsOf.get(id) ?? []).map((row) => row.state));
    const reached = (states.sent ?? 0) + (states.unknown ?? 0);
    const rows = rowsOf.get(id)?.length ?? 0;
    const derived = reached === 0 ? "failed" : states.sent === rows ? "completed" : "completed_with_errors";
    if (!["draft", "ready", "cancelled"].includes(status) && status !== derived) {
      wrong.push(`campaign ${id} says ${status}, its rows say ${derived}: ${JSON.stringify(states)}`);
    }
  }
  return wrong;
}

function unknownExplained(deliveries: Delivery[], expected: Expectation): string[] {
  const unknown = deliveries.filter((row) => row.state === "unknown");
  const reasons = expected.unknownReasons ?? AFTER_A_TAP;
  const wrong = unknown.filter((row) =>
    !reasons.includes(row.reason ?? "") || (row.by === SITE && !row.isReported)
  )
    .map((row) => `unexplained: ${name(row)} is unknown by ${row.by} (${row.reason})`);
  if (expected.unknownPerDevice === undefined) return wrong;
  const perDevice = count(unknown.map((row) => row.account?.split("/")[0] ?? "no device"));
  for (const [device, found] of Object.entries(perDevice)) {
    if (found > expected.unknownPerDevice) {
      wrong.push(`${device} has ${found} unknown and was disturbed ${expected.unknownPerDevice} times`);
    }
  }
  return wrong;
}

function ledger(db: DatabaseSync): string[] {
  const wrong: string[] = [];
  const entries = all<
    {
      id: number;
      client: number;
      kind: string;
      delta: number;
      balance_after: number;
      campaign: number | null;
    }
  >(db, "SELECT id, client, kind, delta, balance_after, campaign FROM quota_ledger ORDER BY id");
  const balances = new Map<number, number>();
  const paid = new Map<number, number>();
  for (const { id, client, kind, delta, balance_after, campaign } of entries) {
    const balance = (balances.get(client) ?? 0) + delta;
    balances.set(client, balance);
    const sign = SIGN[kind];
    if (sign === undefined || (sign !== 0 && Math.sign(delta) !== sign)) {
      wrong.push(`ledger: entry ${id} is a ${kind} of ${delta}`);
    }
    if (balance !== balance_after || balance < 0) {
      wrong.push(`ledger: after entry ${id} the balance is ${balance}, the entry says ${balance_after}`);
    }
    // A `cover` entry is a grant: it pays the client, not the campaign.
    if (campaign !== null && kind !== "cover") paid.set(campaign, (paid.get(campaign) ?? 0) - delta);
  }
  for (
    const { id, quota } of all<{ id: number; quota: number }>(
      db,
      "SELECT id, message_quota AS quota FROM users",
    )
  ) {
    if (quota !== (balances.get(id) ?? 0)) {
      wrong.push(`ledger: user ${id} is shown ${quota}, the entries say ${balances.get(id) ?? 0}`);
    }
  }
  const held = count(
    all<{ campaign: number; state: string }>(
      db,
      `SELECT campaign, state FROM deliveries
       WHERE campaign IN (SELECT id FROM campaigns WHERE status NOT IN ('draft', 'ready'))`,
    ).filter(({ state }) => HOLDING.includes(state)).map(({ campaign }) => String(campaign)),
  );
  for (const campaign of new Set([...paid.keys(), ...Object.keys(held).map(Number)])) {
    const [rows, units] = [held[campaign] ?? 0, paid.get(campaign) ?? 0];
    if (rows !== units) wrong.push(`ledger: campaign ${campaign} paid ${units}, its rows hold ${rows}`);
  }
  return wrong;
}

function paceAndCap(db: DatabaseSync, taps: Tap[], paceS = 0): string[] {
  const wrong: string[] = [];
  const [setting] = all<{ value: string }>(db, "SELECT value FROM settings WHERE key = 'maxMessagesPerDay'");
  const cap = Number(setting?.value ?? 250);
  const day = new Intl.DateTimeFormat("en-CA", { timeZone: "Asia/Jerusalem" });
  for (const [serial, own] of Map.groupBy(taps, (tap) => tap.serial)) {
    const times = own.map((tap) => Date.parse(tap.at)).sort((a, b) => a - b);
    for (let index = 1; index < times.length; index++) {
      const gapMs = times[index]! - times[index - 1]!;
      if (gapMs < paceS * 1000 - EARLY_MS) wrong.push(`${serial} tapped twice within ${gapMs} ms`);
    }
    for (const [date, taps] of Object.entries(count(times.map((time) => day.format(time))))) {
      if (taps > cap) wrong.push(`${serial} tapped ${taps} times on ${date}, its cap is ${cap}`);
    }
  }
  return wrong;
}

function readTaps(path: string): Tap[] {
  // The last line is incomplete when the simulator died while writing; no screen ever showed that tap.
  return Deno.readTextFileSync(path).split("\n").slice(0, -1).map((line) => JSON.parse(line));
}

function all<Row>(db: DatabaseSync, sql: string): Row[] {
  return db.prepare(sql).all() as unknown as Row[];
}

function count(names: string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const name of names) counts[name] = (counts[name] ?? 0) + 1;
  return counts;
}

function name(row: Delivery): string {
  return `campaign ${row.campaign} ${row.phone}`;
}

if (import.meta.main) {
  const [dataDir] = Deno.args;
  if (dataDir === undefined) {
    await Deno.stderr.write(new TextEncoder().encode("Usage: witness.ts <DATA_DIR>\n"));
    Deno.exit(2);
  }
  const testimony = testify(dataDir);
  await Deno.stdout.write(new TextEncoder().encode(`${JSON.stringify(testimony, null, 2)}\n`));
  Deno.exit(testimony.violations.length === 0 ? 0 : 1);
}
