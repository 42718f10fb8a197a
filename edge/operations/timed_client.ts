/** A database client that tells how long each call took and whether it failed. */
import type { Client, InArgs, InStatement, TransactionMode } from "@libsql/client/web";

/** Told after every call: its length in seconds, and whether it was refused. */
export type WatchCall = (seconds: number, failed: boolean) => void;

/**
 * Wraps `db`; a statement, a batch and the wait for an interactive transaction count, what is done inside one does not.
 * `clock` is monotonic, in milliseconds.
 */
export function timeClient(db: Client, clock: () => number, watch: WatchCall): Client {
  async function timed<T>(call: () => Promise<T>): Promise<T> {
    const began = clock();
    let failed = true;
    try {
      const result = await call();
      failed = false;
      return result;
    } finally {
      watch((clock() - began) / 1000, failed);
    }
  }
  return {
    // A string and its arguments are two overloads of one method.
    execute: (stmt: InStatement | string, args?: InArgs) =>
      timed(() => typeof stmt === "string" ? db.execute(stmt, args) : db.execute(stmt)),
    batch: (stmts, mode) => timed(() => db.batch(stmts, mode)),
    transaction: (mode?: TransactionMode) => timed(() => db.transaction(mode)),
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
