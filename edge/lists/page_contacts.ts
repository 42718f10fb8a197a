/** Pages of a list: its contacts in the order of their numbers, or those found by a number or a value. */
import type { Fields } from "shared/contact_fields.ts";
import type { Contact, ContactPage, ContactQuery } from "shared/lists_api.ts";
import type { EdgeContext } from "../context.ts";
import { jsonOf, orNull, type RowAs, rowsAs } from "../db/query.ts";
import { contacts } from "../db/schema.ts";
import { statement } from "../db/statement.ts";
import { HttpError } from "../http/http_error.ts";
import type { SessionUser } from "../http/router.ts";
import { maskingOf, revealsHidden, shownPhone } from "../numbers/mask_phone.ts";
import { type PhoneRange, phoneRanges } from "../numbers/phone_search.ts";
import { countWholeNumber } from "../numbers/whole_numbers.ts";
import { findPlaces, type Place } from "../people/find_by_value.ts";
import { foldValue, keyOf } from "../people/value_keys.ts";
import { turnForRead } from "../time/turn_loop.ts";
import type { FoundList } from "./read_list.ts";

/** Replaces a masked value. */
const MASK = "•••";
/** A list of this length is looked through faster than the index of all the client's contacts. */
const SMALL_LIST = 5_000;
/** Entries of the index looked at for one page. */
const MOST_LOOKED = 20_000;
const LOOKED_AT_ONCE = 500;
/** What a beginning of a number may be written with. */
const LIKE_NUMBER = /^[\d\s()+./\-\u2010-\u2015]*\d[\d\s()+./\-\u2010-\u2015]*$/;

const COLUMNS = "c.id, c.phone, c.fields, c.run";
const FIELDS = {
  id: contacts.id,
  phone: contacts.phone,
  fields: jsonOf<Fields>(),
  run: orNull(contacts.run),
};
type Row = RowAs<typeof FIELDS>;
const PAGE =
  `SELECT ${COLUMNS} FROM list_members m CROSS JOIN contacts c ON c.client = :client AND c.phone = m.phone
  WHERE m.list = :list AND m.phone > :after AND m.phone <= :last ORDER BY m.phone LIMIT :limit`;
// A cursor names a row, because cursors must not reveal numbers. Of a row that is gone, the page begins again.
const PHONE_OF = "SELECT phone FROM contacts WHERE id = :id AND client = :client";
const OF_PHONES = `SELECT ${COLUMNS} FROM json_each(:phones) j
  CROSS JOIN list_members m ON m.list = :list AND m.phone = j.value
  CROSS JOIN contacts c ON c.client = :client AND c.phone = j.value`;
const EVERYBODY: PhoneRange = { first: 1, last: Number.MAX_SAFE_INTEGER };

/**
 * Returns a page of a list. Users who see it masked find numbers by their visible beginning or whole, and nothing by
 * values.
 *
 * @throws {HttpError} `invalid_input` for a cursor that is not ours; `too_many_attempts` after too many whole numbers
 */
export async function pageContacts(
  ctx: EdgeContext,
  user: SessionUser,
  list: FoundList,
  { q, cursor, limit }: ContactQuery,
): Promise<ContactPage> {
  const { isMasked } = list;
  if (q !== "" && isMasked) await countWholeNumber(ctx, user, q);
  if (q !== "") await turnForRead();
  const ranges = q === "" ? [EVERYBODY] : rangesOf(q).filter((range) => !isMasked || !revealsHidden(range));
  const search: Search = { list, ranges, text: isMasked ? "" : foldValue(q.normalize("NFC")), q, limit };
  const { rows, next } = await findRows(ctx, search, parseCursor(cursor));
  return { items: rows.map(viewOf(list)), nextCursor: next };
}

/** Returns the function that converts contacts to what this user may see. */
export function viewOf(
  { isMasked, size }: FoundList,
): (row: Pick<Row, "id" | "phone" | "fields">) => Contact {
  const masking = maskingOf(isMasked, size);
  return ({ id, phone, fields }) => ({
    id,
    phone: shownPhone(phone, masking),
    fields: isMasked ? maskFields(fields ?? {}) : fields ?? {},
  });
}

function maskFields(fields: Fields): Fields {
  return Object.fromEntries(Object.keys(fields).map((name) => [name, MASK]));
}

interface Search {
  list: FoundList;
  /** Ascending. */
  ranges: PhoneRange[];
  /** The folded beginning of a value; "" = no search by value. */
  text: string;
  q: string;
  limit: number;
}

/** Where the next page begins: within a range of numbers after a contact, or within the values after an entry. */
type Cursor =
  | { kind: "numbers"; range: number; after: number }
  | { kind: "scan"; after: number }
  | { kind: "values"; after: Place | null };

