import type { ResultSet, Transaction } from "@libsql/client/web";
import type { EdgeContext } from "../context.ts";
import { HttpError } from "../http/http_error.ts";
import { CONSENTED, KEEP_CONSENTS, NEEDS_CONSENT } from "../lawful/consent.ts";
import { nobody, readBlocked } from "../privacy/blocked.ts";
import { inTransaction } from "../db/in_transaction.ts";
import { statement } from "../db/statement.ts";
import { rightAfter, ROWS_OF_STEP_BEFORE, writeBatch } from "../db/write_batch.ts";
import type { YieldToEventLoop } from "../http/yield_to_event_loop.ts";
import { CONTACT_ROOM } from "./contact_room.ts";
import type { ContactList } from "./contact_list.ts";
import { IMPORT_GIVES_UP_MS, importProgress, type RunningImport } from "./remove_import.ts";
import { jsonOf } from "./numbers_json.ts";
import { sortNumbers } from "./sort_numbers.ts";

/** Numbers per statement: some 20 ms on a local file, and the event loop is blocked that long. */
const CHUNK = 5_000;
/** With up to 20 values of 200 signs each: a remote database accepts statements of some megabytes. */
const CHUNK_WITH_FIELDS = 500;
/**
 * Numbers per transaction. Unsorted phones make every commit write most pages of their index: one commit per chunk
 * would write them ten times as often. It blocks other writers for some 0.1 s.
 */
export const MAX_PART = 10 * CHUNK;
/**
 * The part of a list longer than MAX_PART that is sent first, in file order. Each of its numbers is on a different page
 * of the index. Five times as many would block the loop too long at their commit.
 */
const HEAD = 1_000;

// No row = the import was silent so long that another edge may have ended it and removed its rows.
export const BEAT =
  `UPDATE imports SET total_rows = :totalRows, processed_rows = :processedRows, updated_at = :now
  WHERE id = :importId AND status = 'processing' AND updated_at > :now - ${IMPORT_GIVES_UP_MS}`;
// The first EXISTS runs once; the per-number search runs only if the list has rows. The plus stops SQLite from building
// the list again for every row: a number has few suppressions.
export const SUPPRESSED = `(EXISTS (SELECT 1 FROM suppressions WHERE client IN (0, :client))
  AND EXISTS (SELECT 1 FROM suppressions WHERE phone = value AND +client IN (0, :client)))`;
// Advertising goes only to numbers with a consent, declared now or in an earlier upload.
export const MAY_TAKE = `NOT ${SUPPRESSED} AND (${NEEDS_CONSENT} IS NOT 1 OR ${CONSENTED})`;
// Without a first id the rows get the next free ids.
const INSERT = `INSERT INTO deliveries (id, campaign, phone, import, updated_at)
  SELECT :firstId + key, :campaign, value, :importId, :now FROM json_each(:phones) WHERE ${MAY_TAKE}
  ON CONFLICT (campaign, phone) DO NOTHING`;
// The values that the file holds of each number.
const INSERT_WITH_FIELDS = `INSERT INTO deliveries (id, campaign, phone, import, fields, updated_at)
  SELECT :firstId + key, :campaign, value, :importId, fields, :now
  FROM (SELECT key, row ->> 0 AS value, row ->> 1 AS fields FROM (SELECT key, value AS row FROM json_each(:rows)))
  WHERE ${MAY_TAKE} ON CONFLICT (campaign, phone) DO NOTHING`;
// The values that the client's lists hold of each number are copied: later changes of a list change no campaign.
const INSERT_OF_LISTS = `INSERT INTO deliveries (id, campaign, phone, import, fields, updated_at)
  SELECT :firstId + key, :campaign, value, :importId,
    (SELECT fields FROM contacts c WHERE c.client = :client AND c.phone = value), :now
  FROM json_each(:phones) WHERE ${MAY_TAKE} ON CONFLICT (campaign, phone) DO NOTHING`;
// A number that was pasted alone takes the values that come with it later; values that it has are never replaced. The
// rows are found first, from the numbers: otherwise SQLite reads the campaign and, for each row, all numbers.
const fillFrom = (source: string) =>
  `WITH v AS MATERIALIZED (${source}), found AS MATERIALIZED (SELECT d.id, v.fields FROM v CROSS JOIN deliveries d
    ON d.campaign = :campaign AND d.phone = v.phone
    WHERE v.fields <> '{}' AND d.state = 'queued' AND coalesce(d.fields, '{}') = '{}'
      AND EXISTS (SELECT 1 FROM campaigns WHERE id = :campaign AND status IN ('draft', 'ready')))
  UPDATE deliveries SET fields = found.fields FROM found WHERE deliveries.id = found.id`;
