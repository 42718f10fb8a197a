import type { COMMAND_KINDS } from "shared/agent_protocol.ts";
import type { DeviceCommand } from "shared/admin_api.ts";
import { noteAudit } from "../audit_log/note_audit.ts";
import type { EdgeContext } from "../context.ts";
import { HttpError } from "../http/http_error.ts";
import type { SessionUser } from "../http/router.ts";
import { statement } from "../db/statement.ts";
import { DEVICE_NAME } from "./device_name.ts";
import { readCommand } from "./read_commands.ts";

export type CommandKind = (typeof COMMAND_KINDS)[number];

// No row = no such device, or its site was revoked.
const ADD = `INSERT INTO commands (device, site, kind, user, created_at)
  SELECT d.id, d.site, :kind, :user, :now FROM devices d JOIN sites s ON s.id = d.site
  WHERE d.id = :device AND s.revoked = 0 RETURNING id`;
// changes() = 1 only directly behind the row that ADD, then TELL_SITE, made.
const TELL_SITE = `INSERT INTO events (at, type, site, data)
  SELECT :now, 'command', c.site, json_object('id', c.id, 'kind', c.kind, 'device', d.key)
  FROM commands c JOIN devices d ON d.id = c.device WHERE c.id = last_insert_rowid() AND changes() = 1`;
const NOTE = `INSERT INTO activity (at, kind, code, data, site, device, user)
  SELECT :now, 'info', 'device_command', json_object('kind', :kind, 'by', :username,
    'device', ${DEVICE_NAME}, 'site', s.name), d.site, d.id, :user
  FROM devices d JOIN sites s ON s.id = d.site WHERE d.id = :device AND changes() = 1`;
// Kept here as well: a stopped device is leased nothing, whether its site heard of it or not.
const KEEP = `UPDATE devices SET stopped = :stopped WHERE id = :device AND :stopped IS NOT NULL
  AND EXISTS (SELECT 1 FROM sites s WHERE s.id = devices.site AND s.revoked = 0)`;
const TELL_ADMINS = `INSERT INTO events (at, type, for_admins, data)
  SELECT :now, 'device_changed', 1, json_object('siteId', site) FROM devices WHERE id = :device`;

/**
 * Asks a device's site to do something to it, through the outbox, whichever instance holds the site's socket. The
 * answer comes as `commandResult`, or the command times out.
 *
 * @throws HttpError not_found
 */
export async function sendCommand(
  ctx: EdgeContext,
  user: Pick<SessionUser, "id" | "username">,
  device: number,
  kind: CommandKind,
): Promise<DeviceCommand> {
  const stopped = kind === "stop" ? 1 : kind === "start" ? 0 : null;
  const args = { device, kind, stopped, user: user.id, username: user.username, now: ctx.now() };
  const [added] = await ctx.db.batch([
    ...[ADD, TELL_SITE, NOTE].map((sql) => statement(sql, args)),
    noteAudit(args.now, { kind: "device_command", actor: user.id, device, data: { kind } }, "changes() = 1"),
    ...[KEEP, TELL_ADMINS].map((sql) => statement(sql, args)),
  ], "write");
  const id = added!.rows[0]?.id;
  if (id === undefined) throw new HttpError("not_found");
  ctx.wakeOutbox();
  return await readCommand(ctx, Number(id));
}
