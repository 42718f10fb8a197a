/** Ends the quiet of causes that are gone or worse, and sends what is new out of the browser; a tick. */
import { ALERT_CHANNELS, type AlertChannel } from "shared/admin_api.ts";
import { withoutNumbers } from "shared/without_numbers.ts";
import { QUIET_FIELDS, QUIETS, staysQuiet } from "../admin/alert_quiet.ts";
import { type PresentCause, readCauses } from "../admin/alerts.ts";
import type { EdgeContext } from "../context.ts";
import { query, rowsAs } from "../db/query.ts";
import { alertChoices } from "../db/schema.ts";
import { statement } from "../db/statement.ts";
import { readBatch, STEP_BEFORE_CHANGED } from "../db/write_batch.ts";
import { alertsChanged } from "../events/alert.ts";
import { choicesOf } from "./outside_choices.ts";
import { raiseCauses } from "../webhooks/raise_causes.ts";
import { sendJournaled, settleDead } from "./send_journaled.ts";

/** No second message about a cause on one channel before this: an hour, and a minute for clocks that differ. */
const EVERY_MS = 61 * 60_000;
const MOST_ATTEMPTS = 3;
/** Messages of one channel in one run; the others wait for the next. */
const MOST_AT_ONCE = 5;
/** Sites that a message names. */
const MOST_PLACES = 10;

const END_QUIET = "DELETE FROM alert_quiets WHERE cause = :cause AND at = :at";
const LOWER_QUIET = `UPDATE alert_quiets SET count = :count
  WHERE cause = :cause AND at = :at AND kind = 'acknowledged' AND count > :count`;
const GONE = `UPDATE alert_messages SET gone = 1
  WHERE gone = 0 AND cause <> 'test' AND cause NOT IN (SELECT value FROM json_each(:present))`;
const LOWER_MESSAGE =
  `UPDATE alert_messages SET count = :count WHERE cause = :cause AND gone = 0 AND count > :count`;
// One statement decides, on whatever edge: no row = another edge has it, the hour is not over, or nothing is new since
// the message that was sent.
const CLAIM =
  `INSERT INTO alert_messages (cause, channel, claimed_at, tried_at, attempts, state, count, newest)
  VALUES (:cause, :channel, :now, :now, 1, 'sending', :count, :newest)
  ON CONFLICT (cause, channel) DO UPDATE SET claimed_at = :now, tried_at = :now, attempts = 1, state = 'sending',
    reason = NULL, status = NULL, next_at = NULL, count = :count, newest = :newest, gone = 0
  WHERE claimed_at <= :now - ${EVERY_MS}
    AND (gone = 1 OR state <> 'sent' OR :count > count OR coalesce(:newest > newest, 0))`;
// Only what surely did not arrive is tried again within the hour.
const RETRY =
  `UPDATE alert_messages SET tried_at = :now, attempts = attempts + 1, state = 'sending', next_at = NULL
  WHERE cause = :cause AND channel = :channel AND gone = 0 AND state = 'failed' AND attempts < ${MOST_ATTEMPTS}
    AND next_at <= :now
  RETURNING attempts`;

/** Runs once over all causes. */
export async function watchAlerts(ctx: EdgeContext): Promise<void> {
  const causes = await readCauses(ctx);
  await raiseCauses(ctx, causes);
  const quiet = await settleQuiets(ctx, causes);
  await settleDead(ctx);
  await ctx.db.batch([
    statement(GONE, { present: JSON.stringify(causes.map(({ cause }) => cause)) }),
    ...causes.map(({ cause, count }) => statement(LOWER_MESSAGE, { cause, count })),
  ], "write");
  if (ctx.outside === undefined) return;
  const { choices } = await readBatch(ctx.db, { choices: query.select().from(alertChoices) });
  const chosen = choicesOf(choices.rows);
  await Promise.all(
    ALERT_CHANNELS.filter((channel) => ctx.outside!.send[channel] !== undefined).map((channel) => {
      const due = causes.filter(({ cause, code }) =>
        // A way that fails cannot say so itself.
        chosen[code][channel] && !quiet.has(cause) && cause !== `alerts_undelivered:${channel}`
      );
      return sendDue(ctx, channel, due);
    }),
  );
}

/** Ends and lowers quiets by what is present; returns the causes that stay quiet. */
async function settleQuiets(ctx: EdgeContext, causes: readonly PresentCause[]): Promise<Set<string>> {
  const now = ctx.now();
  const rows = rowsAs(await ctx.db.execute(QUIETS), QUIET_FIELDS);
  const stay = new Set<string>();
  const changes = rows.flatMap((quiet) => {
    const { cause, at, kind } = quiet;
    const present = causes.find((one) => one.cause === cause);
    const holds = present ? staysQuiet(quiet, present, now) : kind === "snoozed" && now < (quiet.until ?? 0);
    if (!holds) return [statement(END_QUIET, { cause, at }), alertsChanged(now, STEP_BEFORE_CHANGED)];
    stay.add(cause);
    return present ? [statement(LOWER_QUIET, { cause, at, count: present.count })] : [];
  });
  if (changes.length > 0) {
    await ctx.db.batch(changes, "write");
    ctx.wakeOutbox();
  }
  return stay;
}

async function sendDue(
  ctx: EdgeContext,
  channel: AlertChannel,
  causes: readonly PresentCause[],
): Promise<void> {
  let sent = 0;
  for (const cause of causes) {
    const claimed = await claim(ctx, channel, cause);
    if (claimed === null) continue;
    const isAccepted = await sendJournaled(ctx, channel, messageOf(ctx, cause, claimed.at), claimed.attempt);
    // A silent server would hold up each of the others by its whole time.
    if (!isAccepted || ++sent === MOST_AT_ONCE) return;
  }
}

async function claim(ctx: EdgeContext, channel: AlertChannel, { cause, count, newest }: PresentCause) {
  const at = ctx.now();
  const args = { cause, channel, count, newest, now: at };
  if ((await ctx.db.execute(statement(CLAIM, args))).rowsAffected === 1) return { at, attempt: 1 };
  const { rows: [retried] } = await ctx.db.execute(statement(RETRY, args));
  return retried ? { at, attempt: Number(retried.attempts) } : null;
}

function messageOf(ctx: EdgeContext, present: PresentCause, at: number) {
  const { cause, type, title, step, count, since, places } = present;
  const origin = ctx.outside!.origin;
  return {
    cause,
    type,
    title,
    step,
    count,
    since,
    at,
    places: places.slice(0, MOST_PLACES).map(withoutNumbers),
    url: origin === null ? null : `${origin}/admin/alerts`,
  };
}
