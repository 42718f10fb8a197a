/** Changes single contacts: adds one by hand, edits its values, takes some out of a list. */
import { cleanFieldValue, type Fields } from "shared/contact_fields.ts";
import type { EdgeContext } from "../context.ts";
import { inTransaction } from "../db/in_transaction.ts";
import { jsonOf, orNull, rowsAs } from "../db/query.ts";
import { contacts } from "../db/schema.ts";
import { statement } from "../db/statement.ts";
import { HttpError } from "../http/http_error.ts";
import { createYieldToEventLoop } from "../http/yield_to_event_loop.ts";
import { parsePhone } from "../numbers/parse_phone.ts";
import { addFieldNames, leaveList } from "./change_lists.ts";
import { ContactRows } from "./contact_rows.ts";
import { change, loadContacts, type LoadedCounts } from "./load_contacts.ts";
import type { FoundList } from "./read_list.ts";

const FIND = `SELECT c.phone, c.fields, c.run FROM contacts c
  JOIN list_members m ON m.list = :list AND m.phone = c.phone WHERE c.id = :contact AND c.client = :client`;
const PHONES = `SELECT c.phone FROM json_each(:ids) j JOIN contacts c ON c.id = j.value AND c.client = :client
  JOIN list_members m ON m.list = :list AND m.phone = c.phone`;
const FIND_ID = "SELECT id FROM contacts WHERE client = :client AND phone = :phone";

/**
 * Adds one contact by hand, or gives new values to one that is there; returns its id.
 *
 * @throws {HttpError} `invalid_input` for a number that is none, or for too many field names; `contacts_full`;
 * `not_found` for an erased number that must never be written to
 */
export async function addContact(
  ctx: EdgeContext,
  { id: list, client }: Pick<FoundList, "id" | "client">,
  { phone: typed, fields }: { phone: string; fields: Fields },
): Promise<{ id: number; counts: LoadedCounts }> {
  const { phone } = parsePhone(typed);
  if (phone === undefined) throw new HttpError("invalid_input", { text: "מספר הטלפון לא תקין." });
  const values = filled(fields);
  const names = Object.keys(values);
  await addFieldNames(ctx, { list, client, names });
  const rows = new ContactRows(names, 1, 0);
  rows.open(phone);
  names.forEach((name, field) => rows.addText(field, values[name]!));
  rows.close();
  const yieldToEventLoop = createYieldToEventLoop();
  const sorted = await rows.finish(yieldToEventLoop);
  const counts = await loadContacts(ctx, { client, list, rows: sorted, source: "typed", yieldToEventLoop });
  const [row] = rowsAs(await ctx.db.execute(statement(FIND_ID, { client, phone })), { id: contacts.id });
  if (row === undefined) {
    throw new HttpError("not_found", { text: "המספר נמחק מהמערכת לבקשת בעליו, ואי אפשר להוסיף אותו." });
  }
  return { id: row.id, counts };
}

/**
 * Replaces the values of a contact, in every list that it is in.
 *
 * @throws {HttpError} `not_found`; `invalid_input` for too many field names
 */
export async function editContact(
  ctx: EdgeContext,
  { id: list, client }: Pick<FoundList, "id" | "client">,
  { contact, fields }: { contact: number; fields: Fields },
): Promise<void> {
  const values = filled(fields);
  const find = statement(FIND, { list, client, contact });
  const known = rowsAs(await ctx.db.execute(find), { fields: jsonOf<Fields>() });
  if (known.length === 0) throw new HttpError("not_found");
  // Fields of another list stay that list's.
  const names = Object.keys(values).filter((name) => !Object.hasOwn(known[0]!.fields ?? {}, name));
  await addFieldNames(ctx, { list, client, names });
  await inTransaction(ctx.db, async (tx) => {
    const [row] = rowsAs(await tx.execute(find), { phone: contacts.phone, run: orNull(contacts.run) });
    if (row === undefined) throw new HttpError("not_found");
    await change(tx, { client, now: ctx.now() }, [{ ...row, fields: values }]);
  });
}

/** Takes contacts out of a list; those that are then in no list are removed. Returns how many there were. */
export async function removeFromList(
  ctx: EdgeContext,
  { id: list, client }: Pick<FoundList, "id" | "client">,
  ids: readonly number[],
): Promise<number> {
  return await inTransaction(ctx.db, async (tx) => {
    const found = await tx.execute(statement(PHONES, { ids: JSON.stringify(ids), list, client }));
    const phones = rowsAs(found, { phone: contacts.phone }).map(({ phone }) => phone);
    return phones.length === 0 ? 0 : await leaveList(tx, { list, client, phones });
  });
}

function filled(fields: Fields): Fields {
  const clean = Object.entries(fields).map(([name, value]) => [name, cleanFieldValue(value)]);
  return Object.fromEntries(clean.filter(([, value]) => value !== ""));
}
