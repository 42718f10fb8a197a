import type { AlertChannel, AlertMessage } from "shared/admin_api.ts";
import { toAlertMessage } from "../admin/alert_message.ts";
import { noteAudit } from "../audit_log/note_audit.ts";
import type { EdgeContext } from "../context.ts";
import { and, eq } from "drizzle-orm";
import { execute, query } from "../db/query.ts";
import { alertMessages } from "../db/schema.ts";
import { statement } from "../db/statement.ts";
import { rightAfter, STEP_BEFORE_CHANGED, writeBatch } from "../db/write_batch.ts";
import { HttpError } from "../http/http_error.ts";
import type { Caller } from "../http/router.ts";
import { sendJournaled, settleDead } from "./send_journaled.ts";

/** In place of a cause: the row of a channel's last test. */
export const TEST = "test";
const BETWEEN_TESTS_MS = 60_000;
// No row = a test is under way, or the last one was less than a minute ago.
const CLAIM = `INSERT INTO alert_messages (cause, channel, claimed_at, tried_at, attempts, state, count)
  VALUES ('${TEST}', :channel, :now, :now, 1, 'sending', 1)
  ON CONFLICT (cause, channel) DO UPDATE SET claimed_at = :now, tried_at = :now, attempts = 1, state = 'sending',
    reason = NULL, status = NULL, next_at = NULL
  WHERE state <> 'sending' AND claimed_at <= :now - ${BETWEEN_TESTS_MS}`;

/**
 * Sends one message that says it is a test, and returns its end. An audited act, once a minute and channel.
 *
 * @throws HttpError not_found without an address in the environment; too_many_attempts within the minute
 */
export async function testChannel(
  ctx: EdgeContext,
  user: Pick<Caller, "person">,
  channel: AlertChannel,
): Promise<AlertMessage> {
  if (ctx.outside?.send[channel] === undefined) {
    throw new HttpError("not_found", { text: "הדרך הזו לא הוגדרה בשרת." });
  }
  await settleDead(ctx);
  const at = ctx.now();
  const { claimed } = await writeBatch(ctx.db, {
    claimed: statement(CLAIM, { channel, now: at }),
    audited: rightAfter(
      "claimed",
      noteAudit(at, { kind: "alert_tested", actor: user.person, data: { channel } }, STEP_BEFORE_CHANGED),
    ),
  });
  if (claimed.rowsAffected === 0) {
    const text = "אפשר לנסות פעם בדקה. נא לחכות רגע.";
    throw new HttpError("too_many_attempts", { text, headers: { "retry-after": "60" } });
  }
  await sendJournaled(ctx, channel, {
    cause: TEST,
    type: "test",
    title: "ניסיון של התראות משיגור",
    step: "ההודעה הגיעה, ולכן גם התראות יגיעו לכאן. אין צורך לעשות דבר.",
    count: 1,
    since: null,
    at,
    places: [],
    url: null,
  }, 1);
  const own = and(eq(alertMessages.cause, TEST), eq(alertMessages.channel, channel));
  const { rows: [row] } = await execute(ctx.db, query.select().from(alertMessages).where(own));
  return toAlertMessage(row!);
}
