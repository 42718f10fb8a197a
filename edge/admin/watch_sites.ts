import { DEAD_SOCKET_MS } from "shared/lease.ts";
import type { EdgeContext } from "../context.ts";
import { writeBatch } from "../db/write_batch.ts";
import { statement } from "../db/statement.ts";

const IS_HEARD = "coalesce(last_seen_at, 0) > :now - :deadMs AND revoked = 0";
const CHANGED = `reachable <> (${IS_HEARD})`;
const NOTE = `INSERT INTO activity (at, kind, code, data, site)
  SELECT :now, iif(reachable, 'warning', 'success'), iif(reachable, 'site_lost', 'site_connected'),
    json_object('site', name), id FROM sites WHERE ${CHANGED} AND revoked = 0`;
const ADMINS_EVENT = `INSERT INTO events (at, type, for_admins, data)
  SELECT :now, 'device_changed', 1, json_object('siteId', id) FROM sites WHERE ${CHANGED}`;
const SET = `UPDATE sites SET reachable = 1 - reachable, reachable_since = :now WHERE ${CHANGED}`;

/** Notices sites that came or went since the last tick, and notifies administrators; a tick. */
export async function watchSites(ctx: EdgeContext): Promise<void> {
  const args = { now: ctx.now(), deadMs: DEAD_SOCKET_MS };
  const { event } = await writeBatch(ctx.db, {
    noted: statement(NOTE, args),
    event: statement(ADMINS_EVENT, args),
    set: statement(SET, args),
  });
  if (event.rowsAffected > 0) ctx.wakeOutbox();
}
