/** The recipients of one campaign, page by page, each page from an index however many there are. */
import type { InValue, Row } from "@libsql/client/web";
import { deliveryReasonSchema, type DeliveryState, deliveryStateSchema } from "shared/delivery.ts";
import type { Delivery } from "shared/http_api.ts";
import { DEAD_SOCKET_MS } from "shared/lease.ts";
import type { EdgeContext } from "../context.ts";
import { HttpError } from "../http/http_error.ts";
import { shownPhone } from "./mask_phone.ts";
import { type PhoneRange, phoneRanges } from "./phone_search.ts";
import type { CampaignRow } from "./read.ts";
import { countsOf } from "./view.ts";

export interface DeliveryQuery {
  state?: DeliveryState | undefined;
  /** The beginning of a number, or a whole one, as people write it. */
  q?: string | undefined;
  /** `nextCursor` of the page before. */
  cursor?: string | undefined;
  limit: number;
  /** Hide the middle of the numbers, from whoever is not the owner. */
  masked: boolean;
}

export interface DeliveryPage {
  items: Delivery[];
  nextCursor: string | null;
}

/** Rows that one index gives in the order of `key`; a page goes through its sources one after the other. */
interface Source {
  where: string;
  args: InValue[];
  key: "d.phone" | "d.id" | "d.not_before, d.id";
  /** The key before the first row: one lower bound serves the first page and the later ones. */
  from: number[];
}

/** Up to this many rows, filtering a state by number is quicker than filtering numbers by state. */
const SMALL_STATE = 100_000;

/**
 * Reads a page of a campaign's deliveries: by number, or within a state in the order they came.
 *
 * @throws {HttpError} `invalid_input` when the cursor is not one of ours
 */
export async function readDeliveries(
  ctx: EdgeContext,
  campaign: CampaignRow,
  query: DeliveryQuery,
): Promise<DeliveryPage> {
  const sources = sourcesOf(campaign, query);
  // A search without a digit in it has no source, and an empty batch is not for every database.
  if (sources.length === 0) return { items: [], nextCursor: null };
  const start = parseCursor(query.cursor, sources);
  const pages = await ctx.db.batch(
    sources.slice(start.source).map((source, index) =>
      selectFrom(campaign.id, source, index === 0 && start.after ? start.after : source.from, query.limit + 1)
    ),
    "read",
  );
  const rows = pages.flatMap((page, index) =>
    page.rows.map((row) => ({ row, source: start.source + index }))
  );
  const shown = rows.slice(0, query.limit);
  const last = shown.at(-1);
  const view = viewOf(ctx.now(), campaign, query.masked);
  return {
    items: shown.map(({ row }) => view(row)),
    nextCursor: rows.length > shown.length && last
      ? cursorAt(last.source, sources[last.source], last.row)
      : null,
  };
}

/** Those whose number was erased or forgotten come last: in its place they have an alias below 0. */
const EVERYBODY: Source[] = [
  { where: "1", args: [], key: "d.phone", from: [0] },
  { where: "d.phone < 0", args: [], key: "d.phone", from: [-Number.MAX_SAFE_INTEGER] },
];

function sourcesOf(campaign: CampaignRow, { state, q }: DeliveryQuery): Source[] {
  const states = state === undefined ? [] : sourcesOfState(campaign, state);
  if (q === undefined) {
    return state === undefined ? EVERYBODY : states;
  }
  const ranges = phoneRanges(q);
  const isNarrow = ranges.some((range) => range.first === range.last);
  const isSmall = state !== undefined && countsOf(campaign)[state] <= SMALL_STATE;
  if (isSmall && !isNarrow) return states.map((source) => withinRanges(source, ranges));
  const condition = state === undefined
    ? "1"
    : states.map((source) => `(${source.where})`).join(" OR ") || "0";
  return ranges.map(({ first, last }) => ({
    where: `d.phone <= ? AND (${condition})`,
    args: [last],
    key: "d.phone",
    from: [first - 1],
  }));
}

