import type { EditAccountRequest } from "shared/admin_api.ts";
import { noteAudit } from "../audit_log/note_audit.ts";
import type { EdgeContext } from "../context.ts";
import { rowsAs } from "../db/query.ts";
import { accounts } from "../db/schema.ts";
import { rightAfter, STEP_BEFORE_CHANGED, writeBatch } from "../db/write_batch.ts";
import { HttpError } from "../http/http_error.ts";
import type { Caller } from "../http/router.ts";
import { statement } from "../db/statement.ts";
import { DEVICE_NAME } from "./device_name.ts";

const OF_LIVE_SITE = "id = :account AND site IN (SELECT id FROM sites WHERE revoked = 0)";
const LOOK = `SELECT device, site FROM accounts WHERE ${OF_LIVE_SITE}`;
// No row = it already has this label.
const LABEL = `UPDATE accounts SET label = :label WHERE ${OF_LIVE_SITE} AND label <> :label`;
const CONFIRM = `UPDATE accounts SET confirmed_at = iif(:confirmed, :now, NULL)
  WHERE ${OF_LIVE_SITE} AND (confirmed_at IS NOT NULL) <> :confirmed`;
const NOTE = `INSERT INTO activity (at, kind, code, data, site, device, user)
  SELECT :now, 'info', :code, json_object('by', :username, 'label', a.label,
    'account', coalesce(nullif(a.label, ''), substr(a.key, instr(a.key, '/') + 1)),
    'device', ${DEVICE_NAME}, 'site', s.name), a.site, a.device, :user
  FROM accounts a JOIN devices d ON d.id = a.device JOIN sites s ON s.id = a.site
  WHERE a.id = :account AND ${STEP_BEFORE_CHANGED}`;
const INSERT_EVENT = `INSERT INTO events (at, type, for_admins, data)
  SELECT :now, 'account_changed', 1, json_object('siteId', site) FROM accounts WHERE id = :account`;

/**
 * Sets the administrators' name for an account, or records that an administrator has confirmed its owner. Repeating
 * either changes nothing.
 *
 * @throws {HttpError} `not_found` when there is no such account, or its site was revoked
 */
export async function editAccount(
  ctx: EdgeContext,
  user: Pick<Caller, "person" | "username">,
  account: number,
  { label, confirmed }: EditAccountRequest,
): Promise<void> {
  const args = { account, now: ctx.now(), user: user.person, username: user.username };
  const { device, site } = accounts;
  const [found] = rowsAs(await ctx.db.execute(statement(LOOK, args)), { device, site });
  if (found === undefined) throw new HttpError("not_found");
  const of = { actor: user.person, ...found };
  const audit = (data: EditAccountRequest) =>
    noteAudit(args.now, { kind: "account_edited", ...of, data }, STEP_BEFORE_CHANGED);
  const note = (code: string) => statement(NOTE, { ...args, code });
  await writeBatch(ctx.db, {
    ...(label !== undefined && {
      labelled: statement(LABEL, { ...args, label }),
      labelNoted: rightAfter("labelled", note(label === "" ? "account_unlabelled" : "account_labelled")),
      labelAudited: rightAfter("labelNoted", audit({ label })),
    }),
    ...(confirmed !== undefined && {
      confirmed: statement(CONFIRM, { ...args, confirmed }),
      confirmNoted: rightAfter("confirmed", note(confirmed ? "account_confirmed" : "account_unconfirmed")),
      confirmAudited: rightAfter("confirmNoted", audit({ confirmed })),
    }),
    event: statement(INSERT_EVENT, args),
  });
  ctx.wakeOutbox();
}
