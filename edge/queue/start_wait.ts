/**
 * The wait of a starting edge: it leases nothing until it has heard every site that the database last saw connected.
 * If the database was put back while no edge ran, only the marks in the sites' hellos show it. The first site to
 * return may not be the one that knows. See docs/decisions/013-starting-edges-wait-for-their-sites.md.
 */
import { DEAD_SOCKET_MS } from "shared/lease.ts";
import type { EdgeContext, StartWait } from "../context.ts";
import { errorFields } from "../error_fields.ts";
import { condition, rowsAs } from "../db/query.ts";
import { statement } from "../db/statement.ts";
import { WORK_WAITING } from "../events/work_waiting.ts";

export interface StartWaitParts {
  /** Monotonic, in milliseconds. */
  clock(): number;
  sleep(ms: number, signal: AbortSignal): Promise<void>;
}

/** Longest wait: a site whose machine is off must not stop the others for ever. */
export const START_WAIT_MS = 60_000;
const LOOK_EVERY_MS = 250;
/** Sites lost within this time are waited for as well, so that an edge that starts twice does not wait less. */
const LOST_LATELY_MS = 10 * 60_000;
const NOBODY = "[]";

const ENROLLED = "revoked = 0 AND public_key IS NOT NULL";
// `reachable` is the state at the last tick; a site that connected after it was seen as late as the others.
const AWAITED = `SELECT json_group_array(json_object(
    'site', id, 'epoch', epoch, 'hello', hello_epoch, 'seen', last_seen_at)) AS awaited
  FROM sites WHERE ${ENROLLED} AND last_seen_at IS NOT NULL
    AND (reachable = 1 OR reachable_since > :now - ${LOST_LATELY_MS}
      OR last_seen_at > (SELECT max(last_seen_at) FROM sites WHERE ${ENROLLED}) - ${DEAD_SOCKET_MS})`;

/**
 * SQL condition: a site of :awaited has not been heard since. It was heard if it sent hello since. It was also heard
 * if another edge served it all the time and this database knows its hello. No clocks are compared.
 */
export const SITES_UNHEARD =
  `EXISTS (SELECT 1 FROM json_each(:awaited) w JOIN sites h ON h.id = w.value->>'site'
  WHERE h.revoked = 0 AND h.hello_epoch <= w.value->>'hello'
    AND (h.hello_epoch <> h.epoch OR h.last_seen_at IS w.value->>'seen'))`;

/** Returns the sites to hear; call it before the edge serves anybody, and watchStartWait() after. */
export async function beginStartWait(ctx: Pick<EdgeContext, "db" | "now">): Promise<StartWait> {
  const { rows: [row] } = await ctx.db.execute(statement(AWAITED, { now: ctx.now() }));
  return { awaited: String(row.awaited) };
}

/** Returns the arguments of SITES_UNHEARD: no site once the wait is over, or if there is none. */
export function awaitedArgs({ startWait }: Pick<EdgeContext, "startWait">): { awaited: string } {
  return { awaited: startWait?.awaited ?? NOBODY };
}

/** Returns whether this edge still leases nothing. */
export function isWaiting(ctx: Pick<EdgeContext, "startWait">): boolean {
  return awaitedArgs(ctx).awaited !== NOBODY;
}

/** Ends the wait after every site was heard or its time is over, and asks the sites to pull. */
export async function watchStartWait(
  ctx: EdgeContext,
  { clock, sleep }: StartWaitParts,
  signal: AbortSignal,
): Promise<void> {
  if (!isWaiting(ctx)) return;
  const until = clock() + START_WAIT_MS;
  let isUnheard = true;
  while (isUnheard && clock() < until && !signal.aborted) {
    await sleep(Math.min(LOOK_EVERY_MS, until - clock()), signal);
    isUnheard = await looksUnheard(ctx);
  }
  if (signal.aborted) return;
  ctx.startWait!.awaited = NOBODY;
  ctx.log.info("start_wait_over", { allHeard: !isUnheard });
  try {
    await ctx.db.execute(statement(WORK_WAITING, { now: ctx.now() }));
    ctx.wakeOutbox();
  } catch (error) {
    // They ask again by themselves within seconds.
    ctx.log.warn("start_wait_untold", errorFields(error));
  }
}

async function looksUnheard(ctx: EdgeContext): Promise<boolean> {
  try {
    const found = await ctx.db.execute(
      statement(`SELECT ${SITES_UNHEARD} AS unheard`, awaitedArgs(ctx)),
    );
    return rowsAs(found, { unheard: condition })[0]!.unheard;
  } catch (error) {
    ctx.log.warn("start_wait_unread", errorFields(error));
    return true;
  }
}
