import type { InStatement } from "@libsql/client/web";
import type { FileItem } from "shared/admin_api.ts";
import type { Consent } from "shared/consent.ts";
import { campaignChanged } from "../events/changed_event.ts";
import type { EdgeContext } from "../context.ts";
import { HttpError } from "../http/http_error.ts";
import type { SessionUser } from "../http/router.ts";
import { checkConsent, declareConsent } from "../lawful/consent.ts";
import { inTransaction } from "../db/in_transaction.ts";
import { statement } from "../db/statement.ts";
import { readFileItem } from "./list_files.ts";
import type { CampaignRow } from "../db/schema.ts";

export interface QueuedFile {
  fileName: string;
  file: Uint8Array;
  /** Null = the suppression list. */
  campaign: number | null;
  consent?: Consent | undefined;
}

/** Bytes of the file per row of import_chunks; a remote database accepts statements of some megabytes at most. */
const CHUNK_BYTES = 256 * 1024;

/** SQL: the campaign's contacts may change, and no import runs. */
export const MAY_TAKE = "status IN ('draft', 'ready') AND running_import IS NULL AND test_of IS NULL";
const ADD_FOR_ALL = `INSERT INTO imports (file_name, status, user, background, created_at, updated_at)
  VALUES (:fileName, 'queued', :user, 1, :now, :now) RETURNING id, NULL AS kind`;
// No row = no such campaign, already sent, or another file is in progress for it; LOOK says which.
const ADD = `INSERT INTO imports (campaign, file_name, status, user, background, created_at, updated_at)
  SELECT id, :fileName, 'queued', :user, 1, :now, :now FROM campaigns WHERE id = :campaign AND ${MAY_TAKE}
  RETURNING id, (SELECT kind FROM campaigns WHERE id = campaign) AS kind`;
const HOLD = "UPDATE campaigns SET running_import = :id, updated_at = :now WHERE id = :campaign";

/**
 * Stores a file for a client's draft or ready campaign, or for the suppression list. Any free instance reads it later;
 * until then the campaign cannot be sent.
 *
 * @throws {HttpError} `invalid_input` for a bad declaration of consent; `not_found`, `campaign_not_editable`,
 * `import_running`
 */
export async function queueFile(
  ctx: EdgeContext,
  user: Pick<SessionUser, "id">,
  { fileName, file, campaign, consent }: QueuedFile,
): Promise<FileItem> {
  const args = { fileName, campaign, user: user.id, now: ctx.now() };
  const id = await inTransaction(ctx.db, async (tx) => {
    const { rows: [added] } = await tx.execute(statement(campaign === null ? ADD_FOR_ALL : ADD, args));
    if (added === undefined) throw await refusal(campaign!, (one) => tx.execute(one));
    const id = Number(added.id);
    if (campaign !== null) await tx.execute(statement(HOLD, { ...args, id }));
    if (consent !== undefined) {
      checkConsent({ kind: added.kind as CampaignRow["kind"] }, consent, args.now);
      await tx.batch(declareConsent(ctx, consent, { campaign: campaign!, importId: id, user: user.id }));
    }
    for (let no = 0; no * CHUNK_BYTES < file.length; no++) {
      await tx.execute({
        sql: "INSERT INTO import_chunks (import, kind, no, bytes) VALUES (?, 'raw', ?, ?)",
        args: [id, no, file.slice(no * CHUNK_BYTES, (no + 1) * CHUNK_BYTES)],
      });
    }
    if (campaign !== null) await tx.execute(await changedOf(campaign, args.now, (one) => tx.execute(one)));
    return id;
  });
  ctx.wakeOutbox();
  return await readFileItem(ctx, id);
}

type Ask = (statement: InStatement) => Promise<{ rows: Record<string, unknown>[] }>;

/** Returns why a campaign accepts no file. */
export async function refusal(campaign: number, ask: Ask): Promise<HttpError> {
  const { rows: [row] } = await ask({
    sql: "SELECT running_import FROM campaigns WHERE id = ? AND test_of IS NULL",
    args: [campaign],
  });
  if (row === undefined) return new HttpError("not_found");
  if (row.running_import === null) return new HttpError("campaign_not_editable");
  return new HttpError("import_running", {
    text: "קובץ אחר עדיין נטען לקמפיין הזה. אפשר להוסיף עוד כשהטעינה תסתיים.",
  });
}

async function changedOf(id: number, now: number, ask: Ask): Promise<InStatement> {
  const { rows: [row] } = await ask({ sql: "SELECT client FROM campaigns WHERE id = ?", args: [id] });
  return campaignChanged(now, { id, client: Number(row!.client) });
}
