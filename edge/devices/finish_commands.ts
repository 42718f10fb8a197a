/** Ends a command, by its site's answer or by a timeout. */
import type { AgentFrameOf } from "shared/agent_protocol.ts";
import type { EdgeContext } from "../context.ts";
import { rightAfter, STEP_BEFORE_CHANGED, writeBatch } from "../db/write_batch.ts";
import { FENCE, heard, type SiteConnection, SupersededError } from "../queue/fence.ts";
import { statement } from "../db/statement.ts";
import { DEVICE_NAME } from "./device_name.ts";

export type CommandResultFrame = AgentFrameOf<"commandResult">;

/**
 * A site answers a stop or a start at once, and an identify after the present delivery. It answers a restart when the
 * phone is back, and waits three minutes for that.
 */
export const COMMAND_TIMEOUT_MS = {
  stop: 60_000,
  start: 60_000,
  identify: 120_000,
  restart: 240_000,
} as const;
const TIMEOUT = `CASE kind ${
  Object.entries(COMMAND_TIMEOUT_MS).map(([kind, ms]) => `WHEN '${kind}' THEN ${ms}`).join(" ")
} END`;

// No row = not this site's, or answered before: nothing is recorded or sent. A timed out command may still be answered,
// because the site was away.
const FINISH = `UPDATE commands SET status = iif(:ok, 'done', 'failed'), detail = :detail, finished_at = :now
  WHERE id = :id AND site = :site AND status IN ('waiting', 'timed_out') AND ${FENCE}`;
// After a start, accounts that failed to open pictures are tried again.
const TRY_PICTURES = `UPDATE accounts SET captions = NULL WHERE captions = 0 AND device = (
  SELECT device FROM commands
  WHERE id = :id AND site = :site AND kind = 'start' AND status = 'done' AND finished_at = :now)`;
const TIME_OUT = `UPDATE commands SET status = 'timed_out', finished_at = :now
  WHERE status = 'waiting' AND created_at <= :now - ${TIMEOUT}`;
const NOTE = `INSERT INTO activity (at, kind, code, data, site, device, user)
  SELECT :now, iif(c.status = 'done', 'success', 'warning'), 'device_command_' || c.status, json_object('kind', c.kind,
    'by', u.username, 'device', ${DEVICE_NAME}, 'site', s.name), c.site, c.device, c.user
  FROM commands c JOIN devices d ON d.id = c.device JOIN sites s ON s.id = c.site LEFT JOIN users u ON u.id = c.user
  WHERE ${STEP_BEFORE_CHANGED} AND`;
const TIMED_OUT_NOW = "c.finished_at = :now AND c.status = 'timed_out'";
const INSERT_EVENT = `INSERT INTO events (at, type, for_admins, data)
  SELECT DISTINCT :now, 'device_changed', 1, json_object('siteId', c.site) FROM commands c`;

/** Stores a site's answer to a command. @throws {SupersededError} */
export async function finishCommand(
  ctx: EdgeContext,
  connection: SiteConnection,
  { id, ok, detail }: CommandResultFrame,
): Promise<void> {
  const args = { ...connection, id, ok, detail, now: ctx.now() };
  const { spoke, finished } = await writeBatch(ctx.db, {
    spoke: heard(connection, args.now, 0),
    finished: statement(FINISH, args),
    noted: rightAfter("finished", statement(`${NOTE} c.id = :id`, args)),
    event: rightAfter(
      "noted",
      statement(`${INSERT_EVENT} WHERE c.id = :id AND ${STEP_BEFORE_CHANGED}`, args),
    ),
    picturesTried: statement(TRY_PICTURES, args),
  });
  if (spoke.rowsAffected === 0) throw new SupersededError(connection);
  ctx.wakeOutbox();
  const log = { site: connection.site, command: id, ok, detail };
  if (finished.rowsAffected > 0) ctx.log.info("device_command_done", log);
}

/** Ends commands without an answer in time. Runs as a tick. */
export async function timeOutCommands(ctx: EdgeContext): Promise<void> {
  const args = { now: ctx.now() };
  const { timedOut } = await writeBatch(ctx.db, {
    timedOut: statement(TIME_OUT, args),
    noted: rightAfter("timedOut", statement(`${NOTE} ${TIMED_OUT_NOW}`, args)),
    event: statement(`${INSERT_EVENT} WHERE ${TIMED_OUT_NOW}`, args),
  });
  if (timedOut.rowsAffected > 0) ctx.wakeOutbox();
}
