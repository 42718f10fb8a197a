/** The names of the fields that a campaign's imports brought, of which all recipients may lack the values. */
import type { InStatement } from "@libsql/client/web";
import { withoutNumbers } from "shared/without_numbers.ts";
import { statement } from "../db/statement.ts";

/** SQL: the names as a JSON array; NULL without one. Imports that failed or were taken out do not count. */
export const CAMPAIGN_FIELDS = `(SELECT nullif(json_group_array(DISTINCT f.value), '[]')
  FROM imports i, json_each(i.fields) f
  WHERE i.campaign = :campaign AND i.status = 'completed' AND i.removed_at IS NULL)`;
const NOTE = "UPDATE imports SET fields = :fields WHERE id = :importId";

/** Returns the statement that notes the fields of a file. A name with a number in it may be a person's, and is not kept. */
export function noteFields(importId: number, names: readonly string[]): InStatement {
  const kept = names.filter((name) => withoutNumbers(name) === name);
  return statement(NOTE, { importId, fields: kept.length > 0 ? JSON.stringify(kept) : null });
}
