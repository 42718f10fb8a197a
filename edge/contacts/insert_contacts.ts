import type { ResultSet, Transaction } from "@libsql/client/web";
import type { EdgeContext } from "../context.ts";
import { HttpError } from "../http/http_error.ts";
import { CONSENTED, IS_MARKETING, KEEP_CONSENTS } from "../lawful/consent.ts";
import { readBlocked } from "../privacy/blocked.ts";
import { inTransaction } from "../db/in_transaction.ts";
import { statement } from "../db/statement.ts";
import type { Breathe } from "../http/breathe.ts";
import { CONTACT_ROOM } from "./contact_room.ts";
import type { ContactList } from "./contact_list.ts";
import { IMPORT_GIVES_UP_MS, importProgress, type RunningImport } from "./remove_import.ts";
import { sortNumbers } from "./sort_numbers.ts";

/** Some 20 ms a statement on a local file, which stops the event loop for as long. */
const CHUNK = 5_000;
/**
 * Numbers a transaction. Of phones in no order every commit writes most pages of their index: one a chunk would write
 * them ten times as often. It holds up other writers for some 0.1 s.
 */
export const MAX_PART = 10 * CHUNK;
/**
 * Of a list of more than MAX_PART: what is sent first, as it stands in the file. Each of them is on a page of its own of
 * the tree of numbers, so that five times as many would stop the loop for too long at their commit.
 */
const HEAD = 1_000;

// No row = it was silent for so long that it may have been given up, and its rows removed.
export const BEAT =
  `UPDATE imports SET total_rows = :totalRows, processed_rows = :processedRows, updated_at = :now
  WHERE id = :importId AND status = 'processing' AND updated_at > :now - ${IMPORT_GIVES_UP_MS}`;
// Whether there is any is asked once, each number only then. The plus keeps SQLite from building the list anew for every
// row: a number has few suppressions.
export const SUPPRESSED = `(EXISTS (SELECT 1 FROM suppressions WHERE client IN (0, :client))
  AND EXISTS (SELECT 1 FROM suppressions WHERE phone = value AND +client IN (0, :client)))`;
// Advertising goes to whom the client has declared a consent of, now or with an earlier upload.
export const MAY_TAKE = `NOT ${SUPPRESSED} AND (${IS_MARKETING} IS NOT 1 OR ${CONSENTED})`;
// Without a first id the rows get the next ones.
const INSERT = `INSERT INTO deliveries (id, campaign, phone, import, updated_at)
  SELECT :firstId + key, :campaign, value, :importId, :now FROM json_each(:phones) WHERE ${MAY_TAKE}
  ON CONFLICT (campaign, phone) DO NOTHING`;
const COUNT = `UPDATE campaigns SET queued_count = queued_count + changes() WHERE id = :campaign
  RETURNING unconsented_count AS left_out, kind = 'marketing' AS advertises`;
const ASK_ROOM = `SELECT ${CONTACT_ROOM} < 0 AS is_full`;
const COUNT_SUPPRESSED = `SELECT count(*) AS count FROM json_each(:phones) WHERE ${SUPPRESSED}`;
const WITHOUT_CONSENT = `NOT ${SUPPRESSED} AND NOT ${CONSENTED}`;
const COUNT_WITHOUT_CONSENT = `SELECT count(*) AS count FROM json_each(:phones) WHERE ${WITHOUT_CONSENT}`;
const LEAVE_OUT = `INSERT INTO unconsented (campaign, phone, import)
  SELECT :campaign, value, :importId FROM json_each(:phones) WHERE ${WITHOUT_CONSENT}
  ON CONFLICT (campaign, phone) DO NOTHING`;
// Whoever was left out before, and is in now: a service, which the campaign may have become, takes everybody.
const TAKE_UP = `DELETE FROM unconsented WHERE campaign = :campaign
  AND phone IN (SELECT value FROM json_each(:phones) WHERE ${IS_MARKETING} IS NOT 1 OR ${CONSENTED})`;

const BEGIN_IDS = `INSERT INTO sqlite_sequence (name, seq)
  SELECT 'deliveries', 0 WHERE NOT EXISTS (SELECT 1 FROM sqlite_sequence WHERE name = 'deliveries')`;
