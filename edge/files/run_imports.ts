/** Imports queued files in slices: the instance that claims a file continues where the last one stopped. */
import type { Transaction } from "@libsql/client/web";
import { and, eq } from "drizzle-orm";
import { createYieldToEventLoop, type YieldToEventLoop } from "../http/yield_to_event_loop.ts";
import { type ContactList, seedOf } from "../contacts/contact_list.ts";
import { arrange, type InsertedCounts, insertPart, MAX_PART } from "../contacts/insert_contacts.ts";
import { noteColumn } from "../contacts/note_column.ts";
import { readContacts } from "../contacts/read_contacts.ts";
import { nothingValid } from "../contacts/refusals.ts";
import { keepRejected } from "../contacts/rejected_rows.ts";
import { importProgress } from "../contacts/remove_import.ts";
import { campaignChanged } from "../events/changed_event.ts";
import type { EdgeContext } from "../context.ts";
import { isBusy } from "../db/sqlite_error.ts";
import { execute, orNull, query, rowsAs } from "../db/query.ts";
import { campaigns, importChunks, imports } from "../db/schema.ts";
import { writeBatch } from "../db/write_batch.ts";
import { errorFields } from "../error_fields.ts";
import { HttpError } from "../http/http_error.ts";
import { inTransaction } from "../db/in_transaction.ts";
import { randomHex } from "../keys/random_hex.ts";
import { statement } from "../db/statement.ts";
import { suppressSteps } from "../queue/suppress.ts";
import { nextPart, type Part } from "../queue/suppress_part.ts";
import { type ClaimedImport, failImport, MINE } from "./fail_import.ts";

/** Thrown when another instance claimed the import meanwhile. */
class LostImportError extends Error {
  override readonly name = "LostImportError";
}

/** A claim without progress for this long belongs to a process that is dead or stuck. */
export const IMPORT_CLAIM_MS = 10_000;
/** How long one claim runs before it lets another instance, or another file, have its turn. */
const TURN_MS = 3_000;

// An update time in the future = claimed before the clock was set back.
const CLAIM = `UPDATE imports SET status = 'processing', worker = :worker, updated_at = :now,
    started_at = coalesce(started_at, :now)
  WHERE id = (SELECT id FROM imports WHERE background AND status IN ('queued', 'processing')
      AND (worker IS NULL OR updated_at <= :now - ${IMPORT_CLAIM_MS} OR updated_at > :now + ${IMPORT_CLAIM_MS})
    ORDER BY id LIMIT 1)
  RETURNING id, campaign, taken, (SELECT client FROM campaigns c WHERE c.id = campaign) AS client`;
const BYTES = "SELECT bytes FROM import_chunks WHERE import = :importId AND kind = 'raw' ORDER BY no";
// No row = another instance has it now.
const COUNTED =
  `UPDATE imports SET total_rows = :totalRows, invalid = :invalid, updated_at = :now WHERE ${MINE}`;
const BEAT = `UPDATE imports SET taken = :taken, processed_rows = :processedRows, added = added + :added,
    suppressed = suppressed + :suppressed, without_consent = without_consent + :withoutConsent, updated_at = :now
  WHERE ${MINE}`;
const LET_GO = `UPDATE imports SET worker = NULL WHERE ${MINE}`;
const FINISH = `UPDATE imports SET status = 'completed', worker = NULL, processed_rows = total_rows,
    duplicates = :given - added - suppressed - without_consent, updated_at = :now WHERE ${MINE}`;
// An import that FINISH finds running is the campaign's: nothing ends the one without the other.
const FREE = `UPDATE campaigns SET running_import = NULL, updated_at = :now,
    status = CASE WHEN status = 'draft' AND queued_count > 0 THEN 'ready' ELSE status END
  WHERE id = :campaign`;

/** Works on the oldest file for a few seconds; returns 0 when there is none. Any instance may call it at any time. */
export async function runImports(ctx: EdgeContext): Promise<number> {
  const claimed = await claim(ctx);
  if (claimed === null) return 0;
  try {
    await takeIn(ctx, claimed);
  } catch (error) {
    if (error instanceof LostImportError) return 1;
    // The file itself is fine: the next claim continues.
    if (isBusy(error)) throw error;
    if (!(error instanceof HttpError)) {
      ctx.log.error("import_failed", { importId: claimed.importId, ...errorFields(error) });
    }
    await failImport(ctx, claimed, error instanceof HttpError ? error : new HttpError("internal"));
  }
  return 1;
}

