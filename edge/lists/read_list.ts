/** Reads one list for one user. Only its client and administrators find it; for others it does not exist. */
import type { ContactList } from "shared/lists_api.ts";
import type { EdgeContext } from "../context.ts";
import { jsonOf, orNull, type RowAs, rowsAs } from "../db/query.ts";
import { lists, listViews } from "../db/schema.ts";
import { statement } from "../db/statement.ts";
import { HttpError } from "../http/http_error.ts";
import type { Caller } from "../http/router.ts";
import { actorArgs, MAY_ACT } from "../queue/own_campaign.ts";

const COLUMNS = "l.id, l.client, l.name, l.size, l.fields, l.created_at, l.updated_at";
const FIELDS = {
  id: lists.id,
  client: lists.client,
  name: lists.name,
  size: lists.size,
  fields: jsonOf<string[]>(),
  createdAt: lists.createdAt,
  updatedAt: lists.updatedAt,
};
const FIND = `SELECT ${COLUMNS}, (SELECT until FROM list_views
    WHERE session = :session AND list = l.id AND until > :now) AS "shownUntil"
  FROM lists l WHERE l.id = :list AND l.removed_at IS NULL AND ${MAY_ACT}`;
const OF_CLIENT = `SELECT ${COLUMNS} FROM lists l WHERE l.client = :client AND l.removed_at IS NULL
  ORDER BY l.name_key`;

export interface FoundList extends ContactList {
  /** Until when an administrator's session sees it unmasked; null = masked. */
  shownUntil: number | null;
  /** Whether this user sees masked numbers and values. */
  isMasked: boolean;
}

/** Returns a list for its client or an administrator. @throws {HttpError} `not_found` */
export async function readList(ctx: EdgeContext, user: Caller, id: number): Promise<FoundList> {
  const args = { list: id, session: user.sessionHash, now: ctx.now(), ...actorArgs(user) };
  const [row] = rowsAs(await ctx.db.execute(statement(FIND, args)), {
    ...FIELDS,
    shownUntil: orNull(listViews.until),
  });
  if (row === undefined) throw new HttpError("not_found");
  return {
    ...viewOf(row),
    shownUntil: row.shownUntil,
    isMasked: row.client !== user.client && row.shownUntil === null,
  };
}

/**
 * Returns a list for an act that only its client may do.
 *
 * @throws {HttpError} `not_found`; `not_allowed` to an administrator
 */
export async function readOwnList(ctx: EdgeContext, user: Caller, id: number): Promise<FoundList> {
  const list = await readList(ctx, user, id);
  if (list.client !== user.client) throw new HttpError("not_allowed");
  return list;
}

/** Returns the lists of a client by name. */
export async function readLists(ctx: EdgeContext, client: number): Promise<ContactList[]> {
  return rowsAs(await ctx.db.execute(statement(OF_CLIENT, { client })), FIELDS).map(viewOf);
}

function viewOf({ fields, ...list }: RowAs<typeof FIELDS>): ContactList {
  return { ...list, fields: fields ?? [] };
}
