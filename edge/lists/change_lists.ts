/** Creates, renames and removes lists. */
import type { Client, Transaction } from "@libsql/client/web";
import { MAX_CONTACT_FIELDS, MAX_FIELDS } from "shared/contact_fields.ts";
import { MAX_LISTS } from "shared/lists_api.ts";
import type { EdgeContext } from "../context.ts";
import { condition, jsonOf, rowsAs, wholeNumber } from "../db/query.ts";
import { listMembers, lists } from "../db/schema.ts";
import { statement } from "../db/statement.ts";
import { inTransaction } from "../db/in_transaction.ts";
import { writeBatch } from "../db/write_batch.ts";
import { HttpError } from "../http/http_error.ts";
import { removeContacts } from "../people/remove_contacts.ts";
import { turnLoop } from "../time/turn_loop.ts";

/** Members taken out of a list in one transaction. */
const SLICE = 2_000;

const ADD = `INSERT INTO lists (client, name, name_key, created_at, updated_at)
  SELECT :client, :name, :key, :now, :now
  WHERE (SELECT count(*) FROM lists WHERE client = :client AND removed_at IS NULL) < ${MAX_LISTS}
  ON CONFLICT (client, name_key) WHERE removed_at IS NULL DO NOTHING RETURNING id`;
const RENAME = `UPDATE OR IGNORE lists SET name = :name, name_key = :key, updated_at = :now
  WHERE id = :list AND client = :client AND removed_at IS NULL`;
const LOOK = `SELECT count(*) AS count, coalesce(max(name_key = :key), 0) AS "isTaken" FROM lists
  WHERE client = :client AND removed_at IS NULL`;
const MARK = `UPDATE lists SET removed_at = :now, updated_at = :now
  WHERE id = :list AND client = :client AND removed_at IS NULL`;
const MEMBERS = `SELECT phone FROM list_members WHERE list = :list ORDER BY phone LIMIT ${SLICE}`;
const LEAVE =
  "DELETE FROM list_members WHERE list = :list AND phone IN (SELECT value FROM json_each(:phones))";
const IN_NO_LIST = `SELECT value AS phone FROM json_each(:phones) WHERE NOT EXISTS (SELECT 1 FROM lists l
  JOIN list_members m ON m.list = l.id AND m.phone = value WHERE l.client = :client)`;
const END = "DELETE FROM lists WHERE id = :list AND removed_at IS NOT NULL AND size = 0";
const HIDE = "DELETE FROM list_views WHERE list = :list";
const REMOVED = "SELECT id, client FROM lists WHERE removed_at IS NOT NULL ORDER BY removed_at LIMIT 1";
const NAMES = `SELECT id, fields FROM lists WHERE client = :client AND removed_at IS NULL`;
const SET_NAMES =
  "UPDATE lists SET fields = :fields, updated_at = :now WHERE id = :list AND client = :client";

/**
 * Creates an empty list and returns its id.
 *
 * @throws {HttpError} `invalid_input` for a name that the client has already, or beyond MAX_LISTS
 */
export async function createList(ctx: EdgeContext, client: number, name: string): Promise<number> {
  const args = { client, name, key: keyOf(name), now: ctx.now() };
  const { added, look } = await writeBatch(ctx.db, {
    look: statement(LOOK, args),
    added: statement(ADD, args),
  });
  const [row] = rowsAs(added, { id: lists.id });
  if (row !== undefined) return row.id;
  const [found] = rowsAs(look, { count: wholeNumber, isTaken: condition });
  throw found!.isTaken ? nameTaken() : new HttpError("invalid_input", {
    text: `אפשר לשמור עד ${MAX_LISTS} רשימות. אפשר למחוק רשימה שאין בה צורך.`,
  });
}

/** @throws {HttpError} `invalid_input` for a name that another list has; `not_found` */
export async function renameList(
  ctx: EdgeContext,
  { list, client, name }: { list: number; client: number; name: string },
): Promise<void> {
  const args = { list, client, name, key: keyOf(name), now: ctx.now() };
  const { renamed, look } = await writeBatch(ctx.db, {
    look: statement(LOOK, args),
    renamed: statement(RENAME, args),
  });
  if (renamed.rowsAffected > 0) return;
  throw rowsAs(look, { isTaken: condition })[0]!.isTaken ? nameTaken() : new HttpError("not_found");
}

