/** One contact with everything that is known of it: values, lists, messages, consents, and a removal. */
import type { ContactCard } from "shared/lists_api.ts";
import type { EdgeContext } from "../context.ts";
import { readBatch } from "../db/write_batch.ts";
import { jsonOf, orNull, rowsAs, wordOf } from "../db/query.ts";
import {
  campaigns,
  consentDeclarations,
  contacts,
  deliveries,
  lists,
  suppressions,
  users,
} from "../db/schema.ts";
import { statement } from "../db/statement.ts";
import { HttpError } from "../http/http_error.ts";
import { viewOf } from "./page_contacts.ts";
import type { FoundList } from "./read_list.ts";

const MOST_MESSAGES = 100;

// A contact of another client, or of none of this list, is not found.
const FIND = `SELECT c.id, c.phone, c.fields, c.source, c.created_at, c.updated_at FROM contacts c
  JOIN list_members m ON m.list = :list AND m.phone = c.phone WHERE c.id = :contact AND c.client = :client`;
const PHONE = "(SELECT phone FROM contacts WHERE id = :contact AND client = :client)";
const LISTS = `SELECT l.id, l.name FROM lists l JOIN list_members m ON m.list = l.id AND m.phone = ${PHONE}
  WHERE l.client = :client AND l.removed_at IS NULL ORDER BY l.name_key`;
// One look at each campaign: no index covers the numbers of all campaigns.
const MESSAGES = `SELECT k.id AS campaign, k.name, d.state, coalesce(d.tapped_at, d.updated_at) AS at
  FROM campaigns k CROSS JOIN deliveries d ON d.campaign = k.id AND d.phone = ${PHONE}
  WHERE k.client = :client AND k.send_at IS NOT NULL AND k.test_of IS NULL
  ORDER BY at DESC LIMIT ${MOST_MESSAGES}`;
const CONSENTS = `SELECT d.basis, d.source, d.obtained_on, d.at, u.username AS by
  FROM consents n JOIN consent_declarations d ON d.id = n.declaration LEFT JOIN users u ON u.id = d.user
  WHERE n.client = :client AND n.phone = ${PHONE} ORDER BY d.at DESC LIMIT 50`;
const REMOVAL = `SELECT at, CASE WHEN client = 0 THEN 'house' ELSE source END AS source FROM suppressions
  WHERE phone = ${PHONE} AND client IN (0, :client) ORDER BY client DESC LIMIT 1`;

type Removal = NonNullable<ContactCard["removal"]>["source"];

/** Returns a contact of a list. @throws {HttpError} `not_found` */
export async function readCard(ctx: EdgeContext, list: FoundList, contact: number): Promise<ContactCard> {
  const ask = (sql: string) => statement(sql, { contact, list: list.id, client: list.client });
  const found = await readBatch(ctx.db, {
    contact: ask(FIND),
    lists: ask(LISTS),
    messages: ask(MESSAGES),
    consents: ask(CONSENTS),
    removal: ask(REMOVAL),
  });
  const [row] = rowsAs(found.contact, {
    id: contacts.id,
    phone: contacts.phone,
    fields: jsonOf<Record<string, string>>(),
    source: contacts.source,
    createdAt: contacts.createdAt,
    updatedAt: contacts.updatedAt,
  });
  if (row === undefined) throw new HttpError("not_found");
  const [removal] = rowsAs(found.removal, { at: suppressions.at, source: wordOf<Removal>() });
  return {
    ...row,
    ...viewOf(list)(row),
    lists: rowsAs(found.lists, { id: lists.id, name: lists.name }),
    messages: rowsAs(found.messages, {
      campaign: campaigns.id,
      name: campaigns.name,
      state: deliveries.state,
      at: deliveries.updatedAt,
    }),
    consents: rowsAs(found.consents, {
      basis: consentDeclarations.basis,
      source: consentDeclarations.source,
      obtainedOn: consentDeclarations.obtainedOn,
      at: consentDeclarations.at,
      by: orNull(users.username),
    }),
    removal: removal === undefined
      ? null
      : { ...removal, source: isKnown(removal.source) ? removal.source : "manual" },
  };
}

function isKnown(source: string): source is Removal {
  return ["reply", "manual", "file", "house"].includes(source);
}
