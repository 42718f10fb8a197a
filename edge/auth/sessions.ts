/** Sessions: an opaque 256-bit id in the cookie, its SHA-256 in the database. */
import type { InStatement } from "@libsql/client/web";
import { and, eq, isNull, lt } from "drizzle-orm";
import { base64url } from "jose";
import { noteAudit } from "../audit_log/note_audit.ts";
import type { EdgeContext } from "../context.ts";
import { condition, execute, query, rowsAs } from "../db/query.ts";
import { apiKeys, sessions, users } from "../db/schema.ts";
import { rightAfter, STEP_BEFORE_CHANGED, writeBatch } from "../db/write_batch.ts";
import { errorFields } from "../error_fields.ts";
import { HttpError } from "../http/http_error.ts";
import type { Caller } from "../http/router.ts";
import { sleep } from "../time/sleep.ts";
import { HAS_FACTOR, LACKS_FACTOR, MAY_LOG_IN } from "./user_row.ts";

const MINUTE_MS = 60_000;
/** A session that was not used for this long has ended, in milliseconds. */
export const SESSION_IDLE_MS = 12 * 60 * MINUTE_MS;
/** A session of this age has ended, however busy, in milliseconds. */
export const SESSION_MAX_MS = 7 * 24 * 60 * MINUTE_MS;
const SEEN_EVERY_MS = MINUTE_MS;
/** Longest wait for a write, in milliseconds: people can still read while another process holds the database. */
const NOTED_WITHIN_MS = 250;

/** Begins the `sessionHash` of a caller by key. */
export const KEY_MARK = "key:";

/** The facts that a login proved. */
export interface LoginProof {
  userId: number;
  /** The hash that the password was compared with. */
  passwordHash: string;
  /** Whether a code was given as well. */
  byCode: boolean;
}

/**
 * Opens a session and returns its id, the cookie's value. Returns null when the proof is no longer enough: the
 * password may have changed during the comparison, which ended all sessions of the old one. `from` is the mark of the
 * caller's address; `beside` goes into the same batch.
 */
export async function openSession(
  ctx: EdgeContext,
  { userId, passwordHash, byCode }: LoginProof,
  { userAgent, from }: { userAgent: string; from: string },
  beside: InStatement[] = [],
): Promise<string | null> {
  const id = newSessionId(ctx);
  const idHash = await hashSessionId(id);
  const now = ctx.now();
  const isOpen = "EXISTS (SELECT 1 FROM sessions WHERE id_hash = ?)";
  const { opened } = await writeBatch(ctx.db, {
    opened: {
      sql: `INSERT INTO sessions (id_hash, user, created_at, last_seen_at, user_agent)
        SELECT ?, id, ?, ?, ? FROM users
        WHERE id = ? AND password_hash = ? AND ${MAY_LOG_IN} AND (? OR NOT ${HAS_FACTOR})`,
      args: [idHash, now, now, userAgent.slice(0, 300), userId, passwordHash, byCode],
    },
    event: {
      sql: `INSERT INTO activity (at, kind, code, data, user) SELECT ?, 'info', 'admin_logged_in',
        json_object('username', username), id FROM users WHERE id = ? AND role = 'admin' AND ${isOpen}`,
      args: [now, userId, idHash],
    },
    audited: noteAudit(now, { kind: "login", actor: userId, data: { from } }, isOpen, [idHash]),
    beside,
  });
  ctx.wakeOutbox();
  return opened.rowsAffected === 1 ? id : null;
}

/** The user of a live session. */
export interface FoundSession {
  user: Caller;
  /** Resolves when the use of the session is stored, once a minute, or when that takes too long. */
  noted: Promise<void>;
}

const SESSION_FIELDS = {
  id: users.id,
  username: users.username,
  role: users.role,
  worksFor: users.worksFor,
  duty: users.duty,
  firstPasswordUntil: users.firstPasswordUntil,
  lacksFactor: condition,
  lastSeenAt: sessions.lastSeenAt,
};

