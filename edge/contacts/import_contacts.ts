/** Adds the contacts of one upload to a draft or ready campaign: all valid numbers, or none. */
import type { Consent } from "shared/consent.ts";
import type { UploadResult } from "shared/http_api.ts";
import { campaignChanged } from "../events/changed_event.ts";
import type { EdgeContext } from "../context.ts";
import { HttpError } from "../http/http_error.ts";
import { checkConsent, declareConsent } from "../lawful/consent.ts";
import { inTransaction } from "../db/in_transaction.ts";
import { rowsAs } from "../db/query.ts";
import { statement } from "../db/statement.ts";
import { rightAfter, STEP_BEFORE_CHANGED, writeBatch } from "../db/write_batch.ts";
import { createYieldToEventLoop, type YieldToEventLoop } from "../http/yield_to_event_loop.ts";
import { type ContactList, type RejectedRow, seedOf } from "./contact_list.ts";
import { noteColumn } from "./note_column.ts";
import { noteFields } from "../personal/import_fields.ts";
import { insertContacts } from "./insert_contacts.ts";
import { readManualNumbers } from "./manual_numbers.ts";
import { readContacts, type ReadOptions } from "./read_contacts.ts";
import type { MappedList } from "./read_mapped.ts";
import { nothingValid } from "./refusals.ts";
import { keepRejected } from "./rejected_rows.ts";
import { IMPORT_GIVES_UP_MS, importProgress, removeImport, type RunningImport } from "./remove_import.ts";
import { type CampaignRow, campaigns, imports } from "../db/schema.ts";

/** An upload: the bytes of a file, pasted text as a string or UTF-8, or the rows of a staged file. */
export type ContactSource =
  & { fileName: string }
  & (
    | { file: Uint8Array }
    | { numbers: string | Uint8Array }
    | { read: (options: ReadOptions) => Promise<MappedList> }
  );

/** The declaration about an upload's numbers, and its author. */
export interface Declaration {
  consent: Consent | undefined;
  user: number;
}

export interface ImportedContacts {
  importId: number;
  result: UploadResult;
  /** The first rows without a valid number. */
  rejected: RejectedRow[];
}

const PROBLEMS_SHOWN = 5;
const ANOTHER_RUNS = "רשימה אחרת עדיין נטענת לקמפיין הזה. אפשר להוסיף עוד כשהטעינה תסתיים.";

// No row = sent by now, a test to oneself, or another import runs.
const START = `INSERT INTO imports (campaign, file_name, status, created_at, updated_at)
  SELECT id, :fileName, 'processing', :now, :now FROM campaigns
  WHERE id = :campaign AND status IN ('draft', 'ready') AND running_import IS NULL AND test_of IS NULL
  RETURNING id`;
const HOLD = `UPDATE campaigns SET running_import = last_insert_rowid(), updated_at = :now
  WHERE id = :campaign AND ${STEP_BEFORE_CHANGED}`;
const LOOK = "SELECT running_import FROM campaigns WHERE id = :campaign AND test_of IS NULL";

// An import that FINISH_IMPORT finds running is the campaign's: nothing ends the one without the other.
const FINISH = `UPDATE campaigns SET running_import = NULL, updated_at = :now,
    status = CASE WHEN status = 'draft' AND queued_count > 0 THEN 'ready' ELSE status END
  WHERE id = :campaign`;
const FINISH_IMPORT = `UPDATE imports SET status = 'completed', added = :added, duplicates = :duplicates,
    invalid = :invalid, suppressed = :suppressed, without_consent = :withoutConsent, updated_at = :now
  WHERE id = :importId AND status = 'processing' AND updated_at > :now - ${IMPORT_GIVES_UP_MS}`;

/**
 * Reads the whole source, then adds its numbers in the order of arrange(). It counts and leaves out suppressed numbers
 * and, in a marketing campaign, numbers without declared consent. The campaign cannot be sent while the import runs.
 * When the import fails or its caller `left`, its contacts are removed; the declaration stays.
 *
 * @throws {HttpError} `invalid_input` for a bad declaration, or after the caller left; `campaign_not_editable`,
 * `import_running`; `unsupported_media` and `no_valid_contacts` with the reason as a sentence
 */
