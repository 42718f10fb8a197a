/** Chooses people of a client's lists: by filters of fields, exceptions, and then the first or some by chance. */
import type { Fields } from "shared/contact_fields.ts";
import type { Choice, FieldFilter } from "shared/lists_api.ts";
import type { EdgeContext } from "../context.ts";
import { jsonOf, rowsAs, wholeNumber } from "../db/query.ts";
import { listMembers } from "../db/schema.ts";
import { statement } from "../db/statement.ts";
import { endIfCallerLeft } from "../http/caller_left.ts";
import { HttpError } from "../http/http_error.ts";
import { foldValue } from "../people/value_keys.ts";
import { turnLoop } from "../time/turn_loop.ts";

const DAY_MS = 24 * 60 * 60_000;
/** Members read in one statement: some 10 ms. */
const SLICE = 4_000;

// A slice is narrowed to its range of numbers first: each exception is then read once, from one place to another.
const REACHED_STATES = "('sent', 'unknown', 'leased')";
const SLICE_OF = `WITH m AS MATERIALIZED (SELECT phone FROM list_members
    WHERE list = :list AND phone > :after ORDER BY phone LIMIT ${SLICE}),
  span AS MATERIALIZED (SELECT min(phone) AS first, max(phone) AS last, count(*) AS looked FROM m)`;
const NOT_IN_LISTS = `m.phone NOT IN (SELECT x.phone FROM json_each(:exceptLists) e CROSS JOIN list_members x
    ON x.list = e.value AND x.phone BETWEEN (SELECT first FROM span) AND (SELECT last FROM span))`;
// A campaign that was sent may still reach those who wait in it; one that was cancelled keeps them "queued" for good.
const NOT_REACHED = `m.phone NOT IN (SELECT d.phone FROM json_each(:exceptCampaigns) e
    CROSS JOIN campaigns k ON k.id = e.value CROSS JOIN deliveries d
    ON d.campaign = k.id AND d.phone BETWEEN (SELECT first FROM span) AND (SELECT last FROM span)
      AND (d.state IN ${REACHED_STATES}
        OR (d.state = 'queued' AND k.status IN ('processing', 'active', 'paused'))))`;
const NOT_LATELY = `m.phone NOT IN (SELECT d.phone FROM campaigns k CROSS JOIN deliveries d
    ON d.campaign = k.id AND d.phone BETWEEN (SELECT first FROM span) AND (SELECT last FROM span)
      AND d.state IN ${REACHED_STATES} AND coalesce(d.tapped_at, d.updated_at) >= :since
  WHERE k.client = :client AND k.send_at IS NOT NULL AND k.test_of IS NULL
    AND (k.last_sent_at >= :since OR k.leased_count + k.unknown_count > 0))`;
const OWN_LISTS = `SELECT count(*) AS count FROM lists
  WHERE client = :client AND removed_at IS NULL AND id IN (SELECT value FROM json_each(:ids))`;
const OWN_CAMPAIGNS = `SELECT count(*) AS count FROM campaigns
  WHERE client = :client AND id IN (SELECT value FROM json_each(:ids))`;

export interface ChosenPeople {
  /** Different people in the lists. */
  total: number;
  /** Of these, those who fit. */
  fitting: number;
  /** The numbers of those who were chosen, ascending. */
  phones: Float64Array;
  /** The seed of a choice by chance. */
  seed: number | null;
}

/**
 * Reads the lists in slices and returns who was chosen. The first are those with the smallest numbers, as a list is
 * shown.
 *
 * @throws {HttpError} `not_found` when a list or campaign is not this client's; `invalid_input` after the caller `left`
 */
export async function choosePeople(
  ctx: EdgeContext,
  client: number,
  choice: Choice,
  left?: AbortSignal,
): Promise<ChosenPeople> {
  await refuseOthers(ctx, client, choice);
  const all: number[][] = [];
  const fitting: number[][] = [];
  for (const list of new Set(choice.lists)) {
    const found = await fittingOf(ctx, { client, list, choice, left });
    all.push(found.all);
    fitting.push(found.fitting);
  }
  const phones = together(fitting);
  const { take } = choice;
  const seed = take?.kind === "random"
    ? take.seed ?? new DataView(ctx.randomBytes(4).buffer).getUint32(0)
    : null;
  return {
    total: together(all).length,
    fitting: phones.length,
    phones: take?.kind === "first"
      ? phones.subarray(0, take.count)
      : take?.kind === "random"
      ? someByChance(phones, take.count, seed!)
      : phones,
    seed,
  };
}