async function findRows(
  ctx: EdgeContext,
  search: Search,
  start: Cursor,
): Promise<{ rows: Row[]; next: string | null }> {
  const { list: { id: list, client, size }, ranges, text, limit } = search;
  const rows: Row[] = [];
  if (start.kind === "numbers") {
    for (let at = start.range; at < ranges.length; at++) {
      const { first, last } = ranges[at]!;
      const from = at === start.range ? await phoneAfter(ctx, client, start.after) : 0;
      const args = { list, client, after: Math.max(first - 1, from), last, limit: limit + 1 - rows.length };
      rows.push(...rowsAs(await ctx.db.execute(statement(PAGE, args)), FIELDS));
      if (rows.length > limit) {
        const shown = rows.slice(0, limit);
        return { rows: shown, next: `n${at}.${shown.at(-1)!.id}` };
      }
    }
    if (text === "") return { rows, next: null };
  }
  if (size <= SMALL_LIST) {
    return await scan(ctx, search, rows, start.kind === "scan" ? start.after : 0);
  }
  return await findByValue(ctx, search, rows, start.kind === "values" ? start.after : null);
}

async function phoneAfter({ db }: EdgeContext, client: number, id: number): Promise<number> {
  if (id === 0) return 0;
  const [row] = rowsAs(await db.execute(statement(PHONE_OF, { id, client })), { phone: contacts.phone });
  return row?.phone ?? 0;
}

/** Looks through a whole short list. */
async function scan(
  ctx: EdgeContext,
  { list: { id: list, client }, ranges, text, limit }: Search,
  rows: Row[],
  after: number,
): Promise<{ rows: Row[]; next: string | null }> {
  const from = await phoneAfter(ctx, client, after);
  let last = after;
  const args = { list, client, after: from, last: EVERYBODY.last, limit: SMALL_LIST };
  for (const row of rowsAs(await ctx.db.execute(statement(PAGE, args)), FIELDS)) {
    if (isWithin(ranges, row.phone) || smallestMatch(row, text) === null) continue;
    if (rows.length === limit) return { rows, next: `s.${last}` };
    rows.push(row);
    last = row.id;
  }
  return { rows, next: null };
}

async function findByValue(
  ctx: EdgeContext,
  { list: { id: list, client }, ranges, text, q, limit }: Search,
  rows: Row[],
  start: Place | null,
): Promise<{ rows: Row[]; next: string | null }> {
  const prefix = keyOf(q);
  let after = start ?? { run: 0, key: prefix, phone: 0 };
  for (let looked = 0; looked < MOST_LOOKED;) {
    const { places, isLast } = await findPlaces(ctx.db, { client, prefix, after, limit: LOOKED_AT_ONCE });
    for (let at = 0; at < places.length; at += LOOKED_AT_ONCE) {
      const some = places.slice(at, at + LOOKED_AT_ONCE);
      looked += some.length;
      const phones = JSON.stringify([...new Set(some.map(({ phone }) => phone))]);
      const found = new Map(
        rowsAs(await ctx.db.execute(statement(OF_PHONES, { phones, list, client })), FIELDS)
          .map((row) => [row.phone, row]),
      );
      for (const place of some) {
        const row = found.get(place.phone);
        // Each contact comes once: at the first of its values that fits, in the index that it has now.
        const isShown = row !== undefined && (row.run ?? 0) === place.run && !isWithin(ranges, row.phone) &&
          smallestMatch(row, text) === place.key;
        if (isShown) {
          if (rows.length === limit) return { rows, next: cursorOf(after) };
          rows.push(row);
        }
        after = place;
      }
    }
    if (isLast) return { rows, next: null };
  }
  return { rows, next: cursorOf(after) };
}

/** Returns the smallest key of the values that begin with `text`; null when none does. */
function smallestMatch({ fields }: Row, text: string): string | null {
  let smallest: string | null = null;
  for (const value of Object.values(fields ?? {})) {
    if (!foldValue(value).startsWith(text)) continue;
    const key = keyOf(value);
    if (smallest === null || key < smallest) smallest = key;
  }
  return smallest;
}

function rangesOf(q: string): PhoneRange[] {
  return LIKE_NUMBER.test(q) ? phoneRanges(q).sort((a, b) => a.first - b.first) : [];
}

function isWithin(ranges: readonly PhoneRange[], phone: number): boolean {
  return ranges.some(({ first, last }) => phone >= first && phone <= last);
}

function cursorOf({ run, key, phone }: Place): string {
  return `v.${run}.${key}.${phone}`;
}

function parseCursor(cursor: string | null | undefined): Cursor {
  if (!cursor) return { kind: "numbers", range: 0, after: 0 };
  const numbers = /^n(\d)\.(\d{1,15})$/.exec(cursor);
  if (numbers) return { kind: "numbers", range: Number(numbers[1]), after: Number(numbers[2]) };
  const scanned = /^s\.(\d{1,15})$/.exec(cursor);
  if (scanned) return { kind: "scan", after: Number(scanned[1]) };
  const values = /^v\.(\d{1,15})\.([\da-f]{0,24})\.(\d{1,15})$/.exec(cursor);
  if (values === null) throw new HttpError("invalid_input", { detail: "cursor" });
  return { kind: "values", after: { run: Number(values[1]), key: values[2]!, phone: Number(values[3]) } };
}