/**
 * Returns the user of a cookie's value. Returns null when the session is unknown or over, the user is disabled, or a
 * first password has expired: its sessions end with it.
 */
export async function findSession(ctx: EdgeContext, id: string): Promise<FoundSession | null> {
  const sessionHash = await hashSessionId(id);
  const now = ctx.now();
  const result = await ctx.db.execute({
    sql:
      `SELECT users.id, username, role, works_for, duty, first_password_until, ${LACKS_FACTOR} AS "lacksFactor", s.last_seen_at
      FROM sessions s JOIN users ON users.id = s.user
      WHERE s.id_hash = ? AND s.last_seen_at > ? AND s.created_at > ? AND ${MAY_LOG_IN}
        AND (first_password_until IS NULL OR first_password_until > ?)`,
    args: [sessionHash, now - SESSION_IDLE_MS, now - SESSION_MAX_MS, now],
  });
  const [row] = rowsAs(result, SESSION_FIELDS);
  if (!row) return null;
  const { id: person, worksFor, username, role, duty } = row;
  const user = { client: worksFor ?? person, person, username, role, duty, owes: owedBy(row), sessionHash };
  const isNoted = row.lastSeenAt > now - SEEN_EVERY_MS;
  return { user, noted: isNoted ? Promise.resolve() : noteUse(ctx, sessionHash, now) };
}

async function noteUse(ctx: EdgeContext, sessionHash: string, now: number): Promise<void> {
  const written = new AbortController();
  const writing = writeUse(ctx, sessionHash, now).finally(() => written.abort());
  await Promise.race([writing, sleep(NOTED_WITHIN_MS, written.signal)]);
}

/** Stores the use. A failure is ignored: the next request tries again, and the current request may already be done. */
async function writeUse(ctx: EdgeContext, sessionHash: string, now: number): Promise<void> {
  try {
    await execute(
      ctx.db,
      query.update(sessions).set({ lastSeenAt: now })
        .where(and(eq(sessions.idHash, sessionHash), lt(sessions.lastSeenAt, now))),
    );
  } catch (error) {
    ctx.log.warn("session_use_not_noted", errorFields(error));
  }
}

function owedBy(
  { firstPasswordUntil, lacksFactor }: { firstPasswordUntil: number | null; lacksFactor: boolean },
): Caller["owes"] {
  if (firstPasswordUntil !== null) return "new_password_required";
  return lacksFactor ? "second_factor_required" : undefined;
}

/**
 * Checks that the caller's session or key has not ended since it was found. Call it again after a step whose length the
 * sender controls: a user shut out meanwhile then changes nothing.
 *
 * @throws HttpError not_logged_in, key_invalid
 */
export async function requireSession(
  ctx: EdgeContext,
  { sessionHash }: Pick<Caller, "sessionHash">,
): Promise<void> {
  if (sessionHash.startsWith(KEY_MARK)) {
    const isLive = and(eq(apiKeys.keyHash, sessionHash.slice(KEY_MARK.length)), isNull(apiKeys.revokedAt));
    const { rows } = await execute(ctx.db, query.select({ id: apiKeys.id }).from(apiKeys).where(isLive));
    if (rows.length === 0) throw new HttpError("key_invalid");
    return;
  }
  const { rows } = await execute(
    ctx.db,
    query.select({ user: sessions.user }).from(sessions).where(eq(sessions.idHash, sessionHash)),
  );
  if (rows.length === 0) throw new HttpError("not_logged_in");
}

/** Ends the caller's session; every instance receives the event and closes its sockets. */
export async function endSession(
  ctx: EdgeContext,
  { person, sessionHash }: Pick<Caller, "person" | "sessionHash">,
): Promise<void> {
  await writeBatch(ctx.db, {
    event: {
      sql: `INSERT INTO events (at, type, data)
        SELECT ?, 'session_ended', json_object('sessionHash', id_hash) FROM sessions WHERE id_hash = ?`,
      args: [ctx.now(), sessionHash],
    },
    ended: query.delete(sessions).where(eq(sessions.idHash, sessionHash)),
    audited: rightAfter(
      "ended",
      noteAudit(ctx.now(), { kind: "logout", actor: person }, STEP_BEFORE_CHANGED),
    ),
  });
  ctx.wakeOutbox();
}

