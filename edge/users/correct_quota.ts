import { and, eq } from "drizzle-orm";
import type { User } from "shared/http_api.ts";
import { MAX_QUOTA } from "shared/quota.ts";
import { withoutNumbers } from "shared/without_numbers.ts";
import { actingKey } from "../audit_log/acting_key.ts";
import { hasQuota, toUser, USER_FIELDS } from "../auth/user_row.ts";
import type { EdgeContext } from "../context.ts";
import { query } from "../db/query.ts";
import { quotaLedger, users } from "../db/schema.ts";
import { statement } from "../db/statement.ts";
import { rightAfter, writeBatch } from "../db/write_batch.ts";
import { HttpError } from "../http/http_error.ts";
import { recordCall, repeatableCall } from "../http/repeatable_call.ts";

export interface QuotaCorrection {
  clientId: number;
  /** The acting administrator. */
  actorId: number;
  /** How many messages to add; negative to take. */
  delta: number;
  /** Read by the client and by the audit log. */
  reason: string;
  /** Names the request: a repeated one changes nothing and returns the current balance. */
  requestId?: string | undefined;
}

// No row = no client, a repeated request, or the balance would leave its bounds. Triggers write balance, event, activity
// and audit entry (db/rules/05, 11, 12).
const CORRECT = `INSERT INTO quota_ledger (client, at, kind, delta, actor, reason, request_id, by_key)
  SELECT id, :now, 'correction', :delta, :actor, :reason, :requestId, :byKey FROM users
  WHERE id = :client AND role = 'client' AND works_for IS NULL AND message_quota + :delta BETWEEN 0 AND ${MAX_QUOTA}
  ON CONFLICT (request_id) DO NOTHING`;

/**
 * Corrects a client's balance by an entry with its reason, in one conditional statement.
 *
 * @throws HttpError not_found; quota_needs_client for an administrator or a colleague; quota_below_zero; invalid_input above the
 * highest quota
 */
export async function correctQuota(ctx: EdgeContext, correction: QuotaCorrection): Promise<User> {
  const { clientId: client, actorId: actor, delta, requestId = null } = correction;
  const reason = withoutNumbers(correction.reason);
  const record = recordCall({ status: 200, made: client });
  const { repeated, corrected, found: { rows: [row] } } = await writeBatch(ctx.db, {
    repeated: query.select({ id: quotaLedger.id }).from(quotaLedger)
      .where(and(eq(quotaLedger.requestId, requestId ?? ""), eq(quotaLedger.client, client))),
    corrected: statement(CORRECT, {
      ...{ now: ctx.now(), client, actor, delta, reason, requestId },
      byKey: actingKey() ?? null,
    }),
    recorded: record && rightAfter("corrected", record),
    found: query.select(USER_FIELDS).from(users).where(eq(users.id, client)),
  });
  if (!row) throw new HttpError("not_found");
  const user = toUser(row);
  if (!hasQuota(user)) throw new HttpError("quota_needs_client");
  ctx.wakeOutbox();
  // A repeated request by its own name changed nothing here, so its call is recorded after it.
  const call = repeatableCall();
  if (call !== undefined && corrected.rowsAffected === 0) call.isRecorded = false;
  if (corrected.rowsAffected > 0 || repeated.rows.length > 0) return user;
  throw new HttpError(user.messageQuota + delta < 0 ? "quota_below_zero" : "invalid_input");
}
