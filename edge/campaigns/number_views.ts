/** Administrators see masked numbers. After stating a reason they see one campaign's numbers for some minutes. */
import type { InStatement, ResultSet } from "@libsql/client/web";
import { and, eq } from "drizzle-orm";
import { NUMBERS_SHOWN_MS } from "shared/privacy.ts";
import { withoutNumbers } from "shared/without_numbers.ts";
import { noteAudit } from "../audit_log/note_audit.ts";
import type { EdgeContext } from "../context.ts";
import { execute, query, rowsAs } from "../db/query.ts";
import { rightAfter, STEP_BEFORE_CHANGED, writeBatch } from "../db/write_batch.ts";
import type { Caller } from "../http/router.ts";
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
  { person: actor, sessionHash }: Caller,
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
export async function hideNumbers(ctx: EdgeContext, user: Caller, campaign: number): Promise<void> {
  const isThis = and(eq(numberViews.session, user.sessionHash), eq(numberViews.campaign, campaign));
  await execute(ctx.db, query.delete(numberViews).where(isThis));
}

/** Returns the statement whose result untilOf() reads. */
export function findNumberView(
  ctx: EdgeContext,
  user: Pick<Caller, "sessionHash">,
  campaign: number,
): InStatement {
  return statement(LOOK, { session: user.sessionHash, campaign, now: ctx.now() });
}

/**
 * SQL: true when the caller may see the campaign's numbers, as its client's or after showNumbers(). Needs :campaign, :client,
 * :session and :now.
 */
export const MAY_SEE = `(EXISTS (SELECT 1 FROM campaigns WHERE id = :campaign AND client = :client)
  OR EXISTS (${LOOK}))`;

/** Returns until when this session sees the campaign's numbers in ms, or null when they are masked. */
export function untilOf(found: ResultSet): number | null {
  const [view] = rowsAs(found, { until: numberViews.until });
  return view?.until ?? null;
}

/**
 * Returns whether to mask the numbers of `campaign` for `user`, given the result of findNumberView(). People of its client
 * always see them.
 */
export function isMasked(
  user: Caller,
  { client }: Pick<CampaignRow, "client">,
  found: ResultSet,
): boolean {
  return client !== user.client && untilOf(found) === null;
}
