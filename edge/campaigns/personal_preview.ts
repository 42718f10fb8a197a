/** What a campaign's message makes of its recipients, before and after it is sent. */
import { EDITABLE_STATUSES } from "shared/campaign.ts";
import {
  MAX_PERSONAL_ROWS,
  type PersonalNeighbours,
  type PersonalPreview,
  type PersonalRow,
  type PersonalRows,
} from "shared/personal_api.ts";
import {
  composeText,
  isPersonal,
  parseTemplate,
  requiredFieldsOf,
  type TemplateFault,
  type TextPart,
} from "shared/personal_text.ts";
import { SAMPLE_TOKEN } from "shared/removal_address.ts";
import type { EdgeContext } from "../context.ts";
import { jsonOf, type RowAs, rowsAs, wholeNumber } from "../db/query.ts";
import { type CampaignRow, deliveries } from "../db/schema.ts";
import { statement } from "../db/statement.ts";
import { readBatch } from "../db/write_batch.ts";
import { HttpError } from "../http/http_error.ts";
import type { SessionUser } from "../http/router.ts";
import { readAdvertiser } from "../lawful/advertiser.ts";
import { advertising } from "../lawful/sent_text.ts";
import { maskingOf, revealsHidden, shownPhone } from "../numbers/mask_phone.ts";
import { phoneRanges } from "../numbers/phone_search.ts";
import { countWholeNumber, isWholeNumber } from "../numbers/whole_numbers.ts";
import { foldValue } from "../people/value_keys.ts";
import { type CheckedRows, checkRows, type Values } from "../personal/check_rows.ts";
import { unknownFields } from "../personal/refuse_send.ts";
import { turnForRead } from "../time/turn_loop.ts";
import { findNumberView, isMasked } from "./number_views.ts";
import { readCampaign } from "./read.ts";
import { countsOf } from "./view.ts";

/** Replaces a masked value. */
const MASK = "•••";
/** Rows of one read of a search, and of one answer: a search of a longer list goes on by `next`. */
const SLICE = 2_000;
const MOST_LOOKED = 100_000;

const ROW_FIELDS = { id: deliveries.id, phone: deliveries.phone, fields: jsonOf<Values>() };
type Row = RowAs<typeof ROW_FIELDS>;
const READ = `SELECT id, phone, fields FROM deliveries
  WHERE campaign = :campaign AND id IN (SELECT value FROM json_each(:ids))`;
const FIRST = `SELECT id FROM deliveries WHERE campaign = :campaign AND phone > 0 ORDER BY phone LIMIT 1`;
// By number: the one order that an index has in every state.
const SCAN = `SELECT id, phone, fields FROM deliveries WHERE campaign = :campaign
  AND phone > :after AND phone <= :last ORDER BY phone LIMIT :limit`;
const PHONE_OF = "SELECT phone FROM deliveries WHERE id = :id AND campaign = :campaign";
/** A step counts at most so many rows for the place of a recipient. */
const MOST_PLACES = 100_000;
/** Beside a row that waits, in the order of the list: `at` is its id. */
const IS_WAITING = "campaign = :campaign AND state = 'queued' AND not_before = 0";
const BESIDE_WAITING = besideIn("id", IS_WAITING);
/** Beside any row, by number: `at` is its phone. */
const BESIDE_ANY = besideIn("phone", "campaign = :campaign AND phone > 0");
/** Changes whenever the waiting rows of an unsent campaign, or their values, can have changed. */
const STATE =
  `SELECT queued_count AS queued, (SELECT json_array(max(id), coalesce(sum(added), 0), count(removed_at))
  FROM imports WHERE campaign = c.id) AS lists FROM campaigns c WHERE id = :campaign`;

/** The words of a campaign as its recipients get them. */
interface Words {
  parts: TextPart[];
  faults: TemplateFault[];
}

interface View {
  campaign: CampaignRow;
  words: Words;
  masked: boolean;
}

