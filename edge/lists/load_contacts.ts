/** Puts rows of numbers and values into a list: new people, and new values of people whom the client has already. */
import type { Transaction } from "@libsql/client/web";
import type { Fields } from "shared/contact_fields.ts";
import type { EdgeContext } from "../context.ts";
import { jsonOf } from "../contacts/numbers_json.ts";
import { inTransaction } from "../db/in_transaction.ts";
import { condition, orNull, rowsAs, wholeNumber } from "../db/query.ts";
import { contacts } from "../db/schema.ts";
import { statement } from "../db/statement.ts";
import { rightAfter, ROWS_OF_STEP_BEFORE, writeBatch } from "../db/write_batch.ts";
import { HttpError } from "../http/http_error.ts";
import type { YieldToEventLoop } from "../http/yield_to_event_loop.ts";
import { indexValues, LEAST_OF_RUN } from "../people/index_values.ts";
import { removeKeys } from "../people/remove_contacts.ts";
import { openRun, writeRun } from "../people/value_index.ts";
import { type IsBlocked, readBlocked } from "../privacy/blocked.ts";
import { settingSql } from "../settings/setting_sql.ts";
import { turnByTimer, turnLoop } from "../time/turn_loop.ts";
import type { SortedRows } from "./contact_rows.ts";

/** Rows of a statement: some 20 ms on a local file, and the event loop is blocked that long. */
const CHUNK = 5_000;
/** Rows of a transaction, and so of a run: it blocks other writers for some 0.1 s, and its commit the loop for 30 ms. */
const PART = 5 * CHUNK;

const LOOK = `SELECT removed_at IS NULL AS lives,
    coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'contacts'), 0) AS last
  FROM lists WHERE id = :list AND client = :client`;
const ADD = (phone: string, fields: string, source: string) =>
  `INSERT INTO contacts (client, phone, fields, source, run, created_at, updated_at, used_at)
  SELECT :client, ${phone}, ${fields}, :source, :run, :now, :now, :now FROM json_each(${source}) WHERE true
  ON CONFLICT (client, phone) DO NOTHING`;
const ADD_NUMBERS = ADD("value", "NULL", ":phones");
const ADD_PEOPLE = ADD("CAST(key AS INTEGER)", "value", ":people");
const JOIN_LIST = `INSERT INTO list_members (list, phone)
  SELECT :list, value FROM json_each(:phones) WHERE true ON CONFLICT (list, phone) DO NOTHING`;
const COUNT = `UPDATE lists SET size = size + ${ROWS_OF_STEP_BEFORE}, updated_at = :now WHERE id = :list`;
const ASK_ROOM = `SELECT sum(size) > ${
  settingSql("maxContactsPerClient")
} AS "isFull" FROM lists WHERE client = :client`;
const KEEP_CONSENTS = `INSERT INTO consents (client, phone, declaration)
  SELECT :client, value, :declaration FROM json_each(:phones) WHERE :declaration IS NOT NULL
  ON CONFLICT (client, phone, declaration) DO NOTHING`;
const KNOWN = `SELECT phone, fields, run FROM contacts
  WHERE client = :client AND phone IN (SELECT value FROM json_each(:phones)) AND id <= :last ORDER BY phone`;
const USE = `UPDATE contacts SET used_at = :now WHERE client = :client AND id <= :last
  AND phone IN (SELECT value FROM json_each(:phones))`;
const CHANGE =
  "UPDATE contacts SET fields = ?, run = ?, updated_at = ?, used_at = ? WHERE client = ? AND phone = ?";
const DROP_KEYS = `DELETE FROM contact_keys WHERE client = :client
  AND phone IN (SELECT value FROM json_each(:phones))`;

export interface ContactsToLoad {
  client: number;
  list: number;
  rows: SortedRows;
  source: "file" | "typed" | "campaign";
  /** The declaration of consent for these people. */
  declaration?: number | null;
  yieldToEventLoop: YieldToEventLoop;
}

export interface LoadedCounts {
  /** New in the list. */
  added: number;
  /** In the list before; their new values were taken. */
  known: number;
  /** Erased people who asked never to be written to. */
  blocked: number;
}

/**
 * Loads rows in several transactions. Each leaves whole contacts: when a later one fails, the list keeps those of the
 * earlier ones, and loading the same rows again completes it.
 *
 * @throws {HttpError} `not_found` when the list is gone; `contacts_full`
 */
export async function loadContacts(
  ctx: EdgeContext,
  { rows, yieldToEventLoop, ...load }: ContactsToLoad,
): Promise<LoadedCounts> {
  const sum: LoadedCounts = { added: 0, known: 0, blocked: 0 };
  for (let from = 0; from < rows.length; from += PART) {
    const to = Math.min(rows.length, from + PART);
    if (from > 0) await turnLoop();
    const counts = await inTransaction(
      ctx.db,
      (tx) =>
        loadPart(ctx, tx, {
          ...load,
          declaration: load.declaration ?? null,
          rows,
          from,
          to,
          yieldToEventLoop,
        }),
    );
    for (const key of ["added", "known", "blocked"] as const) sum[key] += counts[key];
  }
  return sum;
}

