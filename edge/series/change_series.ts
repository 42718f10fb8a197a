/** What a client decides about a repeat: it stops, goes on, or ends. Runs that are planned stay as they are. */
import { noteAudit } from "../audit_log/note_audit.ts";
import type { AuditKind } from "shared/audit.ts";
import type { EdgeContext } from "../context.ts";
import { condition, rowsAs } from "../db/query.ts";
import { series as seriesTable } from "../db/schema.ts";
import { statement } from "../db/statement.ts";
import { rightAfter, STEP_BEFORE_CHANGED, writeBatch } from "../db/write_batch.ts";
import { OUTCOMES_OWED } from "../deliveries/outcomes_owed.ts";
import { HttpError } from "../http/http_error.ts";
import { IS_ENABLED } from "../queue/own_campaign.ts";
import { nextRunAfter } from "./next_run.ts";
import { readOwnSeries } from "./read_series.ts";
import { repeatOf } from "./series_row.ts";

const OF_OWN = `WHERE id = :series AND client = :user AND ended_at IS NULL AND ${IS_ENABLED}`;
const STOP = `UPDATE series SET hold = 'stopped', updated_at = :now ${OF_OWN} AND hold IS NULL`;
const END = `UPDATE series SET ended_at = :now, updated_at = :now ${OF_OWN}`;
// Days that passed meanwhile get no run. After a restore the sites have to report first.
const CONTINUE = `UPDATE series SET hold = NULL, next_day = :nextDay, next_at = :nextAt, updated_at = :now,
    ended_at = iif(:nextAt IS NULL, :now, NULL)
  ${OF_OWN} AND hold IS NOT NULL AND NOT ${OUTCOMES_OWED}`;
const LOOK = `SELECT ended_at, ${OUTCOMES_OWED} AS owed FROM series WHERE id = :series AND client = :user`;

const OWED_TEXT = "המערכת שוחזרה מגיבוי. אפשר יהיה להמשיך כשכל האתרים ידווחו למי נשלחו הודעות בינתיים.";

/** Stops a repeat until its client lets it go on. @throws {HttpError} not_found, campaign_state */
export async function stopSeries(ctx: EdgeContext, user: { id: number }, series: number): Promise<void> {
  await change(ctx, user, series, STOP, "series_stopped");
}

/** Ends a repeat for good. @throws {HttpError} not_found, campaign_state */
export async function endSeries(ctx: EdgeContext, user: { id: number }, series: number): Promise<void> {
  await change(ctx, user, series, END, "series_ended");
}

/** Lets a repeat go on, from its next day on. @throws {HttpError} not_found, campaign_state */
export async function continueSeries(ctx: EdgeContext, user: { id: number }, series: number): Promise<void> {
  const next = nextRunAfter(repeatOf(await readOwnSeries(ctx, user, series)), ctx.now());
  await change(ctx, user, series, CONTINUE, "series_continued", {
    nextDay: next?.day ?? null,
    nextAt: next?.at ?? null,
  });
}

async function change(
  ctx: EdgeContext,
  user: { id: number },
  series: number,
  sql: string,
  kind: AuditKind,
  more: Record<string, string | number | null> = {},
): Promise<void> {
  const args = { series, user: user.id, now: ctx.now(), ...more };
  const dataSql = { sql: "(SELECT json_object('name', name) FROM series WHERE id = ?)", args: [series] };
  const { changed, look } = await writeBatch(ctx.db, {
    changed: statement(sql, args),
    audited: rightAfter(
      "changed",
      noteAudit(args.now, { kind, actor: user.id, dataSql }, STEP_BEFORE_CHANGED),
    ),
    look: statement(LOOK, args),
  });
  ctx.wakeOutbox();
  if (changed.rowsAffected > 0) return;
  const [row] = rowsAs(look, { endedAt: seriesTable.endedAt, owed: condition });
  if (row === undefined) throw new HttpError("not_found");
  throw new HttpError("campaign_state", row.owed && row.endedAt === null ? { text: OWED_TEXT } : {});
}
