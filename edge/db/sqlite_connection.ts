import { type InArgs, type InStatement, LibsqlError, type ResultSet } from "@libsql/client/web";
import { DatabaseSync, type SQLOutputValue, type StatementSync } from "node:sqlite";
import { isReadOnly } from "./read_only.ts";
import { toLibsqlError } from "./sqlite_error.ts";
import { SqliteResult, toBoundArgs, toRow } from "./sqlite_values.ts";

/** A statement as any method of the client takes it. */
export type AnyStatement = InStatement | [string, InArgs?];

interface Prepared {
  statement: StatementSync;
  returnsRows: boolean;
  isReadOnly: boolean;
}

/** Preparing costs some 30 µs, more than running most of our statements. */
const MAX_PREPARED = 256;

/**
 * One connection to a SQLite file, speaking libSQL's values, results and errors. Every call is synchronous and
 * never waits for a lock (SQLITE_BUSY at once): who may call when, and what is tried again, is the client's.
 */
export class SqliteConnection {
  readonly #db: DatabaseSync;
  /** Least recently used first. */
  readonly #prepared = new Map<string, Prepared>();

  /** @throws LibsqlError when the file cannot be opened, or is not a database. */
  constructor(path: string, options: { readOnly: boolean; busyTimeoutMs?: number }) {
    this.#db = attempt(() =>
      new DatabaseSync(path, { readOnly: options.readOnly, timeout: options.busyTimeoutMs ?? 0 })
    );
  }

  /** False also once the connection is closed. */
  get inTransaction(): boolean {
    return this.#db.isOpen && this.#db.isTransaction;
  }

  /** Runs one statement. @throws LibsqlError; RangeError for an integer beyond 2^53 in the answer. */
  execute(stmt: AnyStatement): ResultSet {
    const { sql, args } = toSqlAndArgs(stmt);
    return attempt(() => {
      const prepared = this.#prepare(sql);
      return prepared.returnsRows ? this.#query(prepared, args) : this.#run(prepared, args);
    });
  }

  /** Runs statements divided by semicolons, stopping at the first that fails. */
  executeMultiple(sql: string): void {
    attempt(() => {
      // Not exec(): the errors it throws carry no result code.
      for (let rest = sql; rest.trim() !== "";) {
        const statement = prepareFirst(this.#db, rest);
        if (statement === undefined) return;
        statement.all();
        rest = rest.slice(statement.sourceSQL.length);
      }
    });
  }

  /** Closes the file; an open transaction is rolled back. Closing twice is harmless. */
  close(): void {
    this.#prepared.clear();
    if (this.#db.isOpen) this.#db.close();
  }

  #query({ statement, isReadOnly }: Prepared, args: InArgs): ResultSet {
    const bound = toBoundArgs(args);
    // With setReturnArrays() each row is an array, which the types do not know.
    const values = (Array.isArray(bound) ? statement.all(...bound) : statement.all(bound)) as unknown;
    // Asked for after the run: a changed schema makes SQLite prepare the statement anew.
    const described = statement.columns();
    const columns = described.map((column) => column.name);
    const rows = (values as SQLOutputValue[][]).map((row) => toRow(row, columns));
    const [changes, rowid] = isReadOnly ? [0, undefined] : this.#lastChange();
    return new SqliteResult(columns, described.map((column) => column.type ?? ""), rows, changes, rowid);
  }

  #run({ statement }: Prepared, args: InArgs): ResultSet {
    const bound = toBoundArgs(args);
    const { changes, lastInsertRowid } = Array.isArray(bound)
      ? statement.run(...bound)
      : statement.run(bound);
    return new SqliteResult([], [], [], Number(changes), BigInt(lastInsertRowid));
  }

  #lastChange(): [number, bigint] {
    const { statement } = this.#prepare("SELECT changes(), last_insert_rowid()");
    const [changes, rowid] = statement.get() as unknown as [number, number];
    return [changes, BigInt(rowid)];
  }

  #prepare(sql: string): Prepared {
    let prepared = this.#prepared.get(sql);
    if (prepared === undefined) {
      prepared = prepareOnly(this.#db, sql);
      if (this.#prepared.size >= MAX_PREPARED) {
        const [oldest] = this.#prepared.keys();
        this.#prepared.delete(oldest);
      }
    } else {
      this.#prepared.delete(sql);
    }
    this.#prepared.set(sql, prepared);
    return prepared;
  }
}

/** Prepares `sql`, refusing a second statement behind the first, which SQLite would drop without a word. */
function prepareOnly(db: DatabaseSync, sql: string): Prepared {
  const statement = prepareFirst(db, sql);
  if (statement === undefined) {
    throw new LibsqlError("SQL string does not contain any statement", "SQL_NO_STATEMENT");
  }
  const rest = sql.slice(statement.sourceSQL.length);
  if (rest.trim() !== "" && prepareFirst(db, rest) !== undefined) {
    throw new LibsqlError("SQL string contains more than one statement", "SQL_MANY_STATEMENTS");
  }
  const returnsRows = statement.columns().length > 0;
  if (returnsRows) statement.setReturnArrays(true);
  return { statement, returnsRows, isReadOnly: isReadOnly(sql) };
}

/** The first statement of `sql`, or undefined when there are only spaces and comments. */
function prepareFirst(db: DatabaseSync, sql: string): StatementSync | undefined {
  try {
    return db.prepare(sql);
  } catch (error) {
    // SQLite prepares nothing from an empty text, and node:sqlite reports the missing handle as a misuse (21).
    if (error instanceof Error && "errcode" in error && error.errcode === 21) return undefined;
    throw error;
  }
}

function toSqlAndArgs(stmt: AnyStatement): { sql: string; args: InArgs } {
  if (typeof stmt === "string") return { sql: stmt, args: [] };
  if (Array.isArray(stmt)) return { sql: stmt[0], args: stmt[1] ?? [] };
  return { sql: stmt.sql, args: stmt.args ?? [] };
}

function attempt<T>(act: () => T): T {
  try {
    return act();
  } catch (error) {
    throw toLibsqlError(error);
  }
}
