/** One message out of the browser: its row says "sending" before anything leaves. */
import type { AlertChannel } from "shared/admin_api.ts";
import { type EdgeContext, OutsideError, type OutsideMessage } from "../context.ts";
import { errorFields } from "../error_fields.ts";
import { statement } from "../db/statement.ts";
import { rightAfter, STEP_BEFORE_CHANGED, writeBatch } from "../db/write_batch.ts";
import { alertsChanged } from "../events/alert.ts";

/** An attempt that lasts longer has died with its edge. Both ways out end within a quarter of it. */
const DEAD_MS = 2 * 60_000;
/** After an attempt that surely did not arrive: the time until the next. */
const RETRY_AFTER_MS = [60_000, 5 * 60_000];

// The claim of an attempt is `tried_at`: a row that another edge or a later attempt took since stays as it is.
const RECORD =
  `UPDATE alert_messages SET state = :state, reason = :reason, status = :status, next_at = :nextAt
  WHERE cause = :cause AND channel = :channel AND state = 'sending' AND tried_at = :at`;
const SETTLE_DEAD = `UPDATE alert_messages SET state = 'unknown', reason = 'stopped', next_at = NULL
  WHERE state = 'sending' AND tried_at <= :now - ${DEAD_MS}`;

/**
 * Sends a message whose row was claimed at `message.at`, and records the end. A message that may have arrived is not
 * tried again; one that surely did not is, twice. Returns whether it was accepted.
 */
export async function sendJournaled(
  ctx: EdgeContext,
  channel: AlertChannel,
  message: OutsideMessage,
  attempt: number,
): Promise<boolean> {
  const { cause, at } = message;
  const end = await attemptSend(ctx, channel, message);
  const wait = end.state === "failed" && cause !== "test" ? RETRY_AFTER_MS[attempt - 1] : undefined;
  const now = ctx.now();
  const nextAt = wait === undefined ? null : now + wait;
  await writeBatch(ctx.db, {
    recorded: statement(RECORD, { ...end, nextAt, cause, channel, at }),
    event: rightAfter("recorded", alertsChanged(now, STEP_BEFORE_CHANGED)),
  });
  ctx.wakeOutbox();
  if (end.state === "sent") ctx.log.info("alert_sent", { channel, cause });
  else ctx.log.warn("alert_undelivered", { channel, cause, attempt, reason: end.reason, status: end.status });
  return end.state === "sent";
}

/** Marks attempts that ended with their edge: nobody knows whether they arrived. */
export async function settleDead(ctx: EdgeContext): Promise<void> {
  await ctx.db.execute(statement(SETTLE_DEAD, { now: ctx.now() }));
}

async function attemptSend(ctx: EdgeContext, channel: AlertChannel, message: OutsideMessage) {
  try {
    await ctx.outside!.send[channel]!(message);
    return { state: "sent", reason: null, status: null };
  } catch (error) {
    if (!(error instanceof OutsideError)) {
      ctx.log.error("alert_send_broke", { channel, ...errorFields(error) });
      return { state: "unknown", reason: "broken", status: null };
    }
    const { reason, status, mayHaveArrived } = error;
    return { state: mayHaveArrived ? "unknown" : "failed", reason, status };
  }
}