export async function importContacts(
  ctx: EdgeContext,
  campaign: Pick<CampaignRow, "id" | "client" | "kind">,
  source: ContactSource,
  { consent, user }: Declaration = { consent: undefined, user: campaign.client },
  left?: AbortSignal,
): Promise<ImportedContacts> {
  checkConsent(campaign, consent, ctx.now());
  return await runImport(ctx, campaign, source.fileName, async (running) => {
    const { importId } = running;
    const yieldToEventLoop = createYieldToEventLoop({ left });
    const list = await read(ctx, source, yieldToEventLoop);
    const declares = consent !== undefined && list.phones.length > 0;
    const notes = [
      ...(list.column === undefined ? [] : [noteColumn(importId, list.column)]),
      ...(list.fieldNames === undefined ? [] : [noteFields(importId, list.fieldNames)]),
      ...(list.rejected.length > 0 ? [keepRejected(importId, list.rejected)] : []),
      ...(declares ? declareConsent(ctx, consent, { campaign: campaign.id, importId, user }) : []),
    ];
    if (notes.length > 0) await ctx.db.batch(notes, "write");
    if (list.phones.length === 0) throw nothingValid(list);
    const { added, suppressed, withoutConsent } = await insertContacts(ctx, {
      ...running,
      list,
      fieldsOf: list.fieldsOf,
      yieldToEventLoop,
    });
    const result = {
      importId,
      total: added,
      duplicatesRemoved: list.duplicates + list.phones.length - added - suppressed - withoutConsent,
      invalid: list.invalid,
      suppressed,
      withoutConsent,
      problems: list.rejected.slice(0, PROBLEMS_SHOWN),
    };
    return { importId, result, rejected: list.rejected };
  });
}

/**
 * Locks a draft or ready campaign while `add` adds contacts, one commit at a time; on failure removes them again. Each
 * commit must update the import's row (`BEAT`), otherwise another edge ends the import.
 *
 * @throws {HttpError} `not_found`, `campaign_not_editable`, `import_running`; and everything that `add` throws
 */
export async function runImport<T extends { result: UploadResult }>(
  ctx: EdgeContext,
  campaign: Pick<CampaignRow, "id" | "client">,
  fileName: string,
  add: (running: RunningImport) => Promise<T>,
): Promise<T> {
  const importId = await start(ctx, campaign, fileName);
  return await finishImport(ctx, { campaign: campaign.id, client: campaign.client, importId }, add);
}

/** Works as runImport() does, for an import whose row exists and already locks its campaign. */
export async function finishImport<T extends { result: UploadResult }>(
  ctx: EdgeContext,
  running: RunningImport,
  add: (running: RunningImport) => Promise<T>,
): Promise<T> {
  try {
    const added = await add(running);
    await finish(ctx, running, added.result);
    return added;
  } catch (error) {
    const cause = error instanceof HttpError ? error : new HttpError("internal");
    await removeImport(ctx, running, cause.body.error).catch((failure) => {
      // The campaign stays locked until a background task removes the import.
      ctx.log.error("import_not_removed", { importId: running.importId, error: String(failure) });
    });
    throw error;
  }
}

async function start(
  ctx: EdgeContext,
  campaign: Pick<CampaignRow, "id" | "client">,
  fileName: string,
): Promise<number> {
  const args = { campaign: campaign.id, fileName, now: ctx.now() };
  const { started, look } = await writeBatch(ctx.db, {
    started: statement(START, args),
    held: rightAfter("started", statement(HOLD, args)),
    look: statement(LOOK, args),
    changeEvent: campaignChanged(args.now, campaign),
  });
  const [row] = rowsAs(started, { id: imports.id });
  if (row === undefined) {
    const [found] = rowsAs(look, { runningImport: campaigns.runningImport });
    if (found === undefined) throw new HttpError("not_found");
    if (found.runningImport !== null) throw new HttpError("import_running", { text: ANOTHER_RUNS });
    throw new HttpError("campaign_not_editable");
  }
  ctx.wakeOutbox();
  return row.id;
}

function read(
  ctx: EdgeContext,
  source: ContactSource,
  yieldToEventLoop: YieldToEventLoop,
): Promise<ContactList & Partial<Pick<MappedList, "fieldsOf" | "fieldNames">>> {
  const seed = seedOf(ctx);
  if ("read" in source) return source.read({ seed, yieldToEventLoop });
  return "file" in source
    ? readContacts(source.file, { seed, yieldToEventLoop })
    : readManualNumbers(source.numbers, { seed, yieldToEventLoop });
}

async function finish(ctx: EdgeContext, running: RunningImport, result: UploadResult): Promise<void> {
  const { total, duplicatesRemoved, invalid, suppressed, withoutConsent } = result;
  const args = {
    ...running,
    added: total,
    duplicates: duplicatesRemoved,
    invalid,
    suppressed,
    withoutConsent,
    now: ctx.now(),
  };
  await inTransaction(ctx.db, async (tx) => {
    const { finished } = await writeBatch(tx, {
      finished: statement(FINISH_IMPORT, args),
      released: statement(FINISH, args),
      progressEvent: importProgress(
        args,
        total + duplicatesRemoved + invalid + suppressed + withoutConsent,
        true,
      ),
      changeEvent: campaignChanged(args.now, { id: running.campaign, client: running.client }),
    });
    // The throw also undoes the later steps of this transaction.
    if (finished.rowsAffected === 0) {
      throw new Error(`Cannot finish import ${running.importId}: it was given up`);
    }
  });
  ctx.wakeOutbox();
}
