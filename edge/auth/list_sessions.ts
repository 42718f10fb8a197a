import type { Session } from "shared/http_api.ts";
import type { EdgeContext } from "../context.ts";
import type { SessionUser } from "../http/router.ts";
import { SESSION_IDLE_MS, SESSION_MAX_MS } from "./sessions.ts";

/** Returns the live sessions of `user`, newest first. */
export async function listSessions(ctx: EdgeContext, user: SessionUser): Promise<Session[]> {
  const now = ctx.now();
  const { rows } = await ctx.db.execute({
    sql: `SELECT id_hash, created_at, last_seen_at, user_agent FROM sessions
      WHERE user = ? AND last_seen_at > ? AND created_at > ? ORDER BY created_at DESC LIMIT 100`,
    args: [user.id, now - SESSION_IDLE_MS, now - SESSION_MAX_MS],
  });
  return rows.map((row) => ({
    createdAt: Number(row.created_at),
    lastSeenAt: Number(row.last_seen_at),
    userAgent: String(row.user_agent),
    isThis: row.id_hash === user.sessionHash,
  }));
}