/** Returns statements that end every session of `userId` except `exceptHash`; the caller adds them to its own batch. */
export function endSessionsOf(
  ctx: Pick<EdgeContext, "now">,
  userId: number,
  exceptHash = "",
): InStatement[] {
  return [
    {
      sql: `INSERT INTO events (at, type, data) SELECT ?, 'session_ended', json_object('sessionHash', id_hash)
        FROM sessions WHERE user = ? AND id_hash <> ?`,
      args: [ctx.now(), userId, exceptHash],
    },
    { sql: "DELETE FROM sessions WHERE user = ? AND id_hash <> ?", args: [userId, exceptHash] },
  ];
}

/** Returns statements like endSessionsOf(), for everybody of an account. */
export function endSessionsOfAccount(ctx: Pick<EdgeContext, "now">, client: number): InStatement[] {
  const isTheirs = "user IN (SELECT id FROM users WHERE id = ?1 OR works_for = ?1)";
  return [
    {
      sql:
        `INSERT INTO events (at, type, data) SELECT ?2, 'session_ended', json_object('sessionHash', id_hash)
        FROM sessions WHERE ${isTheirs}`,
      args: [client, ctx.now()],
    },
    { sql: `DELETE FROM sessions WHERE ${isTheirs}`, args: [client] },
  ];
}

/**
 * Returns statements that give the session of `sessionHash` a new id with the hash `newHash`. Its sockets stay open,
 * and every instance switches to the new hash. The caller adds them to its own batch.
 */
export function renewSession(
  ctx: Pick<EdgeContext, "now">,
  sessionHash: string,
  newHash: string,
): InStatement[] {
  return [
    { sql: "UPDATE sessions SET id_hash = ? WHERE id_hash = ?", args: [newHash, sessionHash] },
    {
      sql: `INSERT INTO events (at, type, data)
        SELECT ?, 'session_renewed', json_object('sessionHash', ?, 'newHash', ?)
        WHERE ${STEP_BEFORE_CHANGED}`,
      args: [ctx.now(), sessionHash, newHash],
    },
  ];
}

/**
 * Returns a new id for the session of `user`, and the statements that set it and end their other sessions. The caller
 * adds them to its own batch.
 */
export async function goOnAlone(
  ctx: Pick<EdgeContext, "now" | "randomBytes">,
  { person, sessionHash }: Pick<Caller, "person" | "sessionHash">,
): Promise<{ sessionId: string; statements: InStatement[] }> {
  const sessionId = newSessionId(ctx);
  const statements = [
    ...endSessionsOf(ctx, person, sessionHash),
    ...renewSession(ctx, sessionHash, await hashSessionId(sessionId)),
  ];
  return { sessionId, statements };
}

/** Returns an unguessable session id of 256 bits. */
function newSessionId(ctx: Pick<EdgeContext, "randomBytes">): string {
  return base64url.encode(ctx.randomBytes(32));
}

/** Ends expired sessions, so that their sockets close as well; a tick. */
export async function endExpiredSessions(ctx: EdgeContext): Promise<void> {
  const now = ctx.now();
  const expired = "last_seen_at <= ? OR created_at <= ?";
  const args = [now - SESSION_IDLE_MS, now - SESSION_MAX_MS];
  const { event } = await writeBatch(ctx.db, {
    event: {
      sql: `INSERT INTO events (at, type, data)
        SELECT ?, 'session_ended', json_object('sessionHash', id_hash) FROM sessions WHERE ${expired}`,
      args: [now, ...args],
    },
    ended: { sql: `DELETE FROM sessions WHERE ${expired}`, args },
  });
  if (event.rowsAffected > 0) ctx.wakeOutbox();
}

/** Returns the SHA-256 of a session id in hexadecimal, the form in the database and the sockets. */
export async function hashSessionId(id: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(id));
  return new Uint8Array(digest).toHex();
}
