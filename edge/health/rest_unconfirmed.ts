import { siteCalled } from "shared/site_name.ts";
import { noteAudit } from "../audit_log/note_audit.ts";
import type { EdgeContext } from "../context.ts";
import { alertEvents } from "../events/alert.ts";
import { rowsAs } from "../db/query.ts";
import { sites } from "../db/schema.ts";
import { inTransaction } from "../db/in_transaction.ts";
import { statement } from "../db/statement.ts";
import { takeBack, takeBackWhere } from "./take_back.ts";
import { IS_TRUSTED } from "./trust.ts";
import { restSentence, type Trip, UNCONFIRMED_ADVICE } from "../text/trip_words.ts";

/** SQL: true when site `s` has unconfirmed accounts that rest. */
export const UNCONFIRMED_REST = `(s.unconfirmed_rest IS NOT NULL AND EXISTS (
  SELECT 1 FROM accounts a WHERE a.site = s.id AND NOT ${IS_TRUSTED}))`;

// No row = they rest already.
const REST = `UPDATE sites SET unconfirmed_rest = json_object('at', :now, 'signal', :signal, 'count', :count,
    'sample', :sample)
  WHERE id = :site AND unconfirmed_rest IS NULL RETURNING name`;
const TAKE_BACK = takeBackWhere(`site = :site
  AND account IN (SELECT a.id FROM accounts a WHERE a.site = :site AND NOT ${IS_TRUSTED})`);

/**
 * Stops leasing to a site's unconfirmed accounts and takes back their work. Confirmed accounts continue. The rest ends
 * for an account when a person confirms it, and for all when a person starts the site again.
 */
export async function restUnconfirmed(ctx: EdgeContext, site: number, why: Trip): Promise<void> {
  const args = { now: ctx.now(), site, ...why };
  const isRested = await inTransaction(ctx.db, async (tx) => {
    const [rested] = rowsAs(await tx.execute(statement(REST, args)), { name: sites.name });
    if (rested === undefined) return false;
    const takenBack = await takeBack(tx, TAKE_BACK, args);
    const message = `${siteCalled(rested.name)}: ${restSentence(why)} ${UNCONFIRMED_ADVICE}`;
    await tx.batch([
      ...takenBack,
      ...alertEvents({ code: "unconfirmed_rested", message, site }, args.now),
      noteAudit(args.now, { kind: "unconfirmed_rested", actor: null, site, data: { ...why } }),
    ]);
    return true;
  });
  if (isRested) ctx.wakeOutbox();
}
