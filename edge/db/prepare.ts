import { LibsqlError } from "@libsql/client/web";
import type { DatabaseSync, StatementSync } from "node:sqlite";

const BLANK = /^(?:[\s;]+|--[^\n]*|\/\*[\s\S]*?(?:\*\/|$))*/;

/** Returns `sql` without the spaces, comments and semicolons before its first word; "" when there is no word. */
export function skipBlank(sql: string): string {
  return sql.slice(BLANK.exec(sql)?.[0].length);
}

/**
 * Prepares the only statement of `sql`.
 *
 * @throws LibsqlError when there is none, or when a second one follows: SQLite would silently ignore it.
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

/** Runs the statements of `sql`, separated by semicolons, and stops at the first that fails. */
export function runSequence(db: DatabaseSync, sql: string): void {
  // Not db.exec(): its errors carry no result code. Not a split at semicolons: triggers contain them.
  for (let rest = skipBlank(sql); rest !== "";) {
    const statement = db.prepare(rest);
    statement.all();
    rest = skipBlank(textAfter(statement, rest));
  }
}

/**
 * Returns the part of `sql` that SQLite did not read when it prepared `statement`. Never call it with a blank text:
 * reading `sourceSQL` of such a statement crashes Deno 2.9.6.
 */
function textAfter(statement: StatementSync, sql: string): string {
  return sql.slice(statement.sourceSQL.length);
}
