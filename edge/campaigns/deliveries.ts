/** The recipients of one campaign, in pages. An index serves each page, however long the list is. */
import type { InValue } from "@libsql/client/web";
import { deliveryReasonSchema, type DeliveryState } from "shared/delivery.ts";
import type { Delivery } from "shared/http_api.ts";
import { DEAD_SOCKET_MS } from "shared/lease.ts";
import type { EdgeContext } from "../context.ts";
import { orNull, type RowAs, rowsAs } from "../db/query.ts";
import { readBatch } from "../db/write_batch.ts";
import { HttpError } from "../http/http_error.ts";
import type { Caller } from "../http/router.ts";
import { actorArgs, OWN_CAMPAIGN } from "../queue/own_campaign.ts";
import { statement } from "../db/statement.ts";
import { turnForRead } from "../time/turn_loop.ts";
import { maskingOf, revealsHidden, shownPhone } from "../numbers/mask_phone.ts";
import { findNumberView, isMasked, MAY_SEE } from "./number_views.ts";
import { type PhoneRange, phoneRanges } from "../numbers/phone_search.ts";
import { findCampaign, foundCampaign, readCampaign } from "./read.ts";
import { countsOf } from "./view.ts";
import { countWholeNumber, isWholeNumber } from "../numbers/whole_numbers.ts";
import { accounts, type CampaignRow, deliveries, sites } from "../db/schema.ts";

export interface DeliveryQuery {
  state?: DeliveryState | undefined;
  /** A whole number or its first digits, as people write it. */
  q?: string | undefined;
  /** `nextCursor` of the previous page. */
  cursor?: string | undefined;
  limit: number;
  /** True hides the middle of the numbers. Absent = hide them from a user without permission to see them now. */
  masked?: boolean | undefined;
}

export interface DeliveryPage {
  items: Delivery[];
  nextCursor: string | null;
}

/** Rows from one index, in the order of `key`. A page reads its sources one after the other. */
interface Source {
  where: string;
  args: Record<string, InValue>;
  key: "d.phone" | "d.id" | "d.not_before, d.id";
  /** The key before the first row: the first page and the later ones use the same lower bound. */
  from: number[];
}

/** Up to this many rows, filtering a state by number is faster than filtering numbers by state. */
const SMALL_STATE = 100_000;

/**
 * Returns a page of a campaign's deliveries: by number, or within a state in the order of their arrival.
 *
 * @throws {HttpError} `invalid_input` when the cursor is not one of ours; `not_found` as readCampaign();
 * `too_many_attempts` when numbers are masked and the user searched for too many whole ones
 */
export async function readDeliveries(
  ctx: EdgeContext,
  user: Caller,
  campaignId: number,
  query: DeliveryQuery,
): Promise<DeliveryPage> {
  // No index covers numbers within a state. Run one such search per event loop turn, however many arrive at once.
  if (query.state !== undefined && query.q !== undefined) await turnForRead();
  await boundSearch(ctx, user, campaignId, query);
  const sources = sourcesOf(query, await isOfSmallState(ctx, user, campaignId, query));
  const start = parseCursor(query.cursor, sources);
  const { sessionHash: session } = user;
  const args = { campaign: campaignId, ...actorArgs(user), session, now: ctx.now(), limit: query.limit + 1 };
  const { campaigns, views, pages } = await readBatch(ctx.db, {
    campaigns: findCampaign(user, campaignId),
    views: findNumberView(ctx, user, campaignId),
    pages: sources.slice(start.source).map((source, index) =>
      selectFrom(source, index === 0 ? start.after : undefined, args)
    ),
  });
  const campaign = foundCampaign(campaigns);
  const rows = pages.flatMap((page, index) =>
    rowsAs(page, PAGE_FIELDS).map((row) => ({ row, source: start.source + index }))
  );
  const shown = rows.slice(0, query.limit);
  const last = shown.at(-1);
  const view = viewOf(ctx.now(), user, campaign, query.masked ?? isMasked(user, campaign, views));
  return {
    items: shown.map(({ row }) => view(row)),
    nextCursor: rows.length > shown.length && last
      ? cursorAt(last.source, sources[last.source]!, last.row)
      : null,
  };
}

/**
 * Counts a search for a whole number, unless the user may see the campaign's numbers: then there is nothing to guess.
 */
