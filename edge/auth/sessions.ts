/** Sessions: an opaque 256-bit id in the cookie, its SHA-256 in the database. */
import type { InStatement } from "@libsql/client/web";
import { base64url } from "jose";
import type { Role } from "shared/http_api.ts";
import type { EdgeContext } from "../context.ts";
import type { SessionUser } from "../http/router.ts";

const MINUTE_MS = 60_000;
/** A session not used for this long is over. */
export const SESSION_IDLE_MS = 12 * 60 * MINUTE_MS;
/** A session this old is over, however busy. */
export const SESSION_MAX_MS = 7 * 24 * 60 * MINUTE_MS;
const SEEN_EVERY_MS = MINUTE_MS;

/** Opens a session of `userId` and returns its id, the cookie's value. */
export async function openSession(ctx: EdgeContext, userId: number, userAgent: string): Promise<string> {
  const id = base64url.encode(ctx.randomBytes(32));
  const now = ctx.now();
  await ctx.db.execute({
    sql: "INSERT INTO sessions (id_hash, user, created_at, last_seen_at, user_agent) VALUES (?, ?, ?, ?, ?)",
    args: [await hashSessionId(id), userId, now, now, userAgent.slice(0, 300)],
  });
  return id;
}

/** Who a cookie's value stands for, or null when its session is unknown, over, or of a disabled user. */
export async function findSession(ctx: EdgeContext, id: string): Promise<SessionUser | null> {
  const sessionHash = await hashSessionId(id);
  const now = ctx.now();
  const { rows: [row] } = await ctx.db.execute({
    sql: `SELECT u.id, u.username, u.role, s.last_seen_at FROM sessions s JOIN users u ON u.id = s.user
      WHERE s.id_hash = ? AND s.last_seen_at > ? AND s.created_at > ? AND u.disabled = 0`,
    args: [sessionHash, now - SESSION_IDLE_MS, now - SESSION_MAX_MS],
  });
  if (!row) return null;
  if (Number(row.last_seen_at) <= now - SEEN_EVERY_MS) {
    await ctx.db.execute({
      sql: "UPDATE sessions SET last_seen_at = ? WHERE id_hash = ? AND last_seen_at < ?",
      args: [now, sessionHash, now],
    });
  }
  return { id: Number(row.id), username: String(row.username), role: row.role as Role, sessionHash };
}

/** Ends one session; every instance hears of it and closes its sockets. */
export async function endSession(ctx: EdgeContext, sessionHash: string): Promise<void> {
  await ctx.db.batch([
    {
      sql: `INSERT INTO events (at, type, data)
        SELECT ?, 'session_ended', json_object('sessionHash', id_hash) FROM sessions WHERE id_hash = ?`,
      args: [ctx.now(), sessionHash],
    },
    { sql: "DELETE FROM sessions WHERE id_hash = ?", args: [sessionHash] },
  ], "write");
  ctx.wakeOutbox();
}

/** Statements that end every session of `userId` but `exceptHash`; the caller adds them to its own batch. */
export function endSessionsOf(ctx: EdgeContext, userId: number, exceptHash = ""): InStatement[] {
  return [
    {
      sql: `INSERT INTO events (at, type, data) SELECT ?, 'session_ended', json_object('sessionHash', id_hash)
        FROM sessions WHERE user = ? AND id_hash <> ?`,
      args: [ctx.now(), userId, exceptHash],
    },
    { sql: "DELETE FROM sessions WHERE user = ? AND id_hash <> ?", args: [userId, exceptHash] },
  ];
}

/** Ends the sessions whose time is over, so that their sockets close as well; a tick. */
export async function endExpiredSessions(ctx: EdgeContext): Promise<void> {
  const now = ctx.now();
  const expired = "last_seen_at <= ? OR created_at <= ?";
  const args = [now - SESSION_IDLE_MS, now - SESSION_MAX_MS];
  const [told] = await ctx.db.batch([
    {
      sql: `INSERT INTO events (at, type, data)
        SELECT ?, 'session_ended', json_object('sessionHash', id_hash) FROM sessions WHERE ${expired}`,
      args: [now, ...args],
    },
    { sql: `DELETE FROM sessions WHERE ${expired}`, args },
  ], "write");
  if (told!.rowsAffected > 0) ctx.wakeOutbox();
}

/** SHA-256 of a session id, hexadecimal: what the database and the sockets know it by. */
export async function hashSessionId(id: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(id));
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