type Part = ContactsToLoad & { declaration: number | null; from: number; to: number };

async function loadPart(ctx: EdgeContext, tx: Transaction, part: Part): Promise<LoadedCounts> {
  const { client, list, rows, from, to, source, declaration, yieldToEventLoop } = part;
  const now = ctx.now();
  const [look] = rowsAs(await tx.execute(statement(LOOK, { list, client })), {
    lives: condition,
    last: wholeNumber,
  });
  if (!look?.lives) throw new HttpError("not_found");
  const isBlocked = await readBlocked(ctx, tx);
  const isRun = rows.hasFields && to - from >= LEAST_OF_RUN;
  const run = isRun ? await openRun(tx, client) : null;
  const args = { client, list, source, declaration, run, now, last: look.last };
  const known = new Set<number>();
  const changed: Person[] = [];
  const counts: LoadedCounts = { added: 0, known: 0, blocked: 0 };
  for (let at = from; at < to; at += CHUNK) {
    const end = Math.min(to, at + CHUNK);
    const phones = rows.phones(at, end).filter((phone) => !isBlocked(phone));
    const asked = { ...args, phones: jsonOf(phones) };
    const { made, joined } = await writeBatch(tx, {
      made: rows.hasFields
        ? statement(ADD_PEOPLE, { ...asked, people: rows.peopleOf(at, end, isBlocked) })
        : statement(ADD_NUMBERS, asked),
      joined: statement(JOIN_LIST, asked),
      counted: rightAfter("joined", statement(COUNT, asked)),
      consentsKept: declaration === null ? undefined : statement(KEEP_CONSENTS, asked),
    });
    if (made.rowsAffected < phones.length) {
      await tx.execute(statement(USE, asked));
      for (const person of rowsAs(await tx.execute(statement(KNOWN, asked)), PERSON)) {
        known.add(person.phone);
        const merged = rows.hasFields ? mergedWith(person, rows, at, end) : null;
        if (merged !== null) changed.push({ ...person, fields: merged });
      }
    }
    counts.added += joined.rowsAffected;
    counts.known += phones.length - joined.rowsAffected;
    counts.blocked += end - at - phones.length;
    await yieldToEventLoop();
  }
  const [room] = rowsAs(await tx.execute(statement(ASK_ROOM, args)), { isFull: orNull(condition) });
  if (room?.isFull) throw new HttpError("contacts_full");
  // Sorting the keys and the commit are long pieces: others go before each.
  await turnByTimer();
  await index(tx, { ...part, run, known, isBlocked });
  await change(tx, args, changed);
  await turnByTimer();
  return counts;
}

interface Person {
  phone: number;
  run: number | null;
  fields: Fields;
}

const PERSON = { phone: contacts.phone, fields: contacts.fields, run: contacts.run };

/** Returns a known person's values with those of the file; null when nothing is new. */
function mergedWith(
  { phone, fields }: { phone: number; fields: string | null },
  rows: SortedRows,
  from: number,
  to: number,
): Fields | null {
  const was: Fields = fields === null ? {} : JSON.parse(fields);
  const given = rows.fieldsAt(rows.placeOf(phone, from, to));
  const isSame = Object.entries(given).every(([name, value]) => was[name] === value);
  return isSame ? null : { ...was, ...given };
}

/** Indexes the values of the new people of a part. */
async function index(
  tx: Transaction,
  { rows, from, to, client, run, known, isBlocked }: Part & {
    run: number | null;
    known: ReadonlySet<number>;
    isBlocked: IsBlocked;
  },
): Promise<void> {
  if (!rows.hasFields) return;
  const leavesOut = (phone: number) => known.has(phone) || isBlocked(phone);
  if (run !== null) return void await tx.batch(writeRun(run, rows.blocksOf(from, to, leavesOut)));
  const people = [];
  for (let place = from; place < to; place++) {
    const phone = rows.phoneAt(place);
    if (!leavesOut(phone)) people.push({ phone, fields: rows.fieldsAt(place) });
  }
  await indexValues(tx, client, people);
}

/** Writes changed values, and indexes them instead of the earlier ones. */
export async function change(
  tx: Transaction,
  { client, now }: { client: number; now: number },
  people: readonly Person[],
): Promise<void> {
  if (people.length === 0) return;
  await removeKeys(tx, people);
  await tx.execute(
    statement(DROP_KEYS, { client, phones: JSON.stringify(people.map(({ phone }) => phone)) }),
  );
  const run = await indexValues(tx, client, people);
  for (let at = 0; at < people.length; at += CHUNK) {
    await tx.batch(
      people.slice(at, at + CHUNK).map(({ phone, fields }) => {
        const written = Object.keys(fields).length === 0 ? null : JSON.stringify(fields);
        return { sql: CHANGE, args: [written, run, now, now, client, phone] };
      }),
    );
  }
}