/**
 * Removes a list, and the contacts that are in no other list. From its first statement on nobody sees it; the members
 * go in slices, which removeLists() ends if this process dies.
 *
 * @throws {HttpError} `not_found`
 */
export async function removeList(
  ctx: EdgeContext,
  { list, client }: { list: number; client: number },
): Promise<void> {
  const marked = await ctx.db.execute(statement(MARK, { list, client, now: ctx.now() }));
  if (marked.rowsAffected === 0) throw new HttpError("not_found");
  while (await removeSlice(ctx, { list, client }) > 0) await turnLoop();
}

/** Removes one slice of a removed list's members; returns 0 when no list is left. Any edge may call it at any time. */
export async function removeLists(ctx: EdgeContext): Promise<number> {
  const [removed] = rowsAs(await ctx.db.execute(REMOVED), { list: lists.id, client: lists.client });
  if (removed === undefined) return 0;
  await removeSlice(ctx, removed);
  return 1;
}

async function removeSlice(
  ctx: EdgeContext,
  { list, client }: { list: number; client: number },
): Promise<number> {
  return await inTransaction(ctx.db, async (tx) => {
    const members = rowsAs(await tx.execute(statement(MEMBERS, { list })), { phone: listMembers.phone });
    if (members.length === 0) {
      await tx.batch([statement(END, { list }), statement(HIDE, { list })]);
      return 0;
    }
    await leaveList(tx, { list, client, phones: members.map(({ phone }) => phone) });
    return members.length;
  });
}

/** Takes numbers out of a list, and removes those that are then in no list of the client; returns how many left. */
export async function leaveList(
  tx: Parameters<typeof removeContacts>[0],
  { list, client, phones }: { list: number; client: number; phones: readonly number[] },
): Promise<number> {
  const args = { list, client, phones: JSON.stringify(phones) };
  const { rowsAffected } = await tx.execute(statement(LEAVE, args));
  const alone = rowsAs(await tx.execute(statement(IN_NO_LIST, args)), { phone: listMembers.phone });
  await removeContacts(tx, client, alone.map(({ phone }) => phone));
  return rowsAffected;
}

export interface FieldNames {
  list: number;
  client: number;
  names: readonly string[];
}

/**
 * Adds names of fields to a list, after those that it has, in the transaction of what has these fields.
 *
 * @throws {HttpError} `invalid_input` beyond MAX_FIELDS of the list, or MAX_CONTACT_FIELDS of the client
 */
export async function addFieldNames(ctx: EdgeContext, tx: Transaction, added: FieldNames): Promise<void> {
  const together = await askRoomForFields(tx, added);
  if (together === null) return;
  const { list, client } = added;
  await tx.execute(
    statement(SET_NAMES, { list, client, fields: JSON.stringify(together), now: ctx.now() }),
  );
}

/**
 * Returns the names that a list would have together with further ones; null when none is new.
 *
 * @throws {HttpError} as addFieldNames()
 */
export async function askRoomForFields(
  db: Pick<Client, "execute">,
  { list, client, names }: FieldNames,
): Promise<string[] | null> {
  if (names.length === 0) return null;
  const all = rowsAs(await db.execute(statement(NAMES, { client })), {
    id: lists.id,
    fields: jsonOf<string[]>(),
  });
  const has = all.find(({ id }) => id === list)?.fields ?? [];
  const together = [...new Set([...has, ...names])];
  if (together.length === has.length) return null;
  const ofClient = new Set([...all.flatMap(({ fields }) => fields ?? []), ...names]);
  if (together.length > MAX_FIELDS) throw tooMany(`ברשימה יש מקום ל־${MAX_FIELDS} שדות`, together.length);
  if (ofClient.size > MAX_CONTACT_FIELDS) {
    throw tooMany(`בכל הרשימות יחד יש מקום ל־${MAX_CONTACT_FIELDS} שדות`, ofClient.size);
  }
  return together;
}

function tooMany(room: string, count: number): HttpError {
  return new HttpError("invalid_input", {
    text: `${room}, והתוספת הייתה מביאה ל־${count}. אפשר להסיר עמודות מהקובץ ולטעון שוב.`,
  });
}

function keyOf(name: string): string {
  return name.normalize("NFKC").toLowerCase();
}

function nameTaken(): HttpError {
  return new HttpError("invalid_input", { text: "כבר יש לכם רשימה בשם הזה." });
}
