import { getTableColumns } from "drizzle-orm";
import type { EdgeContext } from "../context.ts";
import { everyColumn, rowsAs } from "../db/query.ts";
import { savedMessages } from "../db/schema.ts";
import { statement } from "../db/statement.ts";
import { HttpError } from "../http/http_error.ts";

const FIELDS = getTableColumns(savedMessages);
export type SavedRow = ReturnType<typeof rowsAs<typeof FIELDS>>[number];

const FIND = `SELECT ${
  everyColumn(savedMessages, "s")
} FROM saved_messages s WHERE id = :id AND client = :client`;

/**
 * Returns a saved message of its client; for administrators, too, it exists for nobody else.
 *
 * @throws {HttpError} `not_found`
 */
export async function findSaved(
  ctx: EdgeContext,
  { id: client }: { id: number },
  id: number,
): Promise<SavedRow> {
  const [row] = rowsAs(await ctx.db.execute(statement(FIND, { id, client })), FIELDS);
  if (row === undefined) throw new HttpError("not_found", { text: "ההודעה השמורה כבר לא קיימת." });
  return row;
}
