/** Messages by call, newest first: for the client whose they are, and masked and without texts for administrators. */
import type { InValue, ResultSet } from "@libsql/client/web";
import type { Message, MessagePage, MessagesQuery, PausedMessages } from "shared/messages_api.ts";
import { shownReasonSchema } from "../campaigns/deliveries.ts";
import type { EdgeContext } from "../context.ts";
import { condition, orNull, type RowAs, rowsAs, wholeNumber, wordOf } from "../db/query.ts";
import { accounts, breakerTrips, campaigns, deliveries, messages } from "../db/schema.ts";
import { statement } from "../db/statement.ts";
import { readBatch } from "../db/write_batch.ts";
import { HttpError } from "../http/http_error.ts";
import type { Caller } from "../http/router.ts";
import { revealsHidden, shownPhone } from "../numbers/mask_phone.ts";
import { phoneRanges } from "../numbers/phone_search.ts";
import { countWholeNumber, isWholeNumber } from "../numbers/whole_numbers.ts";
import { type Signal, tripSentence } from "../text/trip_words.ts";

/** Rows of a number that a search reads, the newest. */
const MOST_OF_SEARCH = 5_000;

/** SQL: the state that people see. A queued row of a cancelled carrier is cancelled; an offer is still queued. */
const SHOWN = `CASE WHEN coalesce(d.state, m.state) = 'queued' AND c.status = 'cancelled' THEN 'cancelled'
  WHEN d.state = 'leased' AND d.acked_at IS NULL THEN 'queued'
  WHEN coalesce(d.state, m.state) = 'skipped' AND coalesce(d.reason, m.reason) = 'expired' THEN 'expired'
  ELSE coalesce(d.state, m.state) END`;
const COLUMNS =
  `m.id, ${SHOWN} AS state, coalesce(d.reason, m.reason) AS reason, m.delivery IS NULL AS "isTest",
  coalesce(d.phone, m.phone) AS phone, coalesce(d.fields ->> '$.text', m.text) AS text, m.kind,
  m.has_image AS "hasImage", m.reference, m.send_after AS "sendAfter", m.expires_at AS "expiresAt",
  m.created_at AS "createdAt", coalesce(d.updated_at, m.updated_at) AS "updatedAt",
  coalesce(d.attempt, 0) AS attempts, a.own_number AS sender`;
const FROM =
  `messages m LEFT JOIN deliveries d ON d.id = m.delivery LEFT JOIN campaigns c ON c.id = d.campaign
  LEFT JOIN accounts a ON a.id = d.account`;
const FIELDS = {
  id: messages.id,
  state: wordOf<Message["state"]>(),
  reason: messages.reason,
  isTest: condition,
  phone: wholeNumber,
  text: messages.text,
  kind: messages.kind,
  hasImage: condition,
  reference: messages.reference,
  sendAfter: messages.sendAfter,
  expiresAt: messages.expiresAt,
  createdAt: messages.createdAt,
  updatedAt: wholeNumber,
  attempts: wholeNumber,
  sender: orNull(accounts.ownNumber),
};

const ONE = `SELECT ${COLUMNS} FROM ${FROM}
  WHERE m.id = :id AND (m.client = :client OR :isAdmin) AND (m.delivery IS NULL) = :isTest`;
const ITS_CARRIER = `SELECT d.campaign, d.id FROM messages m JOIN deliveries d ON d.id = m.delivery
  WHERE m.id = :id AND m.client = :client`;
const PAUSED =
  `SELECT c.id AS carrier, c.kind, c.paused_by AS by, c.trip, c.queued_count + c.leased_count AS waiting,
    t.signal, t.count, t.sample
  FROM campaigns c LEFT JOIN breaker_trips t ON t.id = c.trip
  WHERE c.client = :client AND c.carrier_until IS NOT NULL AND c.status = 'paused' ORDER BY c.id LIMIT 20`;
const PAUSED_FIELDS = {
  carrier: campaigns.id,
  kind: campaigns.kind,
  by: campaigns.pausedBy,
  trip: campaigns.trip,
  waiting: wholeNumber,
  signal: orNull(breakerTrips.signal),
  count: orNull(breakerTrips.count),
  sample: orNull(breakerTrips.sample),
};

export interface MessageFilter extends MessagesQuery {
  /** A number, the beginning of one, or a whole reference. */
  q?: string | undefined;
}

/** Returns one message. @throws {HttpError} `not_found` when it is another client's, or of another mode than the key */
export async function readMessage(ctx: EdgeContext, caller: Caller, id: number): Promise<Message> {
  return await readOne(ctx, caller, id, modeOf(caller) === "test") ??
    (caller.key === undefined ? await readOne(ctx, caller, id, true) : null) ?? notFound();
}

async function readOne(
  ctx: EdgeContext,
  caller: Caller,
  id: number,
  isTest: boolean,
): Promise<Message | null> {
  const args = { id, client: caller.client, isAdmin: caller.role === "admin", isTest };
  const [row] = rowsAs(await ctx.db.execute(statement(ONE, args)), FIELDS);
  return row === undefined ? null : viewOf(caller)(row);
}

/**
 * Returns the carrier and the delivery of a message of the caller's client.
 *
 * @throws {HttpError} `not_found`
 */
export async function findRow(
  ctx: EdgeContext,
  { client }: Pick<Caller, "client">,
  id: number,
): Promise<{ campaign: number; delivery: number }> {
  const [row] = rowsAs(await ctx.db.execute(statement(ITS_CARRIER, { id, client })), {
    campaign: deliveries.campaign,
    id: deliveries.id,
  });
  return row === undefined ? notFound() : { campaign: row.campaign, delivery: row.id };
}

