/** The state of a site at one moment, read from outside: its journal, the edge's rows and the phones' own log. */
import { DatabaseSync } from "node:sqlite";
import type { Tap } from "../../simulator/phone/tap_log.ts";
import type { Product } from "../product.ts";
import { textFor } from "./witness.ts";

/**
 * Steps of a journal row. offered and leased are the journal's `leased`, before and after the edge's confirmation;
 * tapping and tapped are its `tapping`, before and after the phone's tap; the last two are an outcome, before and
 * after the edge received it.
 */
const ROW_STEPS = ["offered", "leased", "tapping", "tapped", "unreported", "unforgotten"] as const;
export type RowStep = (typeof ROW_STEPS)[number];
/** Possible targets of an act; `empty` = the journal has no row. */
export const STEPS = ["empty", ...ROW_STEPS] as const;
export type Step = (typeof STEPS)[number];

export interface SiteRow {
  step: RowStep;
  campaign: number;
  phone: string;
  /** Serial of the row's phone, and its account as "app/user". */
  serial: string;
  account: string;
}

export interface Moment {
  rows: SiteRow[];
  /** All steps of the present rows, or only `empty`. */
  steps: ReadonlySet<Step>;
  taps: number;
  /** Taps without an intent in the journal file; there must never be one. */
  tapsWithoutIntent: Tap[];
}

interface Journal {
  rows: { token: string; campaign: number; phone: string; account: string; state: string }[];
  /** "campaign phone" of every present or archived row that may have been tapped. */
  intents: Set<string>;
}

/** Reads the moment. Freeze the parts first: nothing may write meanwhile. */
export function readMoment(product: Product): Moment {
  const taps = product.taps();
  const journal = readJournal(`${product.dataDir}/agent`);
  // The database of an earlier release has no values.
  const hasFields =
    product.query("SELECT 1 FROM pragma_table_info('deliveries') WHERE name = 'fields'").length > 0;
  const campaignOf = new Map(
    product.query<{ campaign: number; phone: string; message: string; fields: string | null }>(
      `SELECT d.campaign, '+' || d.phone AS phone, c.message, ${hasFields ? "d.fields" : "NULL AS fields"}
       FROM deliveries d JOIN campaigns c ON c.id = d.campaign`,
    ).map(({ campaign, phone, message, fields }) => [`${phone} ${textFor(fields, message)}`, campaign]),
  );
  const keyOf = ({ phone, text }: Tap) => `${campaignOf.get(`${phone} ${text}`)} ${phone}`;
  const tapped = new Set(taps.map(keyOf));
  const isAcked = new Map(
    product.query<{ key: string; acked: number }>(
      `SELECT token || ' +' || phone AS key, acked_at IS NOT NULL AS acked FROM deliveries
       WHERE state = 'leased' AND token IN (SELECT value FROM json_each(?))`,
      JSON.stringify([...new Set(journal.rows.map((row) => row.token))]),
    ).map(({ key, acked }) => [key, acked === 1]),
  );
  const rows = journal.rows.map(({ token, campaign, phone, account, state }): SiteRow => {
    const acked = isAcked.get(`${token} ${phone}`);
    const step = state === "leased"
      ? acked ? "leased" : "offered"
      : state === "tapping"
      ? tapped.has(`${campaign} ${phone}`) ? "tapped" : "tapping"
      : acked === undefined
      ? "unforgotten"
      : "unreported";
    const [serial = "", ...key] = account.split("/");
    return { step, campaign, phone, serial, account: key.join("/") };
  });
  const steps = new Set<Step>(rows.map(({ step }) => step));
  return {
    rows,
    steps: steps.size > 0 ? steps : new Set<Step>(["empty"]),
    taps: taps.length,
    tapsWithoutIntent: taps.filter((tap) => !journal.intents.has(keyOf(tap))),
  };
}

/** Copies a journal and its log from the disk, because the agent's lock prevents opening them. */
export function copyJournal(fromDir: string, toDir: string): void {
  for (const name of ["journal.db", "journal.db-wal"]) {
    try {
      Deno.copyFileSync(`${fromDir}/${name}`, `${toDir}/${name}`);
    } catch (error) {
      if (!(error instanceof Deno.errors.NotFound)) throw error;
    }
  }
}

function readJournal(agentDir: string): Journal {
  const copyDir = Deno.makeTempDirSync({ prefix: "shigur-journal-" });
  try {
    copyJournal(agentDir, copyDir);
    using db = new DatabaseSync(`${copyDir}/journal.db`);
    const all = (sql: string) => db.prepare(sql).all() as unknown as Journal["rows"];
    // An agent that has just started has no tables yet.
    if (all("SELECT name FROM sqlite_schema WHERE name = 'archive'").length === 0) {
      return { rows: [], intents: new Set() };
    }
    const rows = all(
      `SELECT d.token, m.campaign, d.phone, d.account, d.state FROM deliveries d JOIN messages m ON m.token = d.token
       ORDER BY d.seq`,
    );
    const archived = all("SELECT token, campaign, phone, account, outcome AS state FROM archive");
    const mayBeTapped = [...rows, ...archived].filter(({ state }) =>
      ["tapping", "sent", "unknown"].includes(state)
    );
    return { rows, intents: new Set(mayBeTapped.map(({ campaign, phone }) => `${campaign} ${phone}`)) };
  } finally {
    Deno.removeSync(copyDir, { recursive: true });
  }
}
