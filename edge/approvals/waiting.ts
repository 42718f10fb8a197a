/** The campaigns that wait for an administrator's decision. */
import type { WaitingApprovals } from "shared/approval_api.ts";
import type { EdgeContext } from "../context.ts";
import { everyColumn, orNull, rowsAs, wholeNumber } from "../db/query.ts";
import { advertisers, campaigns, series, users } from "../db/schema.ts";
import { getTableColumns } from "drizzle-orm";
import { statement } from "../db/statement.ts";
import { readBatch } from "../db/write_batch.ts";
import { composedOf } from "../lawful/sent_text.ts";
import { APPROVAL_FROM, dayTotal, exceedsDay, planSum } from "../queue/approval.ts";
import { NEEDED } from "../queue/send.ts";
import { localDay } from "../time/local_day.ts";

/** More would be a long read for one person; the rest follows as these are decided. */
const MOST_SHOWN = 50;

const READY_SUM = {
  campaign: "c.id",
  client: "c.client",
  own: `(${NEEDED})`,
  day: ":day",
  pressedAt: ":now",
};
const DECISION = "(SELECT a.state FROM approvals a WHERE a.campaign = c.id AND a.revision = c.revision)";

/** SQL: campaign `c` is a plan that needs an approval and has no decision, or a ready one whose client has asked. */
export const LACKS_DECISION = `c.test_of IS NULL AND (
    (c.status = 'scheduled' AND ${exceedsDay(planSum("c"))} AND ${DECISION} IS NULL)
    OR (c.status = 'ready' AND ${DECISION} = 'asked'))`;
/** SQL: those campaigns `c` with their clients `u`. Needs :now and :day. */
export const WAITING = `FROM campaigns c JOIN users u ON u.id = c.client
    LEFT JOIN approvals k ON k.campaign = c.id AND k.revision = c.revision
  WHERE c.status IN ('ready', 'scheduled') AND (c.status = 'scheduled' OR c.id IN (
    SELECT campaign FROM approvals WHERE state = 'asked')) AND ${LACKS_DECISION} AND u.disabled = 0`;
const COUNT = `SELECT count(*) AS n ${WAITING}`;
const PAGE = `SELECT ${everyColumn(campaigns, "c")}, u.username,
    coalesce(k.asked_at, c.pressed_at, c.updated_at) AS "askedAt",
    CASE c.status WHEN 'scheduled' THEN ${dayTotal(planSum("c"))} ELSE ${dayTotal(READY_SUM)} END AS total,
    ${APPROVAL_FROM} AS "approvalFrom", ${NEEDED} AS needed,
    (SELECT s.name FROM series_runs r JOIN series s ON s.id = r.series WHERE r.campaign = c.id) AS "ofSeries",
    d.name AS "advertiserName", d.address, d.contact_phone, d.contact_email, d.removal_link
  ${WAITING.replace("WHERE", "LEFT JOIN advertisers d ON d.client = c.client WHERE")}
  ORDER BY coalesce(c.planned_at, 0), "askedAt", c.id LIMIT ${MOST_SHOWN}`;

const FIELDS = {
  ...getTableColumns(campaigns),
  username: users.username,
  askedAt: wholeNumber,
  total: wholeNumber,
  approvalFrom: wholeNumber,
  needed: wholeNumber,
  ofSeries: orNull(series.name),
  advertiserName: orNull(advertisers.name),
  address: orNull(advertisers.address),
  contactPhone: orNull(advertisers.contactPhone),
  contactEmail: orNull(advertisers.contactEmail),
  removalLink: orNull(advertisers.removalLink),
};

/** Returns what waits for a decision: sends first, then plans by their time; the first MOST_SHOWN. */
export async function readWaitingApprovals(ctx: EdgeContext): Promise<WaitingApprovals> {
  const now = ctx.now();
  const args = { now, day: localDay(now) };
  const { count, page } = await readBatch(ctx.db, {
    count: statement(COUNT, args),
    page: statement(PAGE, args),
  });
  const items = rowsAs(page, FIELDS).map((row) => {
    const advertiser = row.advertiserName === null ? null : {
      name: row.advertiserName,
      address: row.address!,
      phone: row.contactPhone!,
      email: row.contactEmail!,
      removalLink: row.removalLink!,
    };
    return {
      campaign: { id: row.id, name: row.name },
      client: { id: row.client, username: row.username },
      revision: row.revision,
      kind: row.kind,
      text: composedOf(ctx, row, advertiser) ?? row.message,
      imageUrl: row.image && `/api/campaigns/${row.id}/image?v=${row.image.slice(0, 16)}`,
      recipients: row.needed,
      total: row.total,
      from: row.approvalFrom,
      plannedAt: row.status === "scheduled" ? row.plannedAt : null,
      series: row.ofSeries,
      askedAt: row.askedAt,
    };
  });
  return { count: rowsAs(count, { n: wholeNumber })[0]!.n, items };
}
