import type { Transaction } from "@libsql/client/web";
import type { EdgeContext } from "../context.ts";
import { inTransaction } from "../queue/in_transaction.ts";
import { statement } from "../queue/statement.ts";
import type { Breathe } from "./breathe.ts";
import type { ContactList } from "./contact_list.ts";
import { IMPORT_GIVES_UP_MS, importProgress, type RunningImport } from "./remove_import.ts";

/** Some 20 ms a statement on a local file, which stops the event loop for as long. */
const CHUNK = 5_000;
/**
 * Chunks a transaction. Phones come in no order, so that every commit writes most pages of their index: one a chunk
 * would write a list of a million forty times over. It holds up other writers for some 0.3 s.
 */
const CHUNKS_A_COMMIT = 10;

// No row = it was silent for so long that it may have been given up, and its rows removed.
const BEAT = `UPDATE imports SET total_rows = :totalRows, processed_rows = :processedRows, updated_at = :now
  WHERE id = :importId AND status = 'processing' AND updated_at > :now - ${IMPORT_GIVES_UP_MS}`;
// The plus keeps SQLite from building the list anew for every row: a number has few suppressions.
const SUPPRESSED = "EXISTS (SELECT 1 FROM suppressions WHERE phone = value AND +client IN (0, :client))";
const INSERT = `INSERT INTO deliveries (campaign, phone, import, updated_at)
  SELECT :campaign, value, :importId, :now FROM json_each(:phones) WHERE NOT ${SUPPRESSED}
  ON CONFLICT (campaign, phone) DO NOTHING`;
const COUNT = "UPDATE campaigns SET queued_count = queued_count + changes() WHERE id = :campaign";
const COUNT_SUPPRESSED = `SELECT count(*) AS count FROM json_each(:phones) WHERE ${SUPPRESSED}`;

export interface ContactsToInsert extends RunningImport {
  list: ContactList;
  breathe: Breathe;
}

export interface InsertedCounts {
  /** The others were in the campaign before, or are suppressed. */
  added: number;
  suppressed: number;
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
  let added = 0;
  let suppressed = 0;
  for (let from = 0; from < phones.length; from += CHUNK * CHUNKS_A_COMMIT) {
    const part = phones.subarray(from, from + CHUNK * CHUNKS_A_COMMIT);
    const processedRows = read + from + part.length;
    await inTransaction(ctx.db, async (tx) => {
      const now = ctx.now();
      const beat = { ...args, totalRows: read + phones.length, processedRows, now };
      if ((await tx.execute(statement(BEAT, beat))).rowsAffected === 0) {
        throw new Error(`Cannot go on with import ${args.importId}: it was given up`);
      }
      for (let at = 0; at < part.length; at += CHUNK) {
        const counts = await insertChunk(tx, { ...args, now }, part.subarray(at, at + CHUNK));
        added += counts.added;
        suppressed += counts.suppressed;
        await breathe();
      }
      await tx.execute(importProgress({ ...args, now }, processedRows, false));
    });
    ctx.wakeOutbox();
  }
  return { added, suppressed };
}

async function insertChunk(
  tx: Transaction,
  args: RunningImport & { now: number },
  chunk: Float64Array,
): Promise<InsertedCounts> {
  const withPhones = { ...args, phones: `[${chunk.join()}]` };
  const { rowsAffected: added } = await tx.execute(statement(INSERT, withPhones));
  await tx.execute(statement(COUNT, withPhones));
  if (added === chunk.length) return { added, suppressed: 0 };
  const { rows } = await tx.execute(statement(COUNT_SUPPRESSED, withPhones));
  return { added, suppressed: Number(rows[0].count) };
}