async function boundSearch(
  ctx: EdgeContext,
  user: Caller,
  campaignId: number,
  { q }: DeliveryQuery,
): Promise<void> {
  if (user.role !== "admin" || q === undefined || !isWholeNumber(q)) return;
  const { campaigns, views } = await readBatch(ctx.db, {
    campaigns: findCampaign(user, campaignId),
    views: findNumberView(ctx, user, campaignId),
  });
  if (isMasked(user, foundCampaign(campaigns), views)) {
    await countWholeNumber(ctx, user, q);
  }
}

/** Erased and forgotten numbers come last: an alias below 0 replaces each. */
const EVERYBODY: Source[] = [
  { where: "1", args: {}, key: "d.phone", from: [0] },
  { where: "d.phone < 0", args: {}, key: "d.phone", from: [-Number.MAX_SAFE_INTEGER] },
];

/**
 * Returns whether a search within a state filters that state's rows by number. Only this must be known before the page
 * is read.
 */
async function isOfSmallState(
  ctx: EdgeContext,
  user: Caller,
  campaignId: number,
  { state, q }: DeliveryQuery,
): Promise<boolean> {
  if (state === undefined || q === undefined) return false;
  return countsOf(await readCampaign(ctx, user, campaignId))[state] <= SMALL_STATE;
}

function sourcesOf({ state, q }: DeliveryQuery, isSmall: boolean): Source[] {
  const states = state === undefined ? [] : sourcesOfState(state);
  if (q === undefined) {
    return state === undefined ? EVERYBODY : states;
  }
  const ranges = phoneRanges(q);
  const isNarrow = ranges.some((range) => range.first === range.last);
  if (isSmall && !isNarrow) return states.map((source) => withinRanges(source, ranges));
  const condition = state === undefined ? "1" : states.map((source) => `(${source.where})`).join(" OR ");
  return ranges.map((range) => ({
    where: `d.phone <= :last AND (${condition}) AND ${mayBeSearched(range)}`,
    args: { last: range.last },
    key: "d.phone",
    from: [range.first - 1],
  }));
}

const IS_CANCELLED = "(SELECT status FROM campaigns WHERE id = :campaign) = 'cancelled'";

/** SQLite uses the partial index only with the repeated `state <> 'queued'`. */
function sourcesOfState(state: DeliveryState): Source[] {
  const inState = (where: string): Source => ({
    where: `d.state <> 'queued' AND ${where}`,
    args: {},
    key: "d.id",
    from: [0],
  });
  const queued = (where: string): Source => ({
    where: `d.state = 'queued' AND ${where}`,
    args: {},
    key: "d.not_before, d.id",
    from: [-1, 0],
  });
  switch (state) {
    case "queued":
      // The owner sees an offer without an acknowledgement as still queued.
      return [inState("d.state = 'leased' AND d.acked_at IS NULL"), queued(`NOT ${IS_CANCELLED}`)];
    case "leased":
      return [inState("d.state = 'leased' AND d.acked_at IS NOT NULL")];
    case "cancelled":
      // Cancelling counts all rows at once and rewrites them in slices.
      return [inState("d.state = 'cancelled'"), queued(IS_CANCELLED)];
    default:
      return [inState(`d.state = '${state}'`)];
  }
}

/** Returns SQL: where a search would reveal hidden digits, only a user who may see the numbers gets rows. */
function mayBeSearched(range: PhoneRange): string {
  return revealsHidden(range) ? MAY_SEE : "1";
}

function withinRanges(source: Source, ranges: PhoneRange[]): Source {
  const within =
    ranges.map((range, index) =>
      `d.phone BETWEEN :first${index} AND :last${index} AND ${mayBeSearched(range)}`
    ).join(" OR ") || "0";
  return {
    ...source,
    where: `${source.where} AND (${within})`,
    args: Object.fromEntries(
      ranges.flatMap(({ first, last }, index) => [[`first${index}`, first], [`last${index}`, last]]),
    ),
  };
}

/** Columns with the names of a delivery's account and site. They need SHOWN_FROM. */
export const SHOWN_NAMES = "a.key AS account, a.own_number AS sender, s.name AS site, s.last_seen_at";
export const SHOWN_FROM =
  "deliveries d LEFT JOIN accounts a ON a.id = d.account LEFT JOIN sites s ON s.id = d.site";
