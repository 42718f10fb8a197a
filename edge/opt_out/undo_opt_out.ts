/** An administrator undoes a removal by reply, with a reason, when the recipient has changed their mind. */
import type { OptOut } from "shared/replies_api.ts";
import { withoutNumbers } from "shared/without_numbers.ts";
import { noteAudit } from "../audit_log/note_audit.ts";
import { markOf } from "../audit_log/number_mark.ts";
import { shownPhone } from "../numbers/mask_phone.ts";
import { parsePhone } from "../numbers/parse_phone.ts";
import type { EdgeContext } from "../context.ts";
import { HttpError } from "../http/http_error.ts";
import type { Caller } from "../http/router.ts";
import { inTransaction } from "../db/in_transaction.ts";
import { rowsAs } from "../db/query.ts";
import { suppressions, users } from "../db/schema.ts";
import { statement } from "../db/statement.ts";

const FIND =
  `SELECT s.id, s.phone, s.at, s.client, u.username FROM suppressions s JOIN users u ON u.id = s.client
  WHERE s.phone = :phone AND s.source = 'reply' ORDER BY s.at DESC, s.id DESC`;
const IS_UNDOABLE = "id = :id AND source = 'reply' AND client <> 0";
// A number that the client had listed itself stays on its list, and the client may remove it.
const GIVE_BACK = `UPDATE suppressions SET source = listed_as, listed_as = NULL
  WHERE ${IS_UNDOABLE} AND listed_as IS NOT NULL RETURNING client, phone`;
const UNDO = `DELETE FROM suppressions WHERE ${IS_UNDOABLE} RETURNING client, phone`;
// Otherwise the next reply to the same campaign would count as already received. After a restore, sites report old
// replies again: `undone_until` stops them from counting as new.
const HEAR_AGAIN =
  `UPDATE replies SET state = 'kept', undone_until = at, decided_at = :now, decided_by = :actor
  WHERE phone = :phone AND client = :client AND state = 'removed'`;
// Any campaign of the client makes its screens load the list again; the answered one may be forgotten.
const CLIENT_EVENT = `INSERT INTO events (at, type, client, campaign, data)
  SELECT :now, 'campaign_changed', :client, id, json_object('campaignId', id) FROM campaigns
  WHERE client = :client ORDER BY id DESC LIMIT 1`;
const INSERT_ACTIVITY = `INSERT INTO activity (at, kind, code, data, user)
  SELECT :now, 'warning', 'opt_out_undone',
    json_object('client', username, 'by', (SELECT username FROM users WHERE id = :actor)), id
  FROM users WHERE id = :client`;

/**
 * Returns the clients that may not write to a number because its owner asked.
 *
 * @throws {HttpError} `invalid_input` when it is no whole number
 */
export async function findOptOuts(ctx: EdgeContext, text: string): Promise<OptOut[]> {
  const { phone } = parsePhone(text);
  if (phone === undefined) throw new HttpError("invalid_input", { text: "מספר הטלפון לא תקין." });
  const found = rowsAs(await ctx.db.execute(statement(FIND, { phone })), {
    id: suppressions.id,
    at: suppressions.at,
    client: suppressions.client,
    username: users.username,
  });
  return found.map(({ id, at, client, username }) => ({
    id,
    phone: shownPhone(phone, "middle"),
    client: { id: client, username },
    at,
  }));
}

/**
 * Removes one number from one client's list, unless the client listed it too, and updates the client's screens. Skipped
 * messages stay skipped; a new request counts like the first.
 *
 * @throws {HttpError} `not_found` when it is in no client's list, or not by a reply
 */
export async function undoOptOut(
  ctx: EdgeContext,
  { person: actor }: Pick<Caller, "person">,
  id: number,
  reason: string,
): Promise<void> {
  const now = ctx.now();
  const isUndone = await inTransaction(ctx.db, async (tx) => {
    const run = async (sql: string) =>
      rowsAs(await tx.execute(statement(sql, { id })), {
        client: suppressions.client,
        phone: suppressions.phone,
      });
    const row = (await run(GIVE_BACK))[0] ?? (await run(UNDO))[0];
    if (row === undefined) return false;
    const { client, phone } = row;
    const data = { number: markOf(ctx, "phone", `+${phone}`), reason: withoutNumbers(reason) };
    await tx.batch([
      statement(HEAR_AGAIN, { client, phone, actor, now }),
      statement(CLIENT_EVENT, { client, now }),
      statement(INSERT_ACTIVITY, { client, actor, now }),
      noteAudit(now, { kind: "opt_out_undone", actor, user: client, data }),
    ]);
    return true;
  });
  if (!isUndone) throw new HttpError("not_found");
  ctx.wakeOutbox();
}
