import type { InStatement } from "@libsql/client/web";
import type { ReadColumn } from "./contact_list.ts";

/** Returns the statement that keeps with an import which column of its file was read. */
export function noteColumn(importId: number, { no, name }: ReadColumn): InStatement {
  return {
    sql: "UPDATE imports SET column_no = ?, column_name = ? WHERE id = ?",
    args: [no, name, importId],
  };
}
