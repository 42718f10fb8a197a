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
const PEOPLE = 12;
const FIRST_PHONE = 972_509_900_000;
const DRAFT = `SELECT ${everyColumn(campaigns, "c")} FROM campaigns c JOIN users u ON u.id = c.client
  WHERE c.status = 'draft' AND c.kind <> 'marketing' AND c.queued_count = 0 AND u.role = 'client'
    AND c.test_of IS NULL AND c.running_import IS NULL ORDER BY c.id LIMIT 1`;
const ADD_PEOPLE = `INSERT INTO deliveries (campaign, phone, updated_at)
  SELECT :campaign, ${FIRST_PHONE} + value, :now FROM json_each(:people)`;
const MAKE_READY = `UPDATE campaigns SET status = 'ready', queued_count = ${PEOPLE} WHERE id = :campaign`;
// What the plan takes, so that its client's balance stays.
const GRANT = `INSERT INTO quota_ledger (client, at, kind, delta)
  SELECT c.client, :now, 'grant', ${PEOPLE} FROM campaigns c WHERE c.id = :campaign`;
const HOLD_PLAN = "UPDATE campaigns SET plan_hold = 'missed', updated_at = :now WHERE id = :campaign";
const HOLD_SERIES = "UPDATE series SET hold = 'quota_short', updated_at = :now WHERE id = :series";

/** Gives a draft some people, plans it for ten o'clock in two days, and repeats it; with troubles both wait for a person. */
export async function makePlans(ctx: EdgeContext, hasTroubles: boolean): Promise<void> {
  const [campaign] = rowsAs(await ctx.db.execute(DRAFT), getTableColumns(campaigns));
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
  await ctx.db.batch([
    statement(ADD_PEOPLE, { campaign: id, now, people: JSON.stringify([...Array(PEOPLE).keys()]) }),
    statement(MAKE_READY, { campaign: id }),
    statement(GRANT, { campaign: id, now }),
  ], "write");
  const plannedAt = israelInstant(dayAfter(israelDay(now), 2), TEN)!;
  await sendCampaign(ctx, { id: client }, id, { plannedAt });
  if (!hasTroubles) return;
  await ctx.db.batch([
    statement(HOLD_PLAN, { campaign: id, now }),
    statement(HOLD_SERIES, { series, now }),
  ], "write");
}
