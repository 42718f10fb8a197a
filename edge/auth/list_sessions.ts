import { and, desc, eq, gt } from "drizzle-orm";
import type { Session } from "shared/http_api.ts";
import type { EdgeContext } from "../context.ts";
import { execute, query } from "../db/query.ts";
import { sessions } from "../db/schema.ts";
import type { Caller } from "../http/router.ts";
import { SESSION_IDLE_MS, SESSION_MAX_MS } from "./sessions.ts";

/** Returns the live sessions of `user`, newest first. */
export async function listSessions(ctx: EdgeContext, user: Caller): Promise<Session[]> {
  const now = ctx.now();
  const { idHash, createdAt, lastSeenAt, userAgent } = sessions;
  const isLive = and(gt(lastSeenAt, now - SESSION_IDLE_MS), gt(createdAt, now - SESSION_MAX_MS));
  const { rows } = await execute(
    ctx.db,
    query.select({ idHash, createdAt, lastSeenAt, userAgent }).from(sessions)
      .where(and(eq(sessions.user, user.person), isLive)).orderBy(desc(createdAt)).limit(100),
  );
  return rows.map(({ idHash, ...session }) => ({ ...session, isThis: idHash === user.sessionHash }));
}
