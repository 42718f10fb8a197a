import { LibsqlError } from "@libsql/client/web";
import type { DatabaseSync, StatementSync } from "node:sqlite";

const BLANK = /^(?:[\s;]+|--[^\n]*|\/\*[\s\S]*?(?:\*\/|$))*/;

/** `sql` without the spaces, comments and semicolons before its first word; "" when there is no word. */
export function skipBlank(sql: string): string {
  return sql.slice(BLANK.exec(sql)?.[0].length);
}

/**
 * Prepares the only statement of `sql`.
 *
 * @throws LibsqlError when there is none, or a second behind the first, which SQLite would drop without a word.
 */
export function prepareOnly(db: DatabaseSync, sql: string): StatementSync {
  const text = skipBlank(sql);
  if (text === "") throw new LibsqlError("SQL string does not contain any statement", "SQL_NO_STATEMENT");
  const statement = db.prepare(text);
  if (skipBlank(textAfter(statement, text)) !== "") {
    throw new LibsqlError("SQL string contains more than one statement", "SQL_MANY_STATEMENTS");
  }
  return statement;
}

/** Runs the statements of `sql`, divided by semicolons, stopping at the first that fails. */
export function runSequence(db: DatabaseSync, sql: string): void {
  // Not db.exec(): the errors it throws carry no result code, and a trigger's own semicolons forbid splitting.
  for (let rest = skipBlank(sql); rest !== "";) {
    const statement = db.prepare(rest);
    statement.all();
    rest = skipBlank(textAfter(statement, rest));
  }
}

/**
 * What SQLite did not read when it prepared `statement` from `sql`. Never to be asked of a blank text: reading
 * `sourceSQL` of the statement it makes crashes Deno 2.9.6.
 */
function textAfter(statement: StatementSync, sql: string): string {
  return sql.slice(statement.sourceSQL.length);
}
