import type { InArgs, InStatement, ResultSet } from "@libsql/client/web";
import { DatabaseSync, type SQLOutputValue, type StatementSync } from "node:sqlite";
import { prepareOnly, runSequence } from "./prepare.ts";
import { isReadOnly } from "./read_only.ts";
import { toLibsqlError } from "./sqlite_error.ts";
import { SqliteResult, SqliteRow, toBoundArgs } from "./sqlite_values.ts";

/** A statement in any form that the client's methods accept. */
export type AnyStatement = InStatement | [string, InArgs?];

interface Prepared {
  statement: StatementSync;
  returnsRows: boolean;
  isReadOnly: boolean;
  /** The columns of its result; null where a `*` takes them from the current schema. */
  columns: Columns | null;
}

interface Columns {
  names: string[];
  types: string[];
}

/** Only these stars depend on the current schema; the star of `count(*)` or of a product does not. */
const EVERY_COLUMN = /(?:\b(?:SELECT|DISTINCT|ALL|RETURNING)|[,.])\s*\*/i;
/** Preparing costs about 30 µs, more than running most of our statements. */
const MAX_PREPARED = 256;

/**
 * One connection to a SQLite file with libSQL's values, results and errors. Every call is synchronous and never waits
 * for a lock: it throws SQLITE_BUSY at once. The client decides the order of calls and what is tried again.
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

  /** Also false after the connection is closed. */
  get inTransaction(): boolean {
    return this.#db.isOpen && this.#db.isTransaction;
  }

  /** Runs one statement. @throws LibsqlError; RangeError for an integer beyond 2^53 in the result. */
  execute(stmt: AnyStatement): ResultSet {
    const { sql, args } = toSqlAndArgs(stmt);
    return attempt(() => {
      const prepared = this.#prepare(sql);
      return prepared.returnsRows ? this.#query(sql, prepared, args) : this.#run(prepared, args);
    });
  }

  /** Runs statements separated by semicolons, and stops at the first that fails. */
  executeMultiple(sql: string): void {
    attempt(() => runSequence(this.#db, sql));
  }

  /** Closes the file and rolls back an open transaction. Closing twice is harmless. */
  close(): void {
    this.#prepared.clear();
    if (this.#db.isOpen) this.#db.close();
  }

  #query(sql: string, prepared: Prepared, args: InArgs): ResultSet {
    const { statement, isReadOnly } = prepared;
    const bound = toBoundArgs(args);
    // With setReturnArrays() each row is an array, which the types do not know.
    const answer = (Array.isArray(bound) ? statement.all(...bound) : statement.all(bound)) as unknown;
    const values = answer as SQLOutputValue[][];
    const columns = prepared.columns ?? columnsOf(statement);
    if (values.length > 0 && values[0].length !== columns.names.length) {
      // The schema changed, and node:sqlite still used the previous number of columns.
      this.#prepared.delete(sql);
      if (isReadOnly) return this.#query(sql, this.#prepare(sql), args);
    }
    const rows = values.map((row) => new SqliteRow(row, columns.names));
    const [changes, rowid] = isReadOnly ? [0, undefined] : this.#lastChange();
    return new SqliteResult([...columns.names], [...columns.types], rows, changes, rowid);
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
      prepared = prepare(this.#db, sql);
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

function prepare(db: DatabaseSync, sql: string): Prepared {
  const statement = prepareOnly(db, sql);
  const columns = columnsOf(statement);
  const returnsRows = columns.names.length > 0;
  if (returnsRows) statement.setReturnArrays(true);
  return {
    statement,
    returnsRows,
    isReadOnly: isReadOnly(sql),
    columns: EVERY_COLUMN.test(sql) ? null : columns,
  };
}

function columnsOf(statement: StatementSync): Columns {
  const columns = statement.columns();
  return { names: columns.map(({ name }) => name), types: columns.map(({ type }) => type ?? "") };
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
