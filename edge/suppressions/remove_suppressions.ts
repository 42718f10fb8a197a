import { noteAudit } from "../audit_log/note_audit.ts";
import { marksOf } from "../audit_log/number_mark.ts";
import type { EdgeContext } from "../context.ts";
import type { Caller } from "../http/router.ts";
import { inTransaction } from "../db/in_transaction.ts";
import { rowsAs } from "../db/query.ts";
import { suppressions } from "../db/schema.ts";
import { statement } from "../db/statement.ts";
import { listOf } from "./list_owner.ts";

// A client cannot undo a recipient's own request.
const REMOVE = `DELETE FROM suppressions WHERE client = :client AND id IN (SELECT value FROM json_each(:ids))
  AND (:client = 0 OR source <> 'reply') RETURNING phone`;
// A recipient whose client a restore lost is on the list for everybody. Otherwise the next request would count as
// already received, and a repeated one as new.
const HEAR_AGAIN =
  `UPDATE replies SET state = 'kept', undone_until = at, decided_at = :now, decided_by = :actor
  WHERE phone IN (SELECT value FROM json_each(:phones)) AND client = 0 AND :client = 0 AND state = 'removed'`;
const NOTE = `INSERT INTO activity (at, kind, code, data) SELECT :now, 'warning', 'suppressions_removed',
  json_object('by', :username, 'count', :count) WHERE :client = 0`;

/** Removes numbers from a user's list, and ignores numbers of other lists. */
export async function removeSuppressions(
  ctx: EdgeContext,
  user: Caller,
  ids: readonly number[],
): Promise<{ removed: number }> {
  const args = {
    client: listOf(user).client,
    ids: JSON.stringify(ids),
    username: user.username,
    now: ctx.now(),
  };
  const removed = await inTransaction(ctx.db, async (tx) => {
    const rows = rowsAs(await tx.execute(statement(REMOVE, args)), { phone: suppressions.phone });
    if (rows.length === 0) return 0;
    const numbers = marksOf(ctx, rows.map(({ phone }) => phone));
    const data = { list: args.client === 0 ? "all" : "own", count: rows.length, numbers };
    const phones = JSON.stringify(rows.map(({ phone }) => phone));
    await tx.batch([
      statement(HEAR_AGAIN, { ...args, actor: user.id, phones }),
      statement(NOTE, { ...args, count: rows.length }),
      noteAudit(args.now, { kind: "suppressions_removed", actor: user.person, data }),
    ]);
    return rows.length;
  });
  ctx.wakeOutbox();
  return { removed };
}
