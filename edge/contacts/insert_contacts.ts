import type { ResultSet, Transaction } from "@libsql/client/web";
import type { EdgeContext } from "../context.ts";
import { CONSENTED, IS_MARKETING, KEEP_CONSENTS } from "../lawful/consent.ts";
import { type IsBlocked, readBlocked } from "../privacy/blocked.ts";
import { inTransaction } from "../queue/in_transaction.ts";
import { statement } from "../queue/statement.ts";
import type { Breathe } from "./breathe.ts";
import type { ContactList } from "./contact_list.ts";
import { IMPORT_GIVES_UP_MS, importProgress, type RunningImport } from "./remove_import.ts";

/** Some 20 ms a statement on a local file, which stops the event loop for as long. */
const CHUNK = 5_000;
/**
 * Numbers a transaction. Phones come in no order, so that every commit writes most pages of their index: one a chunk
 * would write a list of a million forty times over. It holds up other writers for some 0.1 s.
 */
export const MAX_PART = 10 * CHUNK;

// No row = it was silent for so long that it may have been given up, and its rows removed.
const BEAT = `UPDATE imports SET total_rows = :totalRows, processed_rows = :processedRows, updated_at = :now
  WHERE id = :importId AND status = 'processing' AND updated_at > :now - ${IMPORT_GIVES_UP_MS}`;
// Whether there is any is asked once, each number only then. The plus keeps SQLite from building the list anew for every
// row: a number has few suppressions.
const SUPPRESSED = `(EXISTS (SELECT 1 FROM suppressions WHERE client IN (0, :client))
  AND EXISTS (SELECT 1 FROM suppressions WHERE phone = value AND +client IN (0, :client)))`;
// Advertising goes to whom the client has declared a consent of, now or with an earlier upload.
const MAY_TAKE = `NOT ${SUPPRESSED} AND (${IS_MARKETING} IS NOT 1 OR ${CONSENTED})`;
const INSERT = `INSERT INTO deliveries (campaign, phone, import, updated_at)
  SELECT :campaign, value, :importId, :now FROM json_each(:phones) WHERE ${MAY_TAKE}
  ON CONFLICT (campaign, phone) DO NOTHING`;
const COUNT = `UPDATE campaigns SET queued_count = queued_count + changes() WHERE id = :campaign
  RETURNING unconsented_count AS left_out, kind = 'marketing' AS advertises`;
const COUNT_SUPPRESSED = `SELECT count(*) AS count FROM json_each(:phones) WHERE ${SUPPRESSED}`;
const WITHOUT_CONSENT = `NOT ${SUPPRESSED} AND NOT ${CONSENTED}`;
const COUNT_WITHOUT_CONSENT = `SELECT count(*) AS count FROM json_each(:phones) WHERE ${WITHOUT_CONSENT}`;
const LEAVE_OUT = `INSERT INTO unconsented (campaign, phone, import)
  SELECT :campaign, value, :importId FROM json_each(:phones) WHERE ${WITHOUT_CONSENT}
  ON CONFLICT (campaign, phone) DO NOTHING`;
// Whoever was left out before, and is in now: a service, which the campaign may have become, takes everybody.
const TAKE_UP = `DELETE FROM unconsented WHERE campaign = :campaign
  AND phone IN (SELECT value FROM json_each(:phones) WHERE ${IS_MARKETING} IS NOT 1 OR ${CONSENTED})`;

export interface ContactsToInsert extends RunningImport {
  list: ContactList;
  breathe: Breathe;
}

export interface InsertedCounts {
  /** The others were in the campaign before, are suppressed, or nobody declared their consent. */
  added: number;
  suppressed: number;
  withoutConsent: number;
}

/**
 * Inserts a list in its order, a transaction every so many rows; suppressed numbers are left out.
 *
 * @throws Error when the import was silent for so long that another may have given it up
 */
export async function insertContacts(
  ctx: EdgeContext,
  { list: { phones, duplicates, invalid }, breathe, ...args }: ContactsToInsert,
): Promise<InsertedCounts> {
  const read = duplicates + invalid;
  const all: InsertedCounts = { added: 0, suppressed: 0, withoutConsent: 0 };
  const isBlocked = await readBlocked(ctx);
  for (let from = 0; from < phones.length; from += MAX_PART) {
    const part = phones.subarray(from, from + MAX_PART);
    const processedRows = read + from + part.length;
    await inTransaction(ctx.db, async (tx) => {
      const now = ctx.now();
      const beat = { ...args, totalRows: read + phones.length, processedRows, now };
      const [goesOn] = await tx.batch([
        statement(BEAT, beat),
        importProgress({ ...args, now }, processedRows, false),
      ]);
      if (goesOn!.rowsAffected === 0) {
        throw new Error(`Cannot go on with import ${args.importId}: it was given up`);
      }
      addUp(all, await insertPart(tx, { ...args, now }, part, breathe, isBlocked));
    });
    ctx.wakeOutbox();
  }
  return all;
}

/** Inserts numbers in their order, in the transaction of whoever counts them; MAX_PART at most. */
export async function insertPart(
  tx: Transaction,
  args: RunningImport & { now: number },
  part: Float64Array,
  breathe: Breathe,
  isBlocked: IsBlocked,
): Promise<InsertedCounts> {
  const counts: InsertedCounts = { added: 0, suppressed: 0, withoutConsent: 0 };
  for (let at = 0; at < part.length; at += CHUNK) {
    const chunk = part.subarray(at, at + CHUNK);
    const free = chunk.filter((phone) => !isBlocked(phone));
    addUp(counts, await insertChunk(tx, args, free));
    counts.suppressed += chunk.length - free.length;
    await breathe();
  }
  return counts;
}

async function insertChunk(
  tx: Transaction,
  args: RunningImport & { now: number },
  chunk: Float64Array,
): Promise<InsertedCounts> {
  const withPhones = { ...args, phones: `[${chunk.join()}]` };
  // Over a remote database each call is a way, for whose length the writer is held.
  const run = (...all: string[]) => tx.batch(all.map((sql) => statement(sql, withPhones)));
  const [, { rowsAffected: added }, { rows: [campaign] }] = await run(KEEP_CONSENTS, INSERT, COUNT);
  // Looking each number up takes a tenth of the whole import.
  if (Number(campaign!.left_out) > 0) await run(TAKE_UP);
  if (added === chunk.length) return { added, suppressed: 0, withoutConsent: 0 };
  const ofConsent = campaign!.advertises === 1 ? [LEAVE_OUT, COUNT_WITHOUT_CONSENT] : [];
  const [suppressed, , withoutConsent] = await run(COUNT_SUPPRESSED, ...ofConsent);
  return { added, suppressed: countIn(suppressed), withoutConsent: countIn(withoutConsent) };
}

function countIn(answer: ResultSet | undefined): number {
  return Number(answer?.rows[0].count ?? 0);
}

function addUp(sum: InsertedCounts, more: InsertedCounts): void {
  sum.added += more.added;
  sum.suppressed += more.suppressed;
  sum.withoutConsent += more.withoutConsent;
}
