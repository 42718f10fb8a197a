import { type InStatement, LibsqlError, type ResultSet, type Transaction } from "@libsql/client/web";
import type { SqliteConnection } from "./sqlite_connection.ts";
import { toBatchError } from "./sqlite_error.ts";

export interface TransactionLimit {
  /** Milliseconds after which the transaction is rolled back. */
  transactionMaxMs: number;
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

/** An interactive transaction on a connection that has begun one. The connection belongs to it alone until it ends. */
export class LocalTransaction implements Transaction {
  readonly #connection: SqliteConnection;
  readonly #onEnd: () => void;
  readonly #ended = new AbortController();

  /** Calls `onEnd` once, when the connection is free again. */
  constructor(connection: SqliteConnection, limit: TransactionLimit, onEnd: () => void) {
    this.#connection = connection;
    this.#onEnd = onEnd;
    limit.sleep(limit.transactionMaxMs, this.#ended.signal).then(() => this.close());
  }

  /** Also true after an error that rolled the transaction back by itself. */
  get closed(): boolean {
    return this.#ended.signal.aborted || !this.#connection.inTransaction;
  }

  // deno-lint-ignore require-await -- a throw has to become a rejection
  async execute(stmt: InStatement): Promise<ResultSet> {
    this.#assertOpen();
    return this.#connection.execute(stmt);
  }

  // deno-lint-ignore require-await
  async batch(stmts: InStatement[]): Promise<ResultSet[]> {
    return stmts.map((stmt, index) => {
      try {
        this.#assertOpen();
        return this.#connection.execute(stmt);
      } catch (error) {
        throw toBatchError(error, index);
      }
    });
  }

  // deno-lint-ignore require-await
  async executeMultiple(sql: string): Promise<void> {
    this.#assertOpen();
    this.#connection.executeMultiple(sql);
  }

  // deno-lint-ignore require-await
  async commit(): Promise<void> {
    this.#assertOpen();
    try {
      this.#connection.execute("COMMIT");
    } finally {
      this.close();
    }
  }

  // deno-lint-ignore require-await
  async rollback(): Promise<void> {
    this.close();
  }

  close(): void {
    if (this.#ended.signal.aborted) return;
    this.#ended.abort();
    try {
      if (this.#connection.inTransaction) this.#connection.execute("ROLLBACK");
    } finally {
      this.#onEnd();
    }
  }

  #assertOpen(): void {
    if (this.closed) throw new LibsqlError("The transaction is closed", "TRANSACTION_CLOSED");
  }
}