/** Returns `count` of the numbers, ascending: those with the smallest hash under the seed. */
export function someByChance(phones: Float64Array, count: number, seed: number): Float64Array {
  if (count >= phones.length) return phones;
  const hashes = phones.map((phone) => hashOf(phone, seed));
  const limit = hashes.slice().sort()[count - 1]!;
  const some = new Float64Array(count);
  // Equal hashes at the limit: those with the smaller numbers.
  let below = 0;
  for (const hash of hashes) if (hash < limit) below++;
  let atLimit = count - below;
  let at = 0;
  for (const [index, hash] of hashes.entries()) {
    if (hash < limit || (hash === limit && atLimit-- > 0)) some[at++] = phones[index]!;
  }
  return some;
}

/** A hash of 53 bits, by two rounds of murmur3's mixing. */
function hashOf(phone: number, seed: number): number {
  const low = mix((phone >>> 0) ^ seed);
  const high = mix(Math.floor(phone / 2 ** 32) ^ low ^ Math.imul(seed, 0x9e3779b1));
  return (high >>> 0) * 2 ** 21 + (mix(low ^ high) >>> 11);
}

function mix(hash: number): number {
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return hash ^ (hash >>> 16);
}

interface OfList {
  client: number;
  list: number;
  choice: Choice;
  left: AbortSignal | undefined;
}

async function fittingOf(
  ctx: EdgeContext,
  { client, list, choice: { where, except, notWithinDays }, left }: OfList,
): Promise<{ all: number[]; fitting: number[] }> {
  const all: number[] = [];
  const fitting: number[] = [];
  const conditions = [
    except.lists.length > 0 && NOT_IN_LISTS,
    except.campaigns.length > 0 && NOT_REACHED,
    notWithinDays && NOT_LATELY,
  ].filter((one) => typeof one === "string");
  const fits = where.map(fitsOf);
  const sql = `${SLICE_OF} SELECT m.phone, ${
    conditions.map((one) => `(${one})`).join(" AND ") || "1"
  } AS fits,
      ${
    where.length > 0
      ? "(SELECT fields FROM contacts c WHERE c.client = :client AND c.phone = m.phone)"
      : "NULL"
  }
        AS fields
    FROM m`;
  const args = {
    client,
    list,
    exceptLists: JSON.stringify(except.lists),
    exceptCampaigns: JSON.stringify(except.campaigns),
    since: ctx.now() - (notWithinDays ?? 0) * DAY_MS,
  };
  for (let after = 0;;) {
    const rows = rowsAs(await ctx.db.execute(statement(sql, { ...args, after })), {
      phone: listMembers.phone,
      fits: wholeNumber,
      fields: jsonOf<Fields>(),
    });
    for (const { phone, fits: isLeft, fields } of rows) {
      all.push(phone);
      if (isLeft === 1 && fits.every((fit) => fit(fields ?? {}))) fitting.push(phone);
    }
    if (rows.length < SLICE) return { all, fitting };
    after = rows.at(-1)!.phone;
    await turnLoop();
    endIfCallerLeft(left);
  }
}

/** Returns the check of one filter. */
export function fitsOf({ field, kind, value }: FieldFilter): (fields: Fields) => boolean {
  const wanted = foldValue(value);
  const valueOf = (fields: Fields) => Object.hasOwn(fields, field) ? foldValue(fields[field]!) : "";
  switch (kind) {
    case "is":
      return (fields) => valueOf(fields) === wanted;
    case "is_not":
      return (fields) => valueOf(fields) !== wanted;
    case "is_empty":
      return (fields) => valueOf(fields) === "";
    case "is_filled":
      return (fields) => valueOf(fields) !== "";
    case "contains":
      return (fields) => valueOf(fields).includes(wanted);
  }
}

/** Returns the numbers of several ascending lists, each once, ascending. */
function together(lists: readonly number[][]): Float64Array {
  const all = Float64Array.from(lists.length === 1 ? lists[0]! : lists.flat());
  if (lists.length <= 1) return all;
  all.sort();
  let count = 0;
  for (const phone of all) if (count === 0 || phone !== all[count - 1]) all[count++] = phone;
  return all.subarray(0, count);
}

async function refuseOthers(ctx: EdgeContext, client: number, { lists, except }: Choice): Promise<void> {
  const ownLists = [...new Set([...lists, ...except.lists])];
  const ownCampaigns = [...new Set(except.campaigns)];
  const [l, c] = await ctx.db.batch([
    statement(OWN_LISTS, { client, ids: JSON.stringify(ownLists) }),
    statement(OWN_CAMPAIGNS, { client, ids: JSON.stringify(ownCampaigns) }),
  ], "read");
  if (Number(l!.rows[0]!.count) !== ownLists.length || Number(c!.rows[0]!.count) !== ownCampaigns.length) {
    throw new HttpError("not_found", { text: "אחת הרשימות או אחד הקמפיינים שנבחרו כבר לא קיימים." });
  }
}