const FILL = fillFrom("SELECT value ->> 0 AS phone, value ->> 1 AS fields FROM json_each(:rows)");
const FILL_OF_LISTS = fillFrom(
  `SELECT c.phone, c.fields FROM json_each(:phones) n CROSS JOIN contacts c
    ON c.client = :client AND c.phone = n.value`,
);
const COUNT = `UPDATE campaigns SET queued_count = queued_count + ${ROWS_OF_STEP_BEFORE} WHERE id = :campaign
  RETURNING unconsented_count AS left_out, kind = 'marketing' AS advertises`;
const ASK_ROOM = `SELECT ${CONTACT_ROOM} < 0 AS is_full`;
const COUNT_SUPPRESSED = `SELECT count(*) AS count FROM json_each(:phones) WHERE ${SUPPRESSED}`;
const WITHOUT_CONSENT = `NOT ${SUPPRESSED} AND NOT ${CONSENTED}`;
const COUNT_WITHOUT_CONSENT = `SELECT count(*) AS count FROM json_each(:phones) WHERE ${WITHOUT_CONSENT}`;
const LEAVE_OUT = `INSERT INTO unconsented (campaign, phone, import)
  SELECT :campaign, value, :importId FROM json_each(:phones) WHERE ${WITHOUT_CONSENT}
  ON CONFLICT (campaign, phone) DO NOTHING`;
// Numbers left out before that are included now: a service takes all numbers, and the campaign may have become one.
const TAKE_UP = `DELETE FROM unconsented WHERE campaign = :campaign
  AND phone IN (SELECT value FROM json_each(:phones) WHERE ${NEEDS_CONSENT} IS NOT 1 OR ${CONSENTED})`;

// Somebody who is written to again, and whose consent was missing until now.
const KEEP_ORIGINS = `UPDATE deliveries SET origin = u.origin FROM unconsented u
  WHERE u.campaign = :campaign AND u.origin IS NOT NULL AND deliveries.campaign = :campaign AND deliveries.phone = u.phone
    AND u.phone IN (SELECT value FROM json_each(:phones))`;

const BEGIN_IDS = `INSERT INTO sqlite_sequence (name, seq)
  SELECT 'deliveries', 0 WHERE NOT EXISTS (SELECT 1 FROM sqlite_sequence WHERE name = 'deliveries')`;
const KEEP_IDS = `UPDATE sqlite_sequence SET seq = seq + CAST(:count AS INTEGER) WHERE name = 'deliveries'
  RETURNING seq - CAST(:count AS INTEGER) + 1 AS first`;

/** Returns the values of a number as JSON; null = none. */
export type FieldsOf = (phone: number) => string | null;

export interface ContactsToInsert extends RunningImport {
  list: Pick<ContactList, "phones" | "duplicates" | "invalid">;
  /** Absent = no values are kept. */
  fieldsOf?: FieldsOf | undefined;
  /** True = each row gets the values that the client's lists hold of its number. @default {false} */
  isOfLists?: boolean;
  yieldToEventLoop: YieldToEventLoop;
}

export interface InsertedCounts {
  /** The other numbers were already in the campaign, are suppressed, or have no declared consent. */
  added: number;
  suppressed: number;
  withoutConsent: number;
}

/**
 * Inserts a list in several transactions, so that the row ids follow the order of arrange(); leaves out suppressed
 * numbers.
 *
 * @throws {HttpError} `contacts_full`
 * @throws {Error} when the import was silent so long that another edge may have ended it
 */
export async function insertContacts(
  ctx: EdgeContext,
  { list: { phones, duplicates, invalid }, fieldsOf, yieldToEventLoop, ...args }: ContactsToInsert,
): Promise<InsertedCounts> {
  const read = duplicates + invalid;
  const all: InsertedCounts = { added: 0, suppressed: 0, withoutConsent: 0 };
  const head = await arrange(phones, yieldToEventLoop);
  // Insert the head last, with the first ids. Inserting it first would put the rest between its numbers, in the middle
  // of the index instead of at its end: a tenth slower.
  const headsIds = head > 0 ? { firstId: await keepIds(ctx, head) } : {};
  let processedRows = read;
  const insert = async (part: Float64Array, ids: { firstId?: number } = {}) => {
    processedRows += part.length;
    await inTransaction(ctx.db, async (tx) => {
      const now = ctx.now();
      const beat = { ...args, totalRows: read + phones.length, processedRows, now };
      const { goesOn } = await writeBatch(tx, {
        goesOn: statement(BEAT, beat),
        progressEvent: importProgress({ ...args, now }, processedRows, false),
      });
      if (goesOn.rowsAffected === 0) {
        throw new Error(`Cannot go on with import ${args.importId}: it was given up`);
      }
      addUp(all, await insertPart(ctx, tx, { ...args, ...ids, fieldsOf, now }, part, yieldToEventLoop));
    });
    ctx.wakeOutbox();
  };
  for (let from = head; from < phones.length; from += MAX_PART) {
    await insert(phones.subarray(from, from + MAX_PART));
  }
  if (head > 0) await insert(phones.subarray(0, head), headsIds);
  return all;
}

