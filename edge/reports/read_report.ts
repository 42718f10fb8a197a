/** The report of one campaign: what came of every recipient, by reason, time, field, and sending account. */
import {
  MOST_EARLIER,
  MOST_FIELD_VALUES,
  MOST_PLACES,
  MOST_REPORT_HOURS,
  type Report,
} from "shared/report_api.ts";
import type { DeliveryState } from "shared/delivery.ts";
import { findNumberView, isMasked } from "../campaigns/number_views.ts";
import { shownReasonSchema } from "../campaigns/deliveries.ts";
import { readCampaign } from "../campaigns/read.ts";
import { countsOf } from "../campaigns/view.ts";
import type { EdgeContext } from "../context.ts";
import { everyColumn, plainText, rowsAs, wholeNumber } from "../db/query.ts";
import { type CampaignRow, campaigns } from "../db/schema.ts";
import { statement } from "../db/statement.ts";
import { readBatch } from "../db/write_batch.ts";
import { DEVICE_NAME } from "../devices/device_name.ts";
import type { SessionUser } from "../http/router.ts";
import { localHour, localMidnight } from "../time/local_day.ts";
import { getTableColumns } from "drizzle-orm";
import { type CountedRows, countRows, noCounts } from "./count_rows.ts";

const HOUR_MS = 60 * 60_000;
const HALF_DAY_MS = 12 * HOUR_MS;
/** Rows that moved away under the reader, as numbers that are forgotten do, are looked for again. */
const MOST_TRIES = 3;
/** Campaigns that one read looks at for earlier ones. */
const LOOKED_AT = 500;

const REMOVALS = `SELECT at / 3600000 AS hour, count(*) AS n FROM replies
  WHERE campaign = :campaign AND state = 'removed' GROUP BY 1`;
// Those made before it, as the index has them, and of them those sent before it.
const EARLIER = `SELECT ${everyColumn(campaigns, "c")} FROM (
    SELECT * FROM campaigns WHERE client = :client AND id < :campaign ORDER BY id DESC LIMIT ${LOOKED_AT}) c
  WHERE c.test_of IS NULL AND c.send_at < :since AND c.status NOT IN ('draft', 'ready')
    AND c.sent_count + c.failed_count + c.unknown_count > 0
  ORDER BY c.send_at DESC, c.id DESC LIMIT ${MOST_EARLIER}`;
const NAMES = `SELECT n.id AS id, coalesce(nullif(n.label, ''), ${DEVICE_NAME}) AS name, s.name AS site,
    substr(n.key, instr(n.key, '/') + 1) AS account
  FROM accounts n JOIN devices d ON d.id = n.device JOIN sites s ON s.id = n.site
  WHERE n.id IN (SELECT value FROM json_each(:ids))`;
const CLIENT = "SELECT username AS name FROM users WHERE id = :client";

/**
 * Returns the report of a campaign for its owner or an administrator; `field` also divides the recipients by a field.
 *
 * @throws {HttpError} `not_found` as readCampaign(); `invalid_input` after the caller `left`
 */
export async function readReport(
  ctx: EdgeContext,
  user: SessionUser,
  id: number,
  { field = null, left }: { field?: string | null; left?: AbortSignal } = {},
): Promise<Report> {
  const { campaign, rows } = await countWhole(ctx, user, id, { field, left });
  const { client } = campaign;
  const isAdmin = user.role === "admin";
  const largest = [...rows.byAccount].map(([account, outcomes]) => ({ account, ...outcomes }))
    .sort((a, b) => b.sent - a.sent || a.account - b.account).slice(0, MOST_PLACES);
  const read = await readBatch(ctx.db, {
    removals: statement(REMOVALS, { campaign: id }),
    earlier: statement(EARLIER, { campaign: id, client, since: campaign.sendAt ?? 0 }),
    view: findNumberView(ctx, user, id),
    names: isAdmin
      ? statement(NAMES, { ids: JSON.stringify(largest.map(({ account }) => account)) })
      : undefined,
    clients: isAdmin ? statement(CLIENT, { client }) : undefined,
  });
  const removals = rowsAs(read.removals, { hour: wholeNumber, n: wholeNumber });
  const dated = removals.reduce((sum, { n }) => sum + n, 0);
  const spans = spansOf(rows, removals);
  const names = new Map(read.names && rowsAs(read.names, NAME_FIELDS).map((row) => [row.id, row]));
  return {
    at: ctx.now(),
    id,
    name: campaign.name,
    client: read.clients ? rowsAs(read.clients, { name: plainText })[0]?.name ?? null : null,
    kind: campaign.kind,
    status: campaign.status,
    startedAt: campaign.sendAt,
    completedAt: campaign.completedAt,
    isForgotten: campaign.forgottenAt !== null,
    total: rows.total,
    counts: rows.counts,
    outcomes: outcomesOf(rows),
    times: timesOf(spans),
    byHour: byHourOf(spans),
    removals: {
      total: campaign.optedOutCount,
      undated: Math.max(0, campaign.optedOutCount - dated),
    },
    fields: [...rows.fields],
    field: field === null ? null : fieldOf(field, rows, isMasked(user, campaign, read.view)),
    places: !isAdmin ? null : largest.map(({ account, ...outcomes }) => {
      const { name = "", site = "", account: app = "" } = names.get(account) ?? {};
      return { ...outcomes, name, site, account: app };
    }),
    earlier: rowsAs(read.earlier, getTableColumns(campaigns)).map(earlierOf),
  };
}