const KEEP_IDS = `UPDATE sqlite_sequence SET seq = seq + CAST(:count AS INTEGER) WHERE name = 'deliveries'
  RETURNING seq - CAST(:count AS INTEGER) + 1 AS first`;

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
 * Inserts a list, a transaction every so many rows, so that its rows' ids are in the order of arrange(); suppressed
 * numbers are left out.
 *
 * @throws HttpError contacts_full; Error when the import was silent for so long that another may have given it up
 */
export async function insertContacts(
  ctx: EdgeContext,
  { list: { phones, duplicates, invalid }, breathe, ...args }: ContactsToInsert,
): Promise<InsertedCounts> {
  const read = duplicates + invalid;
  const all: InsertedCounts = { added: 0, suppressed: 0, withoutConsent: 0 };
  const head = await arrange(phones, breathe);
  // Inserted last, by the ids that come first: strewn among the numbers of the rest, it would have each of them written
  // in the middle of their tree and none at its end, which takes a tenth longer.
  const headsIds = head > 0 ? { firstId: await keepIds(ctx, head) } : {};
  let processedRows = read;
  const insert = async (part: Float64Array, ids: { firstId?: number } = {}) => {
    processedRows += part.length;
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
      addUp(all, await insertPart(ctx, tx, { ...args, ...ids, now }, part, breathe));
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
 * Puts a list, in place, in the order in which it is sent: as it stands, and behind the head of a long one by its
 * numbers (docs/decisions/010-long-lists-by-number.md). Answers how long that head is, 0 of a short one.
 */
export async function arrange(phones: Float64Array, breathe: Breathe): Promise<number> {
  if (phones.length <= MAX_PART) return 0;
  await sortNumbers(phones.subarray(HEAD), breathe);
  return HEAD;
}

/** The first of so many ids in a row, which no delivery has or will be given. */
async function keepIds({ db }: EdgeContext, count: number): Promise<number> {
  const [, { rows: [kept] }] = await db.batch([BEGIN_IDS, statement(KEEP_IDS, { count })], "write");
  return Number(kept!.first);
}

/** What a part's rows have in common; from `firstId` on they have ids of their own, where it is given. */
type PartArgs = RunningImport & { now: number; firstId?: number };

/**
 * Inserts numbers in their order, in the caller's transaction, which counts them; MAX_PART at most, CHUNK with an id.
 *
 * @throws HttpError contacts_full, for which that transaction is to be undone
 */
export async function insertPart(
  ctx: EdgeContext,
  tx: Transaction,
  args: PartArgs,
  part: Float64Array,
  breathe: Breathe,
): Promise<InsertedCounts> {
  const isBlocked = await readBlocked(ctx, tx);
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
  args: PartArgs,
  chunk: Float64Array,
): Promise<InsertedCounts> {
  const withPhones = { firstId: null, ...args, phones: `[${chunk.join()}]` };
  // Over a remote database each call is a way, for whose length the writer is held.
  const run = (...all: string[]) => tx.batch(all.map((sql) => statement(sql, withPhones)));
  const [, { rowsAffected: added }, { rows: [campaign] }, room] = await run(
    KEEP_CONSENTS,
    INSERT,
    COUNT,
    ASK_ROOM,
  );
  if (added > 0) refuseFull(room);
  // Looking each number up takes a tenth of the whole import.
  if (Number(campaign!.left_out) > 0) await run(TAKE_UP);
  if (added === chunk.length) return { added, suppressed: 0, withoutConsent: 0 };
  const ofConsent = campaign!.advertises === 1 ? [LEAVE_OUT, COUNT_WITHOUT_CONSENT, ASK_ROOM] : [];
  const [suppressed, leftOut, withoutConsent, roomLeft] = await run(COUNT_SUPPRESSED, ...ofConsent);
  if (leftOut !== undefined && leftOut.rowsAffected > 0) refuseFull(roomLeft);
  return { added, suppressed: countIn(suppressed), withoutConsent: countIn(withoutConsent) };
}

/** Throws, which undoes the whole transaction. @throws HttpError contacts_full */
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
