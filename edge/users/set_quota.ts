import { and, eq } from "drizzle-orm";
import type { User } from "shared/http_api.ts";
import { actingKey } from "../audit_log/acting_key.ts";
import type { EdgeContext } from "../context.ts";
import { query } from "../db/query.ts";
import { quotaLedger, users } from "../db/schema.ts";
import { rightAfter, writeBatch } from "../db/write_batch.ts";
import { HttpError } from "../http/http_error.ts";
import { recordCall, repeatableCall } from "../http/repeatable_call.ts";
import { hasQuota, toUser, USER_FIELDS } from "../auth/user_row.ts";

export interface QuotaChange {
  clientId: number;
  /** The acting administrator. */
  actorId: number;
  messageQuota: number;
  /** Change the balance only if it still has this value. */
  expectedQuota?: number;
  /** Names the request: a repeated one changes nothing and returns the current balance. */
  requestId?: string;
}

/** `changed: false` = the balance is not the expected one; `user` has the current one. */
export interface QuotaAnswer {
  changed: boolean;
  user: User;
}

/**
 * Sets a client's balance by a ledger entry for the difference, in one conditional statement.
 *
 * @throws HttpError not_found; quota_needs_client for an administrator or a colleague
 */
export async function setQuota(ctx: EdgeContext, change: QuotaChange): Promise<QuotaAnswer> {
  const { clientId, actorId, messageQuota, expectedQuota = null, requestId = null } = change;
  const record = recordCall({ status: 200, made: clientId });
  const { repeated, inserted, found: { rows: [row] } } = await writeBatch(ctx.db, {
    repeated: query.select({ id: quotaLedger.id }).from(quotaLedger)
      .where(and(eq(quotaLedger.requestId, requestId ?? ""), eq(quotaLedger.client, clientId))),
    inserted: {
      sql: `INSERT INTO quota_ledger (client, at, kind, delta, actor, request_id, by_key)
        SELECT id, ?1, 'grant', ?2 - message_quota, ?3, ?4, ?7 FROM users
        WHERE id = ?5 AND role = 'client' AND works_for IS NULL AND message_quota <> ?2 AND message_quota = coalesce(?6, message_quota)
        ON CONFLICT (request_id) DO NOTHING`,
      args: [ctx.now(), messageQuota, actorId, requestId, clientId, expectedQuota, actingKey() ?? null],
    },
    recorded: record && rightAfter("inserted", record),
    found: query.select(USER_FIELDS).from(users).where(eq(users.id, clientId)),
  });
  if (!row) throw new HttpError("not_found");
  const user = toUser(row);
  if (!hasQuota(user)) throw new HttpError("quota_needs_client");
  ctx.wakeOutbox();
  // Where nothing changed, nothing was recorded: the call is recorded after it.
  const call = repeatableCall();
  if (call !== undefined && inserted.rowsAffected === 0) call.isRecorded = false;
  // No inserted entry is no refusal when the balance already has the requested value and no other was expected.
  const wasMet = user.messageQuota === messageQuota && (expectedQuota ?? messageQuota) === messageQuota;
  return { changed: inserted.rowsAffected > 0 || repeated.rows.length > 0 || wasMet, user };
}
