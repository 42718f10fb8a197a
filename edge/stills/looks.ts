/**
 * An administrator's look at phones' screens. The line of the audit log that names the reason is the permission: each
 * still is looked up by it. So no still exists without its line, at any edge.
 */
import { LOOK_MS, type Looks } from "shared/looks_api.ts";
import { DEAD_SOCKET_MS } from "shared/lease.ts";
import { withoutNumbers } from "shared/without_numbers.ts";
import { noteAudit } from "../audit_log/note_audit.ts";
import { markOf } from "../audit_log/number_mark.ts";
import type { EdgeContext } from "../context.ts";
import { condition, rowsAs } from "../db/query.ts";
import { auditLog, devices, sites } from "../db/schema.ts";
import { statement } from "../db/statement.ts";
import { writeBatch } from "../db/write_batch.ts";
import { HttpError } from "../http/http_error.ts";
import type { Caller } from "../http/router.ts";

/** SQL condition: nobody closed the look `a`. */
const NOT_CLOSED = `NOT EXISTS (SELECT 1 FROM audit_log e WHERE e.kind = 'screen_look_ended' AND e.id > a.id
  AND e.data->>'look' = a.id AND e.data->>'closed')`;

const PHONES = `SELECT d.id, d.site FROM devices d JOIN sites s ON s.id = d.site
  WHERE s.revoked = 0 AND d.id IN (SELECT value FROM json_each(:ids))`;

// The site's epoch shows an edge that its own connection of the site is an old one.
const LOOK = `SELECT a.at, a.device, d.key, d.site, s.epoch,
    coalesce(s.last_seen_at > :now - ${DEAD_SOCKET_MS}, 0) AS "isSeen"
  FROM audit_log a JOIN devices d ON d.id = a.device JOIN sites s ON s.id = d.site
  WHERE a.id = :look AND a.kind = 'screen_looked' AND a.actor = :user AND a.data->>'session' = :session
    AND a.at > :now - ${LOOK_MS} AND s.revoked = 0 AND ${NOT_CLOSED}`;

const OPEN = `SELECT a.device, a.site, a.at FROM audit_log a
  WHERE a.id = :look AND a.kind = 'screen_looked' AND a.actor = :user AND a.at > :now - ${LOOK_MS}
    AND ${NOT_CLOSED}`;

export interface Look {
  id: number;
  user: number;
  /** Milliseconds after which no still may be asked for. */
  until: number;
  device: number;
  site: number;
  /** The site's own name of the phone. */
  key: string;
  /** The site's present connection, at any edge. */
  epoch: number;
  /** Whether some edge has heard the site in the last half a minute. */
  isSeen: boolean;
}

/**
 * Writes the reason to the audit log, one line for each phone, and returns the looks.
 *
 * @throws {HttpError} `not_found` when one of the phones does not exist
 */
export async function beginLooks(
  ctx: EdgeContext,
  user: Caller,
  { devices: ids, reason }: { devices: readonly number[]; reason: string },
): Promise<Looks> {
  const found = await ctx.db.execute(statement(PHONES, { ids: JSON.stringify(ids) }));
  const siteOf = new Map(
    rowsAs(found, { id: devices.id, site: devices.site }).map((row) => [row.id, row.site]),
  );
  if (siteOf.size < ids.length) throw new HttpError("not_found");
  const now = ctx.now();
  const data = { reason: withoutNumbers(reason), session: sessionMark(ctx, user) };
  const lines = ids.map((device) => {
    const site = siteOf.get(device)!;
    const { sql, args } = noteAudit(now, { kind: "screen_looked", actor: user.person, device, site, data });
    return { sql: `${sql} RETURNING id`, args };
  });
  const { written } = await writeBatch(ctx.db, { written: lines });
  const looks = written.map((result, index) => {
    const [line] = rowsAs(result, { id: auditLog.id });
    return { id: line!.id, device: ids[index]! };
  });
  return { looks, until: now + LOOK_MS };
}

/** Returns a look of this session. @throws {HttpError} `look_over` */
export async function readLook(ctx: EdgeContext, user: Caller, look: number): Promise<Look> {
  const args = { look, user: user.person, session: sessionMark(ctx, user), now: ctx.now() };
  const [row] = rowsAs(await ctx.db.execute(statement(LOOK, args)), {
    at: auditLog.at,
    device: devices.id,
    key: devices.key,
    site: devices.site,
    epoch: sites.epoch,
    isSeen: condition,
  });
  if (row === undefined) throw new HttpError("look_over");
  const { at, ...rest } = row;
  return { id: look, user: user.person, until: at + LOOK_MS, ...rest };
}

/** Returns a person's look that is neither over nor closed, of any of their sessions; null = none. */
export async function findOpenLook(
  ctx: EdgeContext,
  user: number,
  look: number,
): Promise<Pick<Look, "user" | "device" | "site" | "until"> | null> {
  const found = await ctx.db.execute(statement(OPEN, { look, user, now: ctx.now() }));
  const [row] = rowsAs(found, { device: devices.id, site: devices.site, at: auditLog.at });
  return row === undefined ? null : { user, device: row.device, site: row.site, until: row.at + LOOK_MS };
}

/** A stolen session of the same person must not use the reason that another session gave. */
function sessionMark(ctx: EdgeContext, { sessionHash }: Caller): string {
  return markOf(ctx, "session", sessionHash);
}
