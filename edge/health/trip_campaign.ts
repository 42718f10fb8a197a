import { eq } from "drizzle-orm";
import { noteAudit } from "../audit_log/note_audit.ts";
import type { EdgeContext } from "../context.ts";
import { execute, query } from "../db/query.ts";
import { breakerTrips, campaigns } from "../db/schema.ts";
import { writeBatch } from "../db/write_batch.ts";
import { alertEvents } from "../events/alert.ts";
import { inTransaction } from "../db/in_transaction.ts";
import { statement } from "../db/statement.ts";
import { afterPause } from "../deliveries/after_pause.ts";
import { type Trip, tripSentence } from "../text/trip_words.ts";

const IS_LIVE = "SELECT 1 FROM campaigns WHERE id = :campaign AND status IN ('processing', 'active')";

/**
 * Pauses a running campaign because of its outcomes, notifies its client and administrators, and audits it. Returns
 * false when it no longer runs. Only a person may resume it (queue/resume.ts).
 */
export async function tripCampaign(
  ctx: EdgeContext,
  campaign: { id: number; name: string },
  why: Trip,
): Promise<boolean> {
  const args = { now: ctx.now(), campaign: campaign.id, ...why };
  const nobody = { client: null, isAdmin: true };
  const message = `הקמפיין ״${campaign.name}״ הושהה אוטומטית. ${tripSentence(why)}`;
  const isTripped = await inTransaction(ctx.db, async (tx) => {
    if ((await tx.execute(statement(IS_LIVE, args))).rows.length === 0) return false;
    const note = query.insert(breakerTrips).values({ at: args.now, campaign: campaign.id, ...why });
    const { rows: [noted] } = await execute(tx, note.returning({ id: breakerTrips.id }));
    const trip = noted!.id;
    await writeBatch(tx, {
      paused: query.update(campaigns)
        .set({ status: "paused", pausedBy: "rule", trip, updatedAt: args.now })
        .where(eq(campaigns.id, campaign.id)),
      ...afterPause({ ...args, ...nobody }),
      alerted: alertEvents({ code: "breaker_campaign", message, campaign: campaign.id }, args.now),
      audited: noteAudit(args.now, {
        kind: "campaign_paused",
        actor: null,
        campaign: campaign.id,
        data: { trip, ...why },
      }),
    });
    return true;
  });
  if (isTripped) ctx.wakeOutbox();
  return isTripped;
}