/** @throws {HttpError} `not_found` as readCampaign() */
export async function previewPersonal(
  ctx: EdgeContext,
  user: SessionUser,
  id: number,
): Promise<PersonalPreview> {
  const view = await openView(ctx, user, id);
  const { campaign, words: { parts, faults } } = view;
  const checked = EDITABLE_STATUSES.includes(campaign.status)
    ? await checkOnce(ctx, campaign, parts)
    : await checkSent(ctx, id);
  const ids = [checked.first, checked.longest, checked.emptiest];
  const read = await ctx.db.execute(statement(READ, { campaign: id, ids: JSON.stringify(ids) }));
  const rows = new Map(rowsAs(read, ROW_FIELDS).map((row) => [row.id, row]));
  const shown = (row: number | null) => {
    const found = row === null ? undefined : rows.get(row);
    return found === undefined ? null : showRow(view, found);
  };
  return {
    isPersonal: isPersonal(parts),
    fields: checked.fields,
    faults,
    unknown: checked.rows === 0
      ? []
      : unknownFields(parts, checked.fields).filter(({ field }) => field !== ""),
    count: checked.rows,
    missing: checked.missing,
    tooLong: checked.tooLong,
    longestChars: checked.longestChars,
    rows: { first: shown(checked.first), longest: shown(checked.longest), emptiest: shown(checked.emptiest) },
  };
}

/**
 * Finds recipients by the beginning of their number or a part of a value. A user who sees masked numbers finds them by
 * their visible beginning or whole, and nobody by a value.
 *
 * @throws {HttpError} `not_found` as readCampaign(); `too_many_attempts` after too many whole numbers
 */
export async function searchPersonal(
  ctx: EdgeContext,
  user: SessionUser,
  id: number,
  { q, after }: { q: string; after: number },
): Promise<PersonalRows> {
  const view = await openView(ctx, user, id);
  if (view.masked && isWholeNumber(q)) await countWholeNumber(ctx, user, q);
  await turnForRead();
  if (after === 0) {
    const items: Row[] = [];
    for (const range of phoneRanges(q)) {
      if (view.masked && revealsHidden(range)) continue;
      const limit = MAX_PERSONAL_ROWS - items.length;
      if (limit > 0) items.push(...await readRange(ctx, id, range.first - 1, range.last, limit));
    }
    if (items.length > 0 || view.masked) {
      return { items: items.map((row) => showRow(view, row)), next: null };
    }
  }
  if (view.masked) return { items: [], next: null };
  return await searchValues(ctx, view, foldValue(q), after);
}

/**
 * Returns the recipients beside one. A step reads two rows, however long the list is.
 *
 * @throws {HttpError} `not_found` as readCampaign(), and when the campaign has no such row
 */
export async function neighboursOf(
  ctx: EdgeContext,
  user: SessionUser,
  id: number,
  row: number,
): Promise<PersonalNeighbours> {
  const view = await openView(ctx, user, id);
  const found = await ctx.db.execute(statement(PHONE_OF, { id: row, campaign: id }));
  const [start] = rowsAs(found, { phone: deliveries.phone });
  if (start === undefined) throw new HttpError("not_found");
  const isUnsent = EDITABLE_STATUSES.includes(view.campaign.status);
  const { previous, next, place } = isUnsent ? BESIDE_WAITING : BESIDE_ANY;
  const args = { campaign: id, at: isUnsent ? row : start.phone };
  const read = await readBatch(ctx.db, {
    previous: statement(previous, args),
    next: statement(next, args),
    place: statement(place, args),
  });
  const [before] = rowsAs(read.previous, ROW_FIELDS);
  const [after] = rowsAs(read.next, ROW_FIELDS);
  const [{ n }] = rowsAs(read.place, { n: wholeNumber }) as [{ n: number }];
  return {
    previous: before === undefined ? null : showRow(view, before),
    next: after === undefined ? null : showRow(view, after),
    place: n > MOST_PLACES ? null : n,
  };
}

/** Returns the statements that read the rows beside `:at` in the order of a column. */
function besideIn(column: "id" | "phone", condition: string) {
  const rows = (bound: string, order: string) =>
    `SELECT id, phone, fields FROM deliveries WHERE ${condition} AND ${column} ${bound} :at
      ORDER BY ${column} ${order} LIMIT 1`;
  return {
    previous: rows("<", "DESC"),
    next: rows(">", "ASC"),
    place: `SELECT count(*) AS n FROM (
      SELECT 1 FROM deliveries WHERE ${condition} AND ${column} <= :at LIMIT ${MOST_PLACES + 1})`,
  };
}