const NAME_FIELDS = { id: wholeNumber, name: plainText, site: plainText, account: plainText };

/** Counts until no row is missing; the campaign's row is of the same moment. */
async function countWhole(
  ctx: EdgeContext,
  user: SessionUser,
  id: number,
  { field, left }: { field: string | null; left?: AbortSignal | undefined },
): Promise<{ campaign: CampaignRow; rows: CountedRows }> {
  for (let attempt = 1;; attempt++) {
    const campaign = await readCampaign(ctx, user, id);
    const rows = await countRows(ctx, {
      campaign: id,
      since: campaign.sendAt ?? 0,
      isCancelled: campaign.status === "cancelled",
      field,
    }, left);
    const expected = Object.values(countsOf(campaign)).reduce((sum, count) => sum + count, 0);
    if (rows.total >= expected || attempt === MOST_TRIES) return { campaign, rows };
  }
}

function outcomesOf({ byReason }: CountedRows): Report["outcomes"] {
  const found = [...byReason].map(([key, count]) => {
    const [state, reason] = key.split(" ") as [DeliveryState, string];
    return { state, reason: shownReasonSchema.parse(reason || null), count };
  });
  return found.sort((a, b) => b.count - a.count);
}

interface Span {
  hour: number;
  sent: number;
  failed: number;
  unknown: number;
  removals: number;
}

/** Returns the hours in which something happened, oldest first. */
function spansOf({ byHour }: CountedRows, removals: readonly { hour: number; n: number }[]): Span[] {
  const spans = new Map<number, Span>();
  for (const [hour, outcomes] of byHour) spans.set(hour, { hour, ...outcomes, removals: 0 });
  for (const { hour, n } of removals) {
    const span = spans.get(hour) ?? { hour, sent: 0, failed: 0, unknown: 0, removals: 0 };
    spans.set(hour, { ...span, removals: n });
  }
  return [...spans.values()].sort((a, b) => a.hour - b.hour);
}

function timesOf(spans: readonly Span[]): Report["times"] {
  const [first] = spans;
  if (first === undefined) return { step: "hour", points: [] };
  const last = spans.at(-1)!;
  const isByHour = last.hour - first.hour < MOST_REPORT_HOURS;
  const startOf = (hour: number) => isByHour ? hour * HOUR_MS : localMidnight(hour * HOUR_MS);
  // A day of a clock change has 23 or 25 hours.
  const next = (at: number) => isByHour ? at + HOUR_MS : localMidnight(at + 2 * HALF_DAY_MS + 2 * HOUR_MS);
  const points = new Map<number, Report["times"]["points"][number]>();
  for (let at = startOf(first.hour); at <= startOf(last.hour); at = next(at)) {
    points.set(at, { at, sent: 0, failed: 0, unknown: 0, removals: 0 });
  }
  for (const { hour, ...counts } of spans) addTo(points.get(startOf(hour))!, counts);
  return { step: isByHour ? "hour" : "day", points: [...points.values()] };
}

function byHourOf(spans: readonly Span[]): Report["byHour"] {
  const hours = Array.from({ length: 24 }, () => ({ sent: 0, failed: 0, unknown: 0, removals: 0 }));
  for (const { hour, ...counts } of spans) addTo(hours[localHour(hour * HOUR_MS)]!, counts);
  return hours;
}

function addTo(sum: Omit<Span, "hour">, counts: Omit<Span, "hour">): void {
  sum.sent += counts.sent;
  sum.failed += counts.failed;
  sum.unknown += counts.unknown;
  sum.removals += counts.removals;
}

function fieldOf(name: string, rows: CountedRows, isMasked: boolean): NonNullable<Report["field"]> {
  const shown = { name, isMasked, hasTooMany: rows.hasTooManyValues };
  if (isMasked || rows.byValue === null) return { ...shown, values: [], rest: null };
  const sorted = [...rows.byValue].map(([value, counts]) => ({ value, ...counts })).sort((a, b) =>
    sizeOf(b) - sizeOf(a) || (a.value < b.value ? -1 : 1)
  );
  const others = sorted.slice(MOST_FIELD_VALUES);
  const rest = { ...noCounts(), values: others.length };
  for (const { value: _, ...counts } of others) {
    for (const [state, count] of Object.entries(counts)) rest[state as DeliveryState] += count;
  }
  return { ...shown, values: sorted.slice(0, MOST_FIELD_VALUES), rest: others.length === 0 ? null : rest };
}

function sizeOf({ value: _, ...counts }: { value: string } & Report["counts"]): number {
  return Object.values(counts).reduce((sum, count) => sum + count, 0);
}

function earlierOf(row: CampaignRow): Report["earlier"][number] {
  const counts = countsOf(row);
  return {
    id: row.id,
    name: row.name,
    startedAt: row.sendAt!,
    completedAt: row.completedAt,
    total: Object.values(counts).reduce((sum, count) => sum + count, 0),
    counts,
    removals: row.optedOutCount,
  };
}
