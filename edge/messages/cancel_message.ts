import { MOVED_BY } from "shared/delivery.ts";
import type { Message } from "shared/messages_api.ts";
import { noteAudit } from "../audit_log/note_audit.ts";
import type { EdgeContext } from "../context.ts";
import { statement } from "../db/statement.ts";
import { rightAfter, STEP_BEFORE_CHANGED, writeBatch } from "../db/write_batch.ts";
import { settle } from "../deliveries/settle.ts";
import { HttpError } from "../http/http_error.ts";
import { recordCall } from "../http/repeatable_call.ts";
import type { Caller } from "../http/router.ts";
import { resolveDeliveries, type ResolveRequest } from "../queue/resolve.ts";
import { IS_ENABLED } from "../queue/own_campaign.ts";
import { findRow, readMessage } from "./read_messages.ts";

// An offer that no site has confirmed is taken back, as by the cancellation of a campaign.
const CANCEL = `UPDATE deliveries SET ${
  settle({ state: "'cancelled'", by: MOVED_BY.edge, reason: "'cancelled_by_client'" })
}, updated_at = :now
  WHERE id = (SELECT delivery FROM messages WHERE id = :id AND client = :client) AND ${IS_ENABLED}
    AND (state = 'queued' OR (state = 'leased' AND acked_at IS NULL))
    AND (SELECT status FROM campaigns c WHERE c.id = deliveries.campaign) <> 'cancelled'`;
const CANCEL_TEST =
  `UPDATE messages SET state = 'cancelled', reason = 'cancelled_by_client', updated_at = :now
  WHERE id = :id AND client = :client AND state = 'queued' AND delivery IS NULL AND ${IS_ENABLED}`;

/**
 * Cancels a message that no site has confirmed; its unit returns. Cancelling it again changes nothing.
 *
 * @throws {HttpError} `not_found`, `message_state` once it is on its way
 */
export async function cancelMessage(ctx: EdgeContext, caller: Caller, id: number): Promise<Message> {
  // Administrators see every client's messages; this is for the client whose it is.
  const before = await readMessage(ctx, asClient(caller), id);
  const { client, person } = caller;
  const args = { id, client, person, now: ctx.now() };
  const isTest = before.mode === "test";
  const { cancelled } = await writeBatch(ctx.db, {
    cancelled: statement(isTest ? CANCEL_TEST : CANCEL, args),
    audited: isTest ? undefined : rightAfter(
      "cancelled",
      noteAudit(
        args.now,
        { kind: "message_cancelled", actor: person, data: { message: id } },
        STEP_BEFORE_CHANGED,
      ),
    ),
  });
  const message = await readMessage(ctx, caller, id);
  if (cancelled.rowsAffected === 0 && message.state !== "cancelled") throw new HttpError("message_state");
  if (!isTest && cancelled.rowsAffected > 0) ctx.wakeOutbox();
  return message;
}

function asClient(caller: Caller): Caller {
  return { ...caller, role: "client" };
}

const RESOLVE_TEST = `UPDATE messages SET updated_at = :now, reason = 'resolved_by_person',
    state = iif(:as = 'resend', 'queued', :as), outcome = iif(:as = 'resend', 'sent', outcome)
  WHERE id = :id AND client = :client AND state = 'unknown' AND delivery IS NULL`;

/**
 * Records a person's decision about a message of unknown outcome, as about a campaign's row.
 *
 * @throws {HttpError} `not_found`, `message_state` when it is not unknown, or was cancelled with its carrier
 */
export async function resolveMessage(
  ctx: EdgeContext,
  caller: Caller,
  id: number,
  as: ResolveRequest["as"],
): Promise<Message> {
  const { mode } = await readMessage(ctx, asClient(caller), id);
  if (mode === "test") await resolveTest(ctx, caller, id, as);
  else {
    const { campaign, delivery } = await findRow(ctx, caller, id);
    await resolveDeliveries(ctx, caller, campaign, { ids: [delivery], as }).catch((error) => {
      if (error instanceof HttpError && error.code === "campaign_state") throw new HttpError("message_state");
      throw error;
    });
  }
  return await readMessage(ctx, caller, id);
}

async function resolveTest(
  ctx: EdgeContext,
  { client }: Caller,
  id: number,
  as: ResolveRequest["as"],
): Promise<void> {
  const record = recordCall({ status: 200, made: id });
  const { resolved } = await writeBatch(ctx.db, {
    resolved: statement(RESOLVE_TEST, { id, client, as, now: ctx.now() }),
    recorded: record && rightAfter("resolved", record),
  });
  if (resolved.rowsAffected === 0) throw new HttpError("message_state");
}
