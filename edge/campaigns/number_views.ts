/** Administrators see masked numbers. After stating a reason they see one campaign's numbers for some minutes. */
import type { InStatement, ResultSet } from "@libsql/client/web";
import { and, eq } from "drizzle-orm";
import { NUMBERS_SHOWN_MS } from "shared/privacy.ts";
import { withoutNumbers } from "shared/without_numbers.ts";
import { noteAudit } from "../audit_log/note_audit.ts";
import type { EdgeContext } from "../context.ts";
import { execute, query, rowsAs } from "../db/query.ts";
import { rightAfter, STEP_BEFORE_CHANGED, writeBatch } from "../db/write_batch.ts";
import type { SessionUser } from "../http/router.ts";
import { statement } from "../db/statement.ts";
import { type CampaignRow, numberViews } from "../db/schema.ts";

const SHOW = `INSERT INTO number_views (session, campaign, until)
  SELECT :session, id, :until FROM campaigns WHERE id = :campaign
  ON CONFLICT (session, campaign) DO UPDATE SET until = excluded.until`;
const LOOK =
  "SELECT until FROM number_views WHERE session = :session AND campaign = :campaign AND until > :now";

/** Shows the numbers to this session and returns the end time in ms. The audit log keeps the reason. */
export async function showNumbers(
  ctx: EdgeContext,
  { id: actor, sessionHash }: SessionUser,
  campaign: number,
  reason: string,
): Promise<number> {
  const now = ctx.now();
  const until = now + NUMBERS_SHOWN_MS;
  const note = {
    kind: "numbers_shown",
    actor,
    campaign,
    data: { reason: withoutNumbers(reason), until },
  } as const;
  await writeBatch(ctx.db, {
    shown: statement(SHOW, { session: sessionHash, campaign, until }),
    audited: rightAfter("shown", noteAudit(now, note, STEP_BEFORE_CHANGED)),
  });
  return until;
}

/** Masks the numbers again before the time ends. */
export async function hideNumbers(ctx: EdgeContext, user: SessionUser, campaign: number): Promise<void> {
  const isThis = and(eq(numberViews.session, user.sessionHash), eq(numberViews.campaign, campaign));
  await execute(ctx.db, query.delete(numberViews).where(isThis));
}

/** Returns the statement whose result untilOf() reads. */
export function findNumberView(
  ctx: EdgeContext,
  user: Pick<SessionUser, "sessionHash">,
  campaign: number,
): InStatement {
  return statement(LOOK, { session: user.sessionHash, campaign, now: ctx.now() });
}

/**
 * SQL: true when the user may see the campaign's numbers, as its owner or after showNumbers(). Needs :campaign, :user,
 * :session and :now.
 */
export const MAY_SEE = `(EXISTS (SELECT 1 FROM campaigns WHERE id = :campaign AND client = :user)
  OR EXISTS (${LOOK}))`;

/** Returns until when this session sees the campaign's numbers in ms, or null when they are masked. */
export function untilOf(found: ResultSet): number | null {
  const [view] = rowsAs(found, { until: numberViews.until });
  return view?.until ?? null;
}

/**
 * Returns whether to mask the numbers of `campaign` for `user`, given the result of findNumberView(). The owner always
 * sees them.
 */
export function isMasked(
  user: SessionUser,
  { client }: Pick<CampaignRow, "client">,
  found: ResultSet,
): boolean {
  return client !== user.id && untilOf(found) === null;
}
