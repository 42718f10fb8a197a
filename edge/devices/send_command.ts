import type { COMMAND_KINDS } from "shared/agent_protocol.ts";
import type { DeviceCommand } from "shared/admin_api.ts";
import { noteAudit } from "../audit_log/note_audit.ts";
import type { EdgeContext } from "../context.ts";
import { rowsAs } from "../db/query.ts";
import { commands } from "../db/schema.ts";
import { rightAfter, STEP_BEFORE_CHANGED, writeBatch } from "../db/write_batch.ts";
import { HttpError } from "../http/http_error.ts";
import { recordCall } from "../http/repeatable_call.ts";
import type { Caller } from "../http/router.ts";
import { statement } from "../db/statement.ts";
import { DEVICE_NAME } from "./device_name.ts";
import { readCommand } from "./read_commands.ts";

export type CommandKind = (typeof COMMAND_KINDS)[number];

// No row = no such device, or its site was revoked.
const ADD = `INSERT INTO commands (device, site, kind, user, created_at)
  SELECT d.id, d.site, :kind, :user, :now FROM devices d JOIN sites s ON s.id = d.site
  WHERE d.id = :device AND s.revoked = 0 RETURNING id`;
const SITE_EVENT = `INSERT INTO events (at, type, site, data)
  SELECT :now, 'command', c.site, json_object('id', c.id, 'kind', c.kind, 'device', d.key)
  FROM commands c JOIN devices d ON d.id = c.device WHERE c.id = last_insert_rowid() AND ${STEP_BEFORE_CHANGED}`;
const NOTE = `INSERT INTO activity (at, kind, code, data, site, device, user)
  SELECT :now, 'info', 'device_command', json_object('kind', :kind, 'by', :username,
    'device', ${DEVICE_NAME}, 'site', s.name), d.site, d.id, :user
  FROM devices d JOIN sites s ON s.id = d.site WHERE d.id = :device AND ${STEP_BEFORE_CHANGED}`;
// Stored here too: a stopped device gets no lease, even if its site never received the stop.
const KEEP = `UPDATE devices SET stopped = :stopped WHERE id = :device AND :stopped IS NOT NULL
  AND EXISTS (SELECT 1 FROM sites s WHERE s.id = devices.site AND s.revoked = 0)`;
const ADMINS_EVENT = `INSERT INTO events (at, type, for_admins, data)
  SELECT :now, 'device_changed', 1, json_object('siteId', site) FROM devices WHERE id = :device`;

/**
 * Sends a command for a device to its site through the outbox, whichever instance holds the site's socket. The answer
 * arrives as `commandResult`, or the command times out.
 *
 * @throws {HttpError} `not_found`
 */
export async function sendCommand(
  ctx: EdgeContext,
  user: Pick<Caller, "person" | "username">,
  device: number,
  kind: CommandKind,
): Promise<DeviceCommand> {
  const stopped = kind === "stop" ? 1 : kind === "start" ? 0 : null;
  const args = { device, kind, stopped, user: user.person, username: user.username, now: ctx.now() };
  const note = { kind: "device_command", actor: user.person, device, data: { kind } } as const;
  // The command of this transaction is the newest: ids only grow.
  const record = recordCall({ status: 202, made: { sql: "(SELECT max(id) FROM commands)" } });
  const { added } = await writeBatch(ctx.db, {
    added: statement(ADD, args),
    siteEvent: rightAfter("added", statement(SITE_EVENT, args)),
    noted: rightAfter("siteEvent", statement(NOTE, args)),
    audited: rightAfter("noted", noteAudit(args.now, note, STEP_BEFORE_CHANGED)),
    recorded: record && rightAfter("audited", record),
    kept: statement(KEEP, args),
    adminsEvent: statement(ADMINS_EVENT, args),
  });
  const [command] = rowsAs(added, { id: commands.id });
  if (command === undefined) throw new HttpError("not_found");
  ctx.wakeOutbox();
  return await readCommand(ctx, command.id);
}
