import type { UserEffect } from "shared/admin_api.ts";
import type { EdgeContext } from "../context.ts";
import { orNull, rowsAs, wholeNumber } from "../db/query.ts";
import { sessions } from "../db/schema.ts";
import { HttpError } from "../http/http_error.ts";

const EFFECT = `SELECT u.id,
    coalesce(sum(c.status IN ('processing', 'active')), 0) AS "runningCampaigns",
    coalesce(sum(iif(c.status IN ('processing', 'active'), c.queued_count + c.leased_count, 0)), 0)
      AS "waitingMessages",
    coalesce(sum(c.status = 'ready'), 0) AS "readyCampaigns",
    coalesce(sum(c.status = 'scheduled'), 0)
      + (SELECT count(*) FROM series s WHERE s.client = u.id AND s.ended_at IS NULL AND s.hold IS NULL) AS "waitingPlans",
    (SELECT count(*) FROM sessions s WHERE s.user = u.id) AS sessions,
    (SELECT max(last_seen_at) FROM sessions s WHERE s.user = u.id) AS last_seen_at
  FROM users u LEFT JOIN campaigns c ON c.client = u.id AND c.status IN ('ready', 'scheduled', 'processing', 'active')
    AND c.test_of IS NULL
  WHERE u.id = ? GROUP BY u.id`;

/**
 * Returns the effects of disabling a user or of a new password, for the question before it.
 *
 * @throws HttpError not_found
 */
export async function readUserEffect(ctx: EdgeContext, id: number): Promise<UserEffect> {
  const [effect] = rowsAs(await ctx.db.execute({ sql: EFFECT, args: [id] }), {
    runningCampaigns: wholeNumber,
    waitingMessages: wholeNumber,
    readyCampaigns: wholeNumber,
    waitingPlans: wholeNumber,
    sessions: wholeNumber,
    lastSeenAt: orNull(sessions.lastSeenAt),
  });
  if (effect === undefined) throw new HttpError("not_found");
  return { userId: id, ...effect };
}
