/** Makes a planned campaign and a repeat, through the application's own functions. */
import { dayAfter, israelDay, israelInstant } from "shared/israel_time.ts";
import { choiceSchema } from "shared/lists_api.ts";
import type { EdgeContext } from "../context.ts";
import { everyColumn, rowsAs } from "../db/query.ts";
import { campaigns } from "../db/schema.ts";
import { statement } from "../db/statement.ts";
import { createList } from "../lists/change_lists.ts";
import { sendCampaign } from "../queue/send.ts";
import { createSeries } from "../series/create_series.ts";
import { getTableColumns } from "drizzle-orm";

const TEN = 10 * 60;
// One whose client has the quota for it, and words that nothing is missing for.
const READY = `SELECT ${everyColumn(campaigns, "c")} FROM campaigns c JOIN users u ON u.id = c.client
  WHERE c.status = 'ready' AND c.kind = 'service' AND c.queued_count > 0 AND c.queued_count <= u.message_quota
    AND c.test_of IS NULL AND c.running_import IS NULL ORDER BY c.id LIMIT 1`;
const HOLD_PLAN = "UPDATE campaigns SET plan_hold = 'missed', updated_at = :now WHERE id = :campaign";
const HOLD_SERIES = "UPDATE series SET hold = 'quota_short', updated_at = :now WHERE id = :series";

/** Plans a ready campaign for ten o'clock in two days, and repeats it; with troubles both wait for a person. */
export async function makePlans(ctx: EdgeContext, hasTroubles: boolean): Promise<void> {
  const [campaign] = rowsAs(await ctx.db.execute(READY), getTableColumns(campaigns));
  if (campaign === undefined) return;
  const { id, client } = campaign;
  const now = ctx.now();
  const list = await createList(ctx, client, "לקוחות קבועים");
  const series = await createSeries(ctx, { id: client }, campaign, {
    choice: choiceSchema.parse({ lists: [list] }),
    rule: { kind: "monthly", days: [1, 15] },
    minutes: TEN,
    // Its list is empty: the first run would stop it.
    firstDay: dayAfter(israelDay(now), 30),
    lastDay: null,
    leaveOutEmpty: true,
  });
  const plannedAt = israelInstant(dayAfter(israelDay(now), 2), TEN)!;
  await sendCampaign(ctx, { id: client }, id, { plannedAt });
  if (!hasTroubles) return;
  await ctx.db.batch([
    statement(HOLD_PLAN, { campaign: id, now }),
    statement(HOLD_SERIES, { series, now }),
  ], "write");
}
