import type { Client } from "@libsql/client/web";
import { readSchema } from "./migrate.ts";

const LIST_TABLES = `SELECT t.name, t.sql, group_concat(i.sql || ';', char(10) ORDER BY i.name) AS indexes
  FROM sqlite_schema t LEFT JOIN sqlite_schema i ON i.type = 'index' AND i.tbl_name = t.name AND i.sql IS NOT NULL
  WHERE t.type = 'table' AND t.name NOT LIKE 'sqlite_%' GROUP BY t.name ORDER BY t.name`;

/** SQLite writes columns that migrations added on the line of the last original column. */
const ADDED_COLUMN = /, (?=`?\w+`? (?:integer|text|real|blob)\b)/gi;

/** Returns the text of `schema.sql`: tables and indexes of a migrated database, then the rules. */
export async function printSchema(db: Client): Promise<string> {
  const { rows: tables } = await db.execute(LIST_TABLES);
  const { rules } = await readSchema();
  return [
    "-- What the migrations and rules make of a database. Written by `deno task schema`; edit those instead.",
    ...tables.map(({ sql, indexes }) =>
      [`${String(sql).replaceAll(ADDED_COLUMN, ",\n\t")};`, ...indexes === null ? [] : [indexes]].join("\n")
    ),
    `-- Rules, version ${rules!.version}.`,
    ...rules!.statements.map((statement) => `${statement};`),
    "",
  ].join("\n\n").trimEnd() + "\n";
}