async function claim(ctx: EdgeContext): Promise<ClaimedImport | null> {
  const worker = randomHex(ctx, 8);
  const [row] = rowsAs(await ctx.db.execute(statement(CLAIM, { worker, now: ctx.now() })), {
    importId: imports.id,
    campaign: imports.campaign,
    client: orNull(campaigns.client),
    taken: imports.taken,
  });
  return row === undefined ? null : { ...row, worker };
}

async function takeIn(ctx: EdgeContext, claimed: ClaimedImport): Promise<void> {
  const until = ctx.now() + TURN_MS;
  const yieldToEventLoop = createYieldToEventLoop();
  const list = await read(ctx, claimed, yieldToEventLoop);
  const given = list.duplicates + list.invalid;
  const totalRows = given + list.phones.length;
  await step(ctx, async (tx, now) => {
    await beat(tx, COUNTED, { ...claimed, totalRows, invalid: list.invalid, now });
    await tx.execute(keepRejected(claimed.importId, list.rejected));
    if (list.column !== undefined) await tx.execute(noteColumn(claimed.importId, list.column));
  });
  if (list.phones.length === 0) throw nothingValid(list);
  for (let from = claimed.taken; from < list.phones.length;) {
    // Import at least one part per turn, even if reading alone took longer: otherwise it would never finish.
    if (ctx.now() >= until && from > claimed.taken) return await letGo(ctx, claimed);
    const rest = list.phones.subarray(from);
    const part: Part = claimed.campaign === null
      ? await nextPart(ctx, 0, rest)
      : { phones: rest.subarray(0, MAX_PART) };
    const taken = from += part.phones.length;
    await step(ctx, async (tx, now) => {
      const counts = await insert(ctx, tx, claimed, part, { now, yieldToEventLoop });
      await beat(tx, BEAT, { ...claimed, ...counts, taken, processedRows: given + taken, now });
      await tx.execute(importProgress({ ...claimed, now }, given + taken, false));
    });
    await yieldToEventLoop();
  }
  await step(ctx, async (tx, now) => {
    await beat(tx, FINISH, { ...claimed, given: list.duplicates + list.phones.length, now });
    await tx.execute(statement(FREE, { ...claimed, now }));
    const isRaw = and(eq(importChunks.import, claimed.importId), eq(importChunks.kind, "raw"));
    await execute(tx, query.delete(importChunks).where(isRaw));
    await tx.execute(importProgress({ ...claimed, now }, totalRows, true));
    if (claimed.campaign !== null) {
      await tx.execute(campaignChanged(now, { id: claimed.campaign, client: claimed.client! }));
    }
  });
}

/** The same bytes give the same list in the same order, so `taken` is a place in it. */
async function read(
  ctx: EdgeContext,
  { importId }: ClaimedImport,
  yieldToEventLoop: YieldToEventLoop,
): Promise<ContactList> {
  const { rows } = await ctx.db.execute(statement(BYTES, { importId }));
  const file = new Uint8Array(
    await new Blob(rows.map((row) => new Uint8Array(row.bytes as ArrayBuffer))).arrayBuffer(),
  );
  const list = await readContacts(file, { seed: seedOf(ctx), yieldToEventLoop });
  await arrange(list.phones, yieldToEventLoop);
  return list;
}

async function insert(
  ctx: EdgeContext,
  tx: Transaction,
  { importId, campaign, client }: ClaimedImport,
  { phones, search }: Part,
  { now, yieldToEventLoop }: { now: number; yieldToEventLoop: YieldToEventLoop },
): Promise<InsertedCounts> {
  if (campaign !== null) {
    return await insertPart(ctx, tx, { importId, campaign, client: client!, now }, phones, yieldToEventLoop);
  }
  const suppressions = { client: 0, phones: [...phones], search, source: "file" };
  const { added } = await writeBatch(tx, suppressSteps(suppressions, now));
  return { added: added.rowsAffected, suppressed: 0, withoutConsent: 0 };
}

async function step(
  ctx: EdgeContext,
  act: (tx: Transaction, now: number) => Promise<void>,
): Promise<void> {
  await inTransaction(ctx.db, (tx) => act(tx, ctx.now()));
  ctx.wakeOutbox();
}

/** @throws {LostImportError} */
async function beat(
  tx: Transaction,
  sql: string,
  args: Record<string, string | number | null>,
): Promise<void> {
  if ((await tx.execute(statement(sql, args))).rowsAffected === 0) {
    throw new LostImportError(`Cannot go on with import ${args.importId}: another has it`);
  }
}

async function letGo(ctx: EdgeContext, { importId, worker }: ClaimedImport): Promise<void> {
  await ctx.db.execute(statement(LET_GO, { importId, worker }));
}