/**
 * Returns a page of messages. A key sees those of its own mode.
 *
 * @throws {HttpError} `invalid_input` for a cursor that is not ours; `too_many_attempts` as countWholeNumber()
 */
export async function readMessages(
  ctx: EdgeContext,
  caller: Caller,
  filter: MessageFilter,
): Promise<MessagePage> {
  const isAdmin = caller.role === "admin";
  const client = isAdmin ? filter.client ?? caller.client : caller.client;
  const { q } = filter;
  if (isAdmin && q !== undefined && isWholeNumber(q)) await countWholeNumber(ctx, caller, q);
  const search = q === undefined ? null : searchOf(q, isAdmin);
  const after = parseCursor(filter.cursor);
  const args = {
    client,
    isTest: modeOf(caller, filter) === "test",
    state: filter.state ?? null,
    reference: filter.reference ?? null,
    from: filter.from ?? null,
    until: filter.until ?? null,
    ...after,
    ...search?.args,
    limit: filter.limit + 1,
  };
  // An index serves the order. Only a filter by state reads rows that it does not show.
  const where = [
    "m.client = :client",
    "(m.delivery IS NULL) = :isTest",
    ...(after === null ? [] : ["(m.created_at, m.id) < (:afterAt, :afterId)"]),
    ...(filter.state === undefined ? [] : [`${SHOWN} = :state`]),
    ...(filter.reference === undefined ? [] : ["m.reference = :reference"]),
    ...(filter.from === undefined ? [] : ["m.created_at >= :from"]),
    ...(filter.until === undefined ? [] : ["m.created_at < :until"]),
    ...(search === null ? [] : [`m.id IN (${search.sql})`]),
  ];
  const page = `SELECT ${COLUMNS} FROM ${FROM} WHERE ${where.join(" AND ")}
    ORDER BY m.created_at DESC, m.id DESC LIMIT :limit`;
  const found = await readBatch(ctx.db, {
    page: statement(page, args),
    paused: statement(PAUSED, { client }),
  });
  const rows = rowsAs(found.page, FIELDS);
  const shown = rows.slice(0, filter.limit);
  const last = shown.at(-1);
  return {
    items: shown.map(viewOf(caller)),
    nextCursor: rows.length > shown.length && last ? `${last.createdAt}.${last.id}` : null,
    paused: viewPaused(found.paused),
  };
}

/** A key sees the messages of its own mode, a person those that they ask for. */
function modeOf({ key }: Caller, { mode }: Pick<MessageFilter, "mode"> = {}): "live" | "test" {
  if (key !== undefined) return key.isTest ? "test" : "live";
  return mode ?? "live";
}

/** Returns SQL for the ids of the messages that a search finds. */
function searchOf(q: string, isAdmin: boolean): { sql: string; args: Record<string, InValue> } {
  const ranges = (/^[\d\s()+.-]+$/.test(q) ? phoneRanges(q) : [])
    .filter((range) => !isAdmin || !revealsHidden(range));
  const args: Record<string, InValue> = { q };
  const within = (phone: string) =>
    ranges.map(({ first, last }, no) => {
      Object.assign(args, { [`first${no}`]: first, [`last${no}`]: last });
      return `${phone} BETWEEN :first${no} AND :last${no}`;
    }).join(" OR ");
  const byNumber = ranges.length === 0 ? [] : [
    `SELECT * FROM (SELECT x.id FROM campaigns k CROSS JOIN deliveries o ON o.campaign = k.id AND (${
      within("o.phone")
    })
      CROSS JOIN messages x ON x.delivery = o.id
      WHERE k.client = :client AND k.carrier_until IS NOT NULL ORDER BY x.id DESC LIMIT ${MOST_OF_SEARCH})`,
    `SELECT x.id FROM messages x WHERE x.client = :client AND x.delivery IS NULL AND (${within("x.phone")})`,
  ];
  const byReference = "SELECT x.id FROM messages x WHERE x.client = :client AND x.reference = :q";
  return { sql: [byReference, ...byNumber].join(" UNION ALL "), args };
}

function parseCursor(cursor: string | undefined): { afterAt: number; afterId: number } | null {
  if (cursor === undefined) return null;
  const match = /^(\d{1,15})\.(\d{1,15})$/.exec(cursor);
  if (match === null) throw new HttpError("invalid_input", { detail: "cursor" });
  return { afterAt: Number(match[1]), afterId: Number(match[2]) };
}

/** Returns the function that converts rows of COLUMNS to what the caller may see. */
function viewOf({ role }: Pick<Caller, "role">): (row: RowAs<typeof FIELDS>) => Message {
  const isAdmin = role === "admin";
  return ({ isTest, phone, text, reason, sender, ...row }) => ({
    ...row,
    reason: shownReasonSchema.parse(reason),
    mode: isTest ? "test" : "live",
    to: shownPhone(phone, isAdmin ? "end" : "none"),
    text: isAdmin ? null : text,
    reference: isAdmin ? null : row.reference,
    sender: isAdmin || row.state === "queued" ? null : sender,
  });
}

function viewPaused(result: ResultSet): PausedMessages[] {
  return rowsAs(result, PAUSED_FIELDS).map(({ signal, count, sample, by, ...row }) => ({
    ...row,
    by: by ?? "admin",
    why: signal === null ? null : tripSentence({ signal: signal as Signal, count: count!, sample: sample! }),
  }));
}

function notFound(): never {
  throw new HttpError("not_found");
}
