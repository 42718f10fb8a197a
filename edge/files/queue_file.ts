import type { Client } from "@libsql/client/web";
import { and, eq, isNull } from "drizzle-orm";
import type { FileItem } from "shared/admin_api.ts";
import type { Consent } from "shared/consent.ts";
import { actingKey } from "../audit_log/acting_key.ts";
import { campaignChanged } from "../events/changed_event.ts";
import type { EdgeContext } from "../context.ts";
import { HttpError } from "../http/http_error.ts";
import { recordCall } from "../http/repeatable_call.ts";
import type { Caller } from "../http/router.ts";
import { checkConsent, declareConsent } from "../lawful/consent.ts";
import { inTransaction } from "../db/in_transaction.ts";
import { execute, orNull, query, rowsAs } from "../db/query.ts";
import { statement } from "../db/statement.ts";
import { readFileItem } from "./list_files.ts";
import { campaigns, imports } from "../db/schema.ts";

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
const ADD_FOR_ALL = `INSERT INTO imports (file_name, status, user, by_key, background, created_at, updated_at)
  VALUES (:fileName, 'queued', :user, :byKey, 1, :now, :now) RETURNING id, NULL AS kind`;
// No row = no such campaign, already sent, or another file is in progress for it; LOOK says which.
const ADD =
  `INSERT INTO imports (campaign, file_name, status, user, by_key, background, created_at, updated_at)
  SELECT id, :fileName, 'queued', :user, :byKey, 1, :now, :now FROM campaigns WHERE id = :campaign AND ${MAY_TAKE}
  RETURNING id, (SELECT kind FROM campaigns WHERE id = campaign) AS kind`;

/**
 * Stores a file for a client's draft or ready campaign, or for the suppression list. Any free instance reads it later;
 * until then the campaign cannot be sent.
 *
 * @throws {HttpError} `invalid_input` for a bad declaration of consent; `not_found`, `campaign_not_editable`,
 * `import_running`
 */
export async function queueFile(
  ctx: EdgeContext,
  user: Pick<Caller, "person">,
  { fileName, file, campaign, consent }: QueuedFile,
): Promise<FileItem> {
  const args = { fileName, campaign, user: user.person, byKey: actingKey() ?? null, now: ctx.now() };
  const id = await inTransaction(ctx.db, async (tx) => {
    const found = await tx.execute(statement(campaign === null ? ADD_FOR_ALL : ADD, args));
    const [added] = rowsAs(found, { id: imports.id, kind: orNull(campaigns.kind) });
    if (added === undefined) throw await refusal(tx, campaign!);
    const { id, kind } = added;
    if (consent !== undefined) {
      checkConsent({ kind: kind ?? "undeclared" }, consent, args.now);
      await tx.batch(declareConsent(ctx, consent, { campaign: campaign!, importId: id, user: user.person }));
    }
    for (let no = 0; no * CHUNK_BYTES < file.length; no++) {
      await tx.execute({
        sql: "INSERT INTO import_chunks (import, kind, no, bytes) VALUES (?, 'raw', ?, ?)",
        args: [id, no, file.slice(no * CHUNK_BYTES, (no + 1) * CHUNK_BYTES)],
      });
    }
    if (campaign !== null) {
      const held = query.update(campaigns).set({ runningImport: id, updatedAt: args.now })
        .where(eq(campaigns.id, campaign)).returning({ id: campaigns.id, client: campaigns.client });
      await tx.execute(campaignChanged(args.now, (await execute(tx, held)).rows[0]!));
    }
    const record = recordCall({ status: 202, made: id }, { always: true });
    if (record !== undefined) await tx.execute(record);
    return id;
  });
  ctx.wakeOutbox();
  return await readFileItem(ctx, id);
}

/** Returns why a campaign accepts no file. */
export async function refusal(db: Pick<Client, "execute">, campaign: number): Promise<HttpError> {
  const { rows: [row] } = await execute(
    db,
    query.select({ runningImport: campaigns.runningImport }).from(campaigns)
      .where(and(eq(campaigns.id, campaign), isNull(campaigns.testOf))),
  );
  if (row === undefined) return new HttpError("not_found");
  if (row.runningImport === null) return new HttpError("campaign_not_editable");
  return new HttpError("import_running", {
    text: "קובץ אחר עדיין נטען לקמפיין הזה. אפשר להוסיף עוד כשהטעינה תסתיים.",
  });
}