async function searchValues(
  ctx: EdgeContext,
  view: View,
  text: string,
  after: number,
): Promise<PersonalRows> {
  const { id: campaign } = view.campaign;
  const items: PersonalRow[] = [];
  const [start] = after === 0
    ? []
    : rowsAs(await ctx.db.execute(statement(PHONE_OF, { id: after, campaign })), { phone: deliveries.phone });
  let from = start?.phone ?? 0;
  for (let looked = 0; looked < MOST_LOOKED; looked += SLICE) {
    const rows = await readRange(ctx, campaign, from, Number.MAX_SAFE_INTEGER, SLICE);
    for (const row of rows) {
      const isFound = Object.values(row.fields ?? {}).some((value) => foldValue(value).includes(text));
      if (!isFound) continue;
      items.push(showRow(view, row));
      if (items.length === MAX_PERSONAL_ROWS) return { items, next: row.id };
    }
    if (rows.length < SLICE) return { items, next: null };
    from = rows.at(-1)!.phone;
    if (looked + SLICE >= MOST_LOOKED) return { items, next: rows.at(-1)!.id };
    await turnForRead();
  }
  return { items, next: null };
}

async function readRange(
  ctx: EdgeContext,
  campaign: number,
  after: number,
  last: number,
  limit: number,
): Promise<Row[]> {
  return rowsAs(await ctx.db.execute(statement(SCAN, { campaign, after, last, limit })), ROW_FIELDS);
}

async function openView(ctx: EdgeContext, user: SessionUser, id: number): Promise<View> {
  const campaign = await readCampaign(ctx, user, id);
  const masked = isMasked(user, campaign, await ctx.db.execute(findNumberView(ctx, user, id)));
  return { campaign, masked, words: await wordsOf(ctx, campaign) };
}

async function wordsOf(ctx: EdgeContext, campaign: CampaignRow): Promise<Words> {
  const { sentParts, sentText, message, status, kind, client } = campaign;
  if (!EDITABLE_STATUSES.includes(status)) {
    const parts: TextPart[] = sentParts === null ? [sentText ?? message] : JSON.parse(sentParts);
    return { parts, faults: [] };
  }
  const { parts, faults } = parseTemplate(message);
  const advertiser = kind === "marketing" ? await readAdvertiser(ctx.db, client) : null;
  return { parts: advertiser === null ? parts : advertising(ctx, parts, advertiser), faults };
}

/** The look at one state of a campaign; one campaign is previewed again and again while its words are written. */
interface Look {
  key: string;
  checked: Promise<CheckedRows>;
}
/** Looks of this process, the latest last; they hold counts and ids, and nothing of a person. */
const MOST_LOOKS = 100;
const lastLooks = new WeakMap<EdgeContext["db"], Map<number, Look>>();

/** Returns the look at the present state of an unsent campaign; callers who ask together share one. */
async function checkOnce(
  ctx: EdgeContext,
  { id }: CampaignRow,
  parts: readonly TextPart[],
): Promise<CheckedRows> {
  const [state] = rowsAs(await ctx.db.execute(statement(STATE, { campaign: id })), {
    queued: wholeNumber,
    lists: jsonOf<number[]>(),
  });
  const key = JSON.stringify([parts, state]);
  let looks = lastLooks.get(ctx.db);
  if (looks === undefined) lastLooks.set(ctx.db, looks = new Map());
  let look = looks.get(id);
  if (look?.key !== key) look = { key, checked: checkRows(ctx, id, parts) };
  looks.delete(id);
  looks.set(id, look);
  for (const oldest of looks.keys()) if (looks.size > MOST_LOOKS) looks.delete(oldest);
  try {
    return await look.checked;
  } catch (error) {
    if (looks.get(id) === look) looks.delete(id);
    throw error;
  }
}

/** A campaign that was sent has nothing left to check. */
async function checkSent(ctx: EdgeContext, campaign: number): Promise<CheckedRows> {
  const { first } = await readBatch(ctx.db, { first: statement(FIRST, { campaign }) });
  const [row] = rowsAs(first, { id: deliveries.id });
  const id = row?.id ?? null;
  return {
    rows: 0,
    fields: [],
    missing: 0,
    tooLong: 0,
    longestChars: 0,
    first: id,
    longest: null,
    emptiest: null,
  };
}

function showRow(
  { campaign, masked, words: { parts, faults } }: View,
  { id, phone, fields }: Row,
): PersonalRow {
  const values = masked ? maskValues(fields ?? {}) : fields ?? {};
  const rows = Object.values(countsOf(campaign)).reduce((sum, count) => sum + count, 0);
  return {
    id,
    phone: shownPhone(phone, maskingOf(masked, rows)),
    values,
    text: faults.length > 0 ? null : composeText(parts, values, () => SAMPLE_TOKEN),
    missing: requiredFieldsOf(parts).filter((name) => !Object.hasOwn(values, name) || values[name] === ""),
  };
}

function maskValues(fields: Values): Record<string, string> {
  return Object.fromEntries(Object.keys(fields).map((name) => [name, MASK]));
}