/** The fields that viewOf() reads, of `d` and SHOWN_NAMES. */
export const SHOWN_FIELDS = {
  id: deliveries.id,
  phone: deliveries.phone,
  state: deliveries.state,
  reason: deliveries.reason,
  ackedAt: deliveries.ackedAt,
  attempt: deliveries.attempt,
  updatedAt: deliveries.updatedAt,
  account: orNull(accounts.key),
  sender: accounts.ownNumber,
  site: orNull(sites.name),
  lastSeenAt: sites.lastSeenAt,
};
const PAGE_FIELDS = { ...SHOWN_FIELDS, notBefore: deliveries.notBefore };

/** Returns the statement that reads one source, from its start or after the row `after`. */
function selectFrom(source: Source, after: number[] | undefined, args: Record<string, InValue>) {
  const begin = behind(source, after);
  return statement(
    `SELECT d.id, d.phone, d.state, d.reason, d.acked_at, d.attempt, d.not_before, d.updated_at,
        ${SHOWN_NAMES}
      FROM ${SHOWN_FROM}
      WHERE d.campaign = ${OWN_CAMPAIGN} AND ${source.where} AND (${source.key}) > ${begin.sql}
      ORDER BY ${source.key} LIMIT :limit`,
    { ...args, ...source.args, ...begin.args },
  );
}

/**
 * Returns the lower bound of the next page. The cursor holds a row id. If that row's number was erased since, its
 * source starts again from the beginning.
 */
function behind({ key, from }: Source, after: number[] | undefined) {
  if (after !== undefined && key === "d.phone") {
    return {
      sql: `max(:from, (SELECT phone FROM deliveries WHERE campaign = ${OWN_CAMPAIGN} AND id = :after))`,
      args: { from: from[0]!, after: after[0]! },
    };
  }
  const keys = after ?? from;
  return {
    sql: `(${keys.map((_, index) => `:after${index}`).join(", ")})`,
    args: Object.fromEntries(keys.map((one, index) => [`after${index}`, one])),
  };
}

/** The reason of a row. A reason that this release does not know becomes null. */
export const shownReasonSchema = deliveryReasonSchema.nullable().catch(null);

/** Returns the function that converts rows of SHOWN_FROM and SHOWN_NAMES to what the caller may see. */
export function viewOf(
  now: number,
  viewer: Pick<Caller, "role">,
  campaign: CampaignRow,
  masked: boolean,
): (row: RowAs<typeof SHOWN_FIELDS>) => Delivery {
  const masking = maskingOf(masked, Object.values(countsOf(campaign)).reduce((sum, count) => sum + count, 0));
  return (row) => {
    const isOffered = row.state === "leased" && row.ackedAt === null;
    const isWaiting = row.state === "leased" && !isOffered && (row.lastSeenAt ?? 0) <= now - DEAD_SOCKET_MS;
    const waiting = campaign.status === "cancelled" ? "cancelled" : "queued";
    const state = isOffered ? "queued" : row.state === "queued" ? waiting : row.state;
    return {
      id: row.id,
      phone: shownPhone(row.phone, masking),
      state,
      reason: shownReasonSchema.parse(row.reason),
      waitingForSite: isWaiting ? row.site : null,
      ...(state === "queued" ? { account: null, sender: null } : shownSender(viewer, row)),
      attempts: row.attempt,
      at: row.updatedAt,
    };
  };
}

/**
 * Returns the sender of a message as its reader knows it: administrators the account on its phone, clients the number
 * that their recipients see.
 */
export function shownSender(
  { role }: Pick<Caller, "role">,
  { account, sender }: { account: string | null; sender: string | null },
): Pick<Delivery, "account" | "sender"> {
  return role === "admin" ? { account, sender: null } : { account: null, sender };
}

/**
 * Returns a row's place in its source. An order by number uses the row's id, because addresses must not reveal numbers.
 */
function cursorAt(index: number, { key }: Source, { id, notBefore }: RowAs<typeof PAGE_FIELDS>): string {
  return [index, ...(key === "d.not_before, d.id" ? [notBefore, id] : [id])].join(".");
}

function parseCursor(cursor: string | undefined, sources: Source[]): { source: number; after?: number[] } {
  if (cursor === undefined) return { source: 0 };
  if (sources.length === 0) return { source: 0 };
  const [source, ...after] = cursor.split(".").map(Number);
  const isOurs = /^\d{1,2}(\.-?\d{1,16}){1,2}$/.test(cursor) &&
    sources[source]?.from.length === after.length &&
    after.every((key, at) => key >= (sources[source]!.key === "d.phone" ? 1 : sources[source]!.from[at]!));
  if (!isOurs) throw new HttpError("invalid_input", { detail: "cursor" });
  return { source, after };
}