/** The repeated `state <> 'queued'` is what lets SQLite use the partial index. */
function sourcesOfState(campaign: CampaignRow, state: DeliveryState): Source[] {
  const inState = (where: string): Source => ({
    where: `d.state <> 'queued' AND ${where}`,
    args: [],
    key: "d.id",
    from: [0],
  });
  const queued: Source = { where: "d.state = 'queued'", args: [], key: "d.not_before, d.id", from: [-1, 0] };
  const isCancelled = campaign.status === "cancelled";
  switch (state) {
    case "queued":
      // An offer nobody has acknowledged is still in the queue, to its owner.
      return [inState("d.state = 'leased' AND d.acked_at IS NULL"), ...(isCancelled ? [] : [queued])];
    case "leased":
      return [inState("d.state = 'leased' AND d.acked_at IS NOT NULL")];
    case "cancelled":
      // Cancelling counts all rows at once and turns them over bit by bit.
      return [inState("d.state = 'cancelled'"), ...(isCancelled ? [queued] : [])];
    default:
      return [inState(`d.state = '${state}'`)];
  }
}

function withinRanges(source: Source, ranges: PhoneRange[]): Source {
  const within = ranges.map(() => "d.phone BETWEEN ? AND ?").join(" OR ") || "0";
  return {
    ...source,
    where: `${source.where} AND (${within})`,
    args: ranges.flatMap(({ first, last }) => [first, last]),
  };
}

/** The names of a delivery's account and site; of SHOWN_FROM. */
export const SHOWN_NAMES = "a.key AS account, s.name AS site, s.last_seen_at";
export const SHOWN_FROM =
  "deliveries d LEFT JOIN accounts a ON a.id = d.account LEFT JOIN sites s ON s.id = d.site";

/** The statement of one source; `after` holds the key of the last row shown. */
function selectFrom(campaign: number, source: Source, after: InValue[], limit: number) {
  const marks = after.map(() => "?").join(", ");
  return {
    sql: `SELECT d.id, d.phone, d.state, d.reason, d.acked_at, d.attempt, d.not_before, d.updated_at,
        ${SHOWN_NAMES}
      FROM ${SHOWN_FROM}
      WHERE d.campaign = ? AND ${source.where} AND (${source.key}) > (${marks}) ORDER BY ${source.key} LIMIT ?`,
    args: [campaign, ...source.args, ...after, limit],
  };
}

/** How rows of SHOWN_FROM, with SHOWN_NAMES, are shown to whoever asks. */
export function viewOf(
  now: number,
  campaign: Pick<CampaignRow, "status">,
  masked: boolean,
): (row: Row) => Delivery {
  return (row) => {
    const isOffered = row.state === "leased" && row.acked_at === null;
    const isWaiting = row.state === "leased" && !isOffered &&
      Number(row.last_seen_at) <= now - DEAD_SOCKET_MS;
    const stored = deliveryStateSchema.parse(row.state);
    const waiting = campaign.status === "cancelled" ? "cancelled" : "queued";
    const state = isOffered ? "queued" : stored === "queued" ? waiting : stored;
    return {
      id: Number(row.id),
      phone: shownPhone(row.phone, masked),
      state,
      reason: deliveryReasonSchema.nullable().catch(null).parse(row.reason),
      waitingForSite: isWaiting ? String(row.site) : null,
      account: state === "queued" || row.account === null ? null : String(row.account),
      attempts: Number(row.attempt),
      at: Number(row.updated_at),
    };
  };
}

function cursorAt(index: number, source: Source, row: Row): string {
  const key = source.key.split(", ").map((column) => row[column.slice(2)]);
  return [index, ...key].join(".");
}

function parseCursor(cursor: string | undefined, sources: Source[]): { source: number; after?: number[] } {
  if (cursor === undefined) return { source: 0 };
  const [source, ...after] = cursor.split(".").map(Number);
  const isOurs = /^\d{1,2}(\.-?\d{1,16}){1,2}$/.test(cursor) &&
    sources[source]?.from.length === after.length &&
    after.every((key, at) => key >= sources[source].from[at]!);
  if (!isOurs) throw new HttpError("invalid_input", { detail: "cursor" });
  return { source, after };
}
