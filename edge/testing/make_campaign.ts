/** For tests: a campaign with deliveries in any states, as if the states had come about normally. */
import type { CampaignStatus } from "shared/campaign.ts";
import type { DeliveryState } from "shared/delivery.ts";
import type { EdgeContext } from "../context.ts";

export interface MadeCampaign {
  client: number;
  name?: string;
  status?: CampaignStatus;
  /** How many deliveries are in each state; numbers ascend in this order. */
  rows?: Partial<Record<DeliveryState, number>>;
  /** The first number, E.164 digits; the others follow. */
  firstPhone?: number;
  sendAt?: number;
  pausedBy?: string;
}

/** Inserts it and returns its id. Leased rows are acknowledged and belong to no site. */
export async function makeCampaign(ctx: EdgeContext, made: MadeCampaign): Promise<number> {
  const { client, name = "סתיו", status = "ready", rows = {}, firstPhone = 972_540_000_001 } = made;
  const now = ctx.now();
  const inserted = await ctx.db.execute({
    sql: `INSERT INTO campaigns (client, name, message, status, send_at, paused_by, created_at, updated_at)
      VALUES (?, ?, 'שלום', ?, ?, ?, ?, ?) RETURNING id`,
    args: [client, name, status, made.sendAt ?? null, made.pausedBy ?? null, now, now],
  });
  const id = Number(inserted.rows[0].id);
  let phone = firstPhone;
  for (const [state, count = 0] of Object.entries(rows)) {
    await ctx.db.batch([
      {
        sql: `WITH RECURSIVE n(v) AS (SELECT 0 UNION ALL SELECT v + 1 FROM n WHERE v + 1 < ?)
          INSERT INTO deliveries (campaign, phone, state, acked_at, updated_at)
          SELECT ?, ? + v, ?, CASE WHEN ?4 = 'leased' THEN ?5 END, ?5 FROM n WHERE ?1 > 0`,
        args: [count, id, phone, state, now],
      },
      { sql: `UPDATE campaigns SET ${state}_count = ? WHERE id = ?`, args: [count, id] },
    ], "write");
    phone += count;
  }
  // The trigger that ends campaigns may have read the counters while they were being set.
  await ctx.db.execute({ sql: "UPDATE campaigns SET status = ? WHERE id = ?", args: [status, id] });
  return id;
}
