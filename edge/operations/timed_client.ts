/** A database client that reports the duration and failure of each call. */
import type { Client, InArgs, InStatement, Transaction, TransactionMode } from "@libsql/client/web";

/** Called after every call with its length in seconds, and whether it failed. */
export type WatchCall = (seconds: number, failed: boolean) => void;

/**
 * Wraps `db`. A statement, a batch and the wait for an interactive transaction count as calls; the statements inside
 * a transaction do not. `clock` is monotonic, in milliseconds. `onError` gets each error that a call threw, also
 * inside a transaction.
 */
export function timeClient(
  db: Client,
  clock: () => number,
  onCall: WatchCall,
  onError: (error: unknown) => void = () => {},
): Client {
  async function watched<T>(call: () => Promise<T>): Promise<T> {
    try {
      return await call();
    } catch (error) {
      onError(error);
      throw error;
    }
  }
  async function timed<T>(call: () => Promise<T>): Promise<T> {
    const began = clock();
    let failed = true;
    try {
      const result = await watched(call);
      failed = false;
      return result;
    } finally {
      onCall((clock() - began) / 1000, failed);
    }
  }
  const watchInside = (transaction: Transaction): Transaction => ({
    execute: (stmt) => watched(() => transaction.execute(stmt)),
    batch: (stmts) => watched(() => transaction.batch(stmts)),
    executeMultiple: (sql) => watched(() => transaction.executeMultiple(sql)),
    commit: () => watched(() => transaction.commit()),
    rollback: () => transaction.rollback(),
    close: () => transaction.close(),
    get closed() {
      return transaction.closed;
    },
  });
  return {
    // execute() has two overloads: a statement, or a string with its arguments.
    execute: (stmt: InStatement | string, args?: InArgs) =>
      timed(() => typeof stmt === "string" ? db.execute(stmt, args) : db.execute(stmt)),
    batch: (stmts, mode) => timed(() => db.batch(stmts, mode)),
    transaction: async (mode?: TransactionMode) => watchInside(await timed(() => db.transaction(mode))),
    executeMultiple: (sql) => timed(() => db.executeMultiple(sql)),
    migrate: (stmts) => db.migrate(stmts),
    sync: () => db.sync(),
    reconnect: () => db.reconnect(),
    close: () => db.close(),
    protocol: db.protocol,
    get closed() {
      return db.closed;
    },
  };
}
