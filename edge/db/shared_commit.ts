/** Writes on one connection: each all or nothing, in a transaction of its own or several in one. */
import type { ResultSet } from "@libsql/client/web";
import type { AnyStatement, SqliteConnection } from "./sqlite_connection.ts";
import { toBatchError } from "./sqlite_error.ts";

/** A statement or batch with a waiting caller. */
export interface SharedWrite<T = unknown> {
  act(writer: SqliteConnection): T;
  resolve(result: T): void;
  reject(error: unknown): void;
}

/** Runs a batch in a transaction that `begin` opens. @throws LibsqlBatchError of the statement that failed */
export function executeBatch(
  connection: SqliteConnection,
  begin: string,
  statements: AnyStatement[],
): ResultSet[] {
  return inTransaction(connection, begin, () => runAll(connection, statements));
}

export interface ExecutedTogether {
  /** Number of executed writes; the ones after them wait for another transaction. */
  count: number;
  /** Resolves or rejects the callers' promises; call it only after the commit. */
  settle(): void;
}

/**
 * Executes writes in order of arrival in one transaction. Each of several runs after a savepoint, so that a failed
 * one undoes only itself. The first always runs, each later one only while `mayGoOn` returns true.
 *
 * @throws when the whole transaction is undone; the error then belongs to every caller
 */
export function executeTogether(
  connection: SqliteConnection,
  writes: readonly SharedWrite[],
  mayGoOn: () => boolean,
): ExecutedTogether {
  const settlements = inTransaction(connection, "BEGIN IMMEDIATE", () => {
    if (writes.length === 1) return [runAlone(connection, writes[0]!)];
    const done: (() => void)[] = [];
    for (const write of writes) {
      if (done.length > 0 && !mayGoOn()) break;
      done.push(runBehindSavepoint(connection, write));
    }
    return done;
  });
  return { count: settlements.length, settle: () => settlements.forEach((settle) => settle()) };
}

/**
 * Uses no savepoint, for which SQLite copies every page before its first change: the transaction itself undoes one
 * write.
 */
function runAlone(connection: SqliteConnection, write: SharedWrite): () => void {
  const result = write.act(connection);
  return () => write.resolve(result);
}

function runBehindSavepoint(connection: SqliteConnection, write: SharedWrite): () => void {
  connection.execute("SAVEPOINT shared");
  try {
    const result = write.act(connection);
    connection.execute("RELEASE shared");
    return () => write.resolve(result);
  } catch (error) {
    // A full disk or RAISE(ROLLBACK) undid the other writes too.
    if (!connection.inTransaction) throw error;
    connection.execute("ROLLBACK TO shared");
    connection.execute("RELEASE shared");
    return () => write.reject(error);
  }
}

function inTransaction<T>(connection: SqliteConnection, begin: string, act: () => T): T {
  connection.execute(begin);
  try {
    const result = act();
    connection.execute("COMMIT");
    return result;
  } catch (error) {
    // Some errors have already rolled back (a full disk, RAISE(ROLLBACK)).
    if (connection.inTransaction) connection.execute("ROLLBACK");
    throw error;
  }
}

/** Runs the statements of a batch inside a transaction. @throws LibsqlBatchError of the statement that failed */
export function runAll(connection: SqliteConnection, statements: AnyStatement[]): ResultSet[] {
  return statements.map((statement, index) => {
    try {
      return connection.execute(statement);
    } catch (error) {
      throw toBatchError(error, index);
    }
  });
}
