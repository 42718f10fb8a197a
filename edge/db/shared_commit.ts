/** Writes on one connection: each all or nothing, alone in a transaction or several in one. */
import type { ResultSet } from "@libsql/client/web";
import type { AnyStatement, SqliteConnection } from "./sqlite_connection.ts";
import { toBatchError } from "./sqlite_error.ts";

/** A statement or a batch whose caller waits. */
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
  /** How many writes were executed; those after them wait for another transaction. */
  count: number;
  /** Tells their callers; nothing is told before the commit. */
  settle(): void;
}

/**
 * Does writes in the order they came in one transaction, several each behind a savepoint, so that one that fails
 * undoes only itself. The first is executed in any case, each later one while `mayGoOn` returns true.
 *
 * @throws when the transaction as a whole is undone; every caller is then to be told that
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

/** Without a savepoint, for which SQLite copies every page before its first change: the transaction undoes one write. */
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
    // A full disk or RAISE(ROLLBACK) took the others along.
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
    // Some errors have rolled back already (a full disk, RAISE(ROLLBACK)).
    if (connection.inTransaction) connection.execute("ROLLBACK");
    throw error;
  }
}

/** The statements of a batch inside a transaction. @throws LibsqlBatchError of the statement that failed */
export function runAll(connection: SqliteConnection, statements: AnyStatement[]): ResultSet[] {
  return statements.map((statement, index) => {
    try {
      return connection.execute(statement);
    } catch (error) {
      throw toBatchError(error, index);
    }
  });
}
