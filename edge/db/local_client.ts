import {
  type Client,
  type InArgs,
  type InStatement,
  LibsqlError,
  type ResultSet,
  type Transaction,
  type TransactionMode,
} from "@libsql/client/web";
import { type BusyRetry, retryWhenBusy } from "./busy_retry.ts";
import { sleep } from "../sleep.ts";
import { LocalTransaction } from "./local_transaction.ts";
import { isReadOnly } from "./read_only.ts";
import { type AnyStatement, SqliteConnection } from "./sqlite_connection.ts";
import { toBatchError } from "./sqlite_error.ts";
import { WriteLock } from "./write_lock.ts";

export interface LocalClientOptions extends BusyRetry {
  /**
   * Milliseconds after which an interactive transaction is rolled back, so that a forgotten one cannot stop all
   * writers; a remote database does the same.
   */
  transactionMaxMs: number;
}

const DEFAULT_OPTIONS: LocalClientOptions = {
  busyTimeoutMs: 5_000,
  transactionMaxMs: 10_000,
  random: Math.random,
  sleep,
};

/**
 * libSQL's client over a SQLite file through `node:sqlite`, in place of the native `libsql` addon, which loses
 * writes after SQLITE_BUSY (upstream_fault_test.ts). One connection writes, one reads: a read on the writing one
 * would see the uncommitted rows of an open transaction. Writes, batches and whole transactions queue for the
 * writer; "deferred" counts as "write" unless every statement only reads. SQLite itself is synchronous: a long
 * statement blocks the event loop for its length.
 */
export class LocalClient implements Client {
  readonly protocol = "file";
  closed = false;
  readonly #path: string;
  readonly #options: LocalClientOptions;
  readonly #lock = new WriteLock();
  readonly #transactions = new Set<LocalTransaction>();
  #writer: SqliteConnection;
  #reader: SqliteConnection;

  /** Opens or creates the file at `path`. @throws LibsqlError when that fails. */
  constructor(path: string, options: Partial<LocalClientOptions> = {}) {
    this.#path = path;
    this.#options = { ...DEFAULT_OPTIONS, ...options };
    [this.#writer, this.#reader] = openPair(path);
  }

  execute(stmtOrSql: InStatement, args?: InArgs): Promise<ResultSet> {
    const stmt = typeof stmtOrSql === "string" ? { sql: stmtOrSql, args } : stmtOrSql;
    return isReadOnly(stmt.sql)
      ? this.#read((reader) => reader.execute(stmt))
      : this.#write((writer) => writer.execute(stmt));
  }

  batch(stmts: AnyStatement[], mode: TransactionMode = "deferred"): Promise<ResultSet[]> {
    const onlyReads = mode === "read" ||
      (mode === "deferred" && stmts.every((stmt) => isReadOnly(sqlOf(stmt))));
    return onlyReads
      ? this.#read((reader) => executeBatch(reader, "BEGIN DEFERRED", stmts))
      : this.#write((writer) => executeBatch(writer, "BEGIN IMMEDIATE", stmts));
  }

  /** Like a "write" batch, with foreign keys off while it runs. */
  migrate(stmts: InStatement[]): Promise<ResultSet[]> {
    return this.#write((writer) => {
      writer.execute("PRAGMA foreign_keys = OFF");
      try {
        return executeBatch(writer, "BEGIN IMMEDIATE", stmts);
      } finally {
        writer.execute("PRAGMA foreign_keys = ON");
      }
    });
  }

  /** A "read" transaction sees one moment and holds up nobody; any other holds the writer until it ends. */
  async transaction(mode: TransactionMode = "write"): Promise<Transaction> {
    this.#assertOpen();
    return mode === "read" ? await this.#beginRead() : await this.#beginWrite();
  }

  executeMultiple(sql: string): Promise<void> {
    return this.#write((writer) => writer.executeMultiple(sql));
  }

  sync(): Promise<never> {
    return Promise.reject(new LibsqlError("sync not supported in file mode", "SYNC_NOT_SUPPORTED"));
  }

  reconnect(): void {
    this.close();
    [this.#writer, this.#reader] = openPair(this.#path);
    this.closed = false;
  }

  /** Closes the file at once: open transactions are rolled back, waiting calls are refused. */
  close(): void {
    this.closed = true;
    for (const transaction of this.#transactions) transaction.close();
    this.#reader.close();
    this.#writer.close();
  }

  async #read<T>(act: (reader: SqliteConnection) => T): Promise<T> {
    return await retryWhenBusy(() => {
      this.#assertOpen();
      return act(this.#reader);
    }, this.#options);
  }

  async #write<T>(act: (writer: SqliteConnection) => T): Promise<T> {
    this.#assertOpen();
    await this.#lock.acquire();
    try {
      return await retryWhenBusy(() => {
        this.#assertOpen();
        return act(this.#writer);
      }, this.#options);
    } finally {
      // A statement such as BEGIN would leave the next caller inside a stranger's transaction.
      if (this.#writer.inTransaction) this.#writer.execute("ROLLBACK");
      this.#lock.release();
    }
  }

  async #beginWrite(): Promise<Transaction> {
    await this.#lock.acquire();
    try {
      await retryWhenBusy(() => {
        this.#assertOpen();
        this.#writer.execute("BEGIN IMMEDIATE");
      }, this.#options);
    } catch (error) {
      this.#lock.release();
      throw error;
    }
    return this.#opened(this.#writer, () => this.#lock.release());
  }

  async #beginRead(): Promise<Transaction> {
    const connection = new SqliteConnection(this.#path, { readOnly: true });
    try {
      await retryWhenBusy(() => connection.execute("BEGIN DEFERRED"), this.#options);
    } catch (error) {
      connection.close();
      throw error;
    }
    return this.#opened(connection, () => connection.close());
  }

  #opened(connection: SqliteConnection, free: () => void): Transaction {
    const transaction = new LocalTransaction(connection, this.#options, () => {
      this.#transactions.delete(transaction);
      free();
    });
    this.#transactions.add(transaction);
    return transaction;
  }

  #assertOpen(): void {
    if (this.closed) throw new LibsqlError("The client is closed", "CLIENT_CLOSED");
  }
}

function executeBatch(connection: SqliteConnection, begin: string, stmts: AnyStatement[]): ResultSet[] {
  connection.execute(begin);
  try {
    const results = stmts.map((stmt, index) => {
      try {
        return connection.execute(stmt);
      } catch (error) {
        throw toBatchError(error, index);
      }
    });
    connection.execute("COMMIT");
    return results;
  } catch (error) {
    // Some errors have rolled back already (a full disk, RAISE(ROLLBACK)).
    if (connection.inTransaction) connection.execute("ROLLBACK");
    throw error;
  }
}

function openPair(path: string): [writer: SqliteConnection, reader: SqliteConnection] {
  // Turning a new file to WAL needs it alone for a moment, and several processes may open it at once.
  const writer = new SqliteConnection(path, {
    readOnly: false,
    busyTimeoutMs: DEFAULT_OPTIONS.busyTimeoutMs,
  });
  try {
    writer.execute("PRAGMA journal_mode = WAL");
    writer.execute("PRAGMA synchronous = FULL");
    writer.execute("PRAGMA busy_timeout = 0");
    return [writer, new SqliteConnection(path, { readOnly: true })];
  } catch (error) {
    writer.close();
    throw error;
  }
}

function sqlOf(stmt: AnyStatement): string {
  if (typeof stmt === "string") return stmt;
  return Array.isArray(stmt) ? stmt[0] : stmt.sql;
}
