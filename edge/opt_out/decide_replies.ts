import { noteAudit } from "../audit_log/note_audit.ts";
import { marksOf } from "../audit_log/number_mark.ts";
import { campaignChanged } from "../events/changed_event.ts";
import type { EdgeContext } from "../context.ts";
import { checkCampaigns } from "../health/check_campaigns.ts";
import type { Caller } from "../http/router.ts";
import { inTransaction } from "../db/in_transaction.ts";
import { type RowAs, rowsAs } from "../db/query.ts";
import { replies } from "../db/schema.ts";
import { statement } from "../db/statement.ts";
import { optOutStatements } from "./opt_out.ts";
import { repliesOf } from "./replies_owner.ts";

// No row = decided before, another client's, or erased.
const DECIDE = `UPDATE replies SET state = :state, decided_at = :now, decided_by = :user
  WHERE id IN (SELECT value FROM json_each(:ids)) AND state = 'waiting' AND (:client IS NULL OR client = :client)
  RETURNING campaign, client, phone, site`;
const DECIDED_FIELDS = {
  campaign: replies.campaign,
  client: replies.client,
  phone: replies.phone,
  site: replies.site,
};
type Decided = RowAs<typeof DECIDED_FIELDS>;

/** Replies per transaction: each removal is a dozen statements, and all other writers wait. */
const SLICE = 50;

interface Decision {
  ids: readonly number[];
  as: "remove" | "keep";
}

/** Applies a user's decision to waiting replies; returns how many it decided. */
export async function decideReplies(
  ctx: EdgeContext,
  user: Caller,
  { ids, as }: Decision,
): Promise<{ decided: number }> {
  const decided: Decided[] = [];
  for (let at = 0; at < ids.length; at += SLICE) {
    decided.push(...await decideSlice(ctx, user, { ids: ids.slice(at, at + SLICE), as }));
  }
  if (as === "remove" && decided.length > 0) {
    await checkCampaigns(ctx, [...new Set(decided.map(({ campaign }) => campaign))]);
  }
  return { decided: decided.length };
}

async function decideSlice(
  ctx: EdgeContext,
  user: Caller,
  { ids, as }: Decision,
): Promise<Decided[]> {
  const now = ctx.now();
  const args = {
    ids: JSON.stringify(ids),
    state: as === "remove" ? "removed" : "kept",
    client: repliesOf(user).client,
    user: user.person,
    now,
  };
  const decided = await inTransaction(ctx.db, async (tx) => {
    const rows = rowsAs(await tx.execute(statement(DECIDE, args)), DECIDED_FIELDS);
    if (rows.length === 0) return rows;
    // One round trip for all of them.
    await tx.batch(
      rows.flatMap((row) =>
        as === "remove"
          ? optOutStatements(ctx, now, { ...row, by: "person", actor: user.person })
          : [campaignChanged(now, { id: row.campaign, client: row.client })]
      ),
    );
    if (as === "keep") {
      const numbers = marksOf(ctx, rows.map(({ phone }) => phone));
      const data = { count: rows.length, numbers };
      await tx.execute(noteAudit(now, { kind: "replies_kept", actor: user.person, data }));
    }
    return rows;
  });
  ctx.wakeOutbox();
  return decided;
}