/**
 * Sorts a list in place into its sending order: short lists keep file order; after the head, long lists follow the
 * numbers (docs/decisions/010-long-lists-by-number.md). Returns the length of the head, 0 for a short list.
 */
export async function arrange(phones: Float64Array, yieldToEventLoop: YieldToEventLoop): Promise<number> {
  if (phones.length <= MAX_PART) return 0;
  await sortNumbers(phones.subarray(HEAD), yieldToEventLoop);
  return HEAD;
}

/** Reserves `count` consecutive ids that no delivery has or will get, and returns the first. */
async function keepIds({ db }: EdgeContext, count: number): Promise<number> {
  const { kept: { rows: [kept] } } = await writeBatch(db, {
    begun: BEGIN_IDS,
    kept: statement(KEEP_IDS, { count }),
  });
  return Number(kept!.first);
}

/** Arguments shared by the rows of a part. With `firstId` the rows get their own ids from there on. */
type PartArgs = RunningImport & Pick<ContactsToInsert, "fieldsOf" | "isOfLists"> & {
  now: number;
  firstId?: number;
};

/**
 * Inserts numbers in order, in the caller's transaction: at most MAX_PART.
 *
 * @throws {HttpError} `contacts_full`; the caller must then roll the transaction back
 */
export async function insertPart(
  ctx: EdgeContext,
  tx: Transaction,
  args: PartArgs,
  part: Float64Array,
  yieldToEventLoop: YieldToEventLoop,
): Promise<InsertedCounts> {
  const isBlocked = await readBlocked(ctx, tx);
  const counts: InsertedCounts = { added: 0, suppressed: 0, withoutConsent: 0 };
  const size = args.fieldsOf === undefined ? CHUNK : CHUNK_WITH_FIELDS;
  for (let at = 0; at < part.length; at += size) {
    const chunk = part.subarray(at, at + size);
    const free = isBlocked === nobody ? chunk : chunk.filter((phone) => !isBlocked(phone));
    const firstId = args.firstId === undefined ? {} : { firstId: args.firstId + at };
    addUp(counts, await insertChunk(tx, { ...args, ...firstId }, free));
    counts.suppressed += chunk.length - free.length;
    await yieldToEventLoop();
  }
  return counts;
}

async function insertChunk(
  tx: Transaction,
  { fieldsOf, ...args }: PartArgs,
  chunk: Float64Array,
): Promise<InsertedCounts> {
  const rows = fieldsOf && JSON.stringify(Array.from(chunk, (phone) => [phone, fieldsOf(phone)]));
  const withPhones = { firstId: null, ...args, phones: jsonOf(chunk), ...(rows && { rows }) };
  const ask = (sql: string) => statement(sql, withPhones);
  // On a remote database each batch is a round trip, and it blocks other writers that long.
  const { inserted: { rowsAffected: added }, counted: { rows: [campaign] }, room } = await writeBatch(tx, {
    consentsKept: ask(KEEP_CONSENTS),
    inserted: ask(rows !== undefined ? INSERT_WITH_FIELDS : args.isOfLists ? INSERT_OF_LISTS : INSERT),
    counted: rightAfter("inserted", ask(COUNT)),
    room: ask(ASK_ROOM),
  });
  if (added > 0) refuseFull(room);
  // Looking up each number takes a tenth of the whole import.
  if (Number(campaign!.left_out) > 0) {
    await writeBatch(tx, { originsKept: ask(KEEP_ORIGINS), takenUp: ask(TAKE_UP) });
  }
  if (added === chunk.length) return { added, suppressed: 0, withoutConsent: 0 };
  const askConsent = (sql: string) => campaign!.advertises === 1 ? ask(sql) : undefined;
  const { suppressed, leftOut, withoutConsent, roomLeft } = await writeBatch(tx, {
    filled: rows !== undefined ? ask(FILL) : args.isOfLists ? ask(FILL_OF_LISTS) : undefined,
    suppressed: ask(COUNT_SUPPRESSED),
    leftOut: askConsent(LEAVE_OUT),
    withoutConsent: askConsent(COUNT_WITHOUT_CONSENT),
    roomLeft: askConsent(ASK_ROOM),
  });
  if (leftOut !== undefined && leftOut.rowsAffected > 0) refuseFull(roomLeft);
  return { added, suppressed: countIn(suppressed), withoutConsent: countIn(withoutConsent) };
}

/** Throws when the list is full; the throw rolls the transaction back. @throws {HttpError} `contacts_full` */
function refuseFull(room: ResultSet | undefined): void {
  if (room?.rows[0]?.is_full === 1) throw new HttpError("contacts_full");
}

function countIn(answer: ResultSet | undefined): number {
  return Number(answer?.rows[0].count ?? 0);
}

function addUp(sum: InsertedCounts, more: InsertedCounts): void {
  sum.added += more.added;
  sum.suppressed += more.suppressed;
  sum.withoutConsent += more.withoutConsent;
}
