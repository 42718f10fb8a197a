import {
  type Client,
  type InArgs,
  type InStatement,
  LibsqlError,
  type ResultSet,
  type Transaction,
  type TransactionMode,
} from "@libsql/client/web";
import { type BusyRetry, LONGEST_WAIT_MS, retryWhenBusy } from "./busy_retry.ts";
import { sleep } from "../time/sleep.ts";
import { turnByTimer } from "../time/turn_loop.ts";
import { LocalTransaction } from "./local_transaction.ts";
import { isReadOnly } from "./read_only.ts";
import { executeBatch, executeTogether, runAll, type SharedWrite } from "./shared_commit.ts";
import { skipBlank } from "./prepare.ts";
import { ReadTurns } from "./read_turns.ts";
import { currentCaller } from "./caller.ts";
import { isBusy } from "./sqlite_error.ts";
import { type AnyStatement, SqliteConnection } from "./sqlite_connection.ts";
import { WriteLock } from "./write_lock.ts";

export interface LocalClientOptions extends BusyRetry {
  /**
   * Milliseconds after which an interactive transaction is rolled back, so that a forgotten one cannot stop all
   * writers. A remote database has the same limit.
   */
  transactionMaxMs: number;
  /** A monotonic clock in milliseconds. */
  clock(): number;
  /** Resolves when the event loop has delivered what had already arrived. */
  turn(): Promise<void>;
}

const DEFAULT_OPTIONS: LocalClientOptions = {
  busyTimeoutMs: 5_000,
  transactionMaxMs: 10_000,
  random: Math.random,
  sleep,
  clock: () => performance.now(),
  turn: () => new Promise((done) => setImmediate(done)),
};
/** Statements that may share a transaction; PRAGMA, VACUUM and BEGIN may not be in one. */
const CHANGES_ROWS = /^(INSERT|UPDATE|DELETE|REPLACE)\b/i;
/**
 * Longest time in milliseconds that a process writes without a pause for other processes; the pause costs 1 % of its
 * speed.
 */
const LONGEST_RUN_MS = 1_000;
/**
 * Longest time in milliseconds that writes which arrived together hold the event loop; the rest waits for the next
 * turn. Slices of long lists gather while a transaction holds the writer: thirty of them at once would take most of a
 * second.
 */
const LONGEST_TOGETHER_MS = 20;
/** Tries to switch to WAL; each can fail because another process took the file within microseconds. */
const WAL_TRIES = 20;

/**
 * libSQL's client over a SQLite file through `node:sqlite`. It replaces the native `libsql` addon, which loses writes
 * after SQLITE_BUSY (upstream_fault_test.ts).
 *
 * One connection writes and one reads: a read on the writing connection would see uncommitted rows of an open
 * transaction. Writes, batches and whole transactions queue for the writer. Writes that arrive together share one
 * sync to disk; each is still all or nothing. "deferred" counts as "write" unless every statement only reads.
 *
 * SQLite itself is synchronous: a long statement blocks the event loop for its length. SQLite also keeps no queue
 * between processes. A process that writes without a pause would block all others for good, so this client pauses.
 */
export class LocalClient implements Client {
  readonly protocol = "file";
  closed = false;
  readonly #path: string;
  readonly #options: LocalClientOptions;
  readonly #lock = new WriteLock();
  readonly #transactions = new Set<LocalTransaction>();
  /** Writes for the next shared transaction. */
  readonly #waiting: SharedWrite[] = [];
  readonly #readTurns: ReadTurns;
  #writer: SqliteConnection;
  #reader: SqliteConnection;
  /**
   * When the writer last left the file free long enough for a sleeping process to get it, and when it was last
   * released.
   */
  #runSince = -Infinity;
  #leftAt = -Infinity;

  /** Opens the file at `path`, or creates it. @throws LibsqlError when that fails. */
  constructor(path: string, options: Partial<LocalClientOptions> = {}) {
    this.#path = path;
    this.#options = { ...DEFAULT_OPTIONS, ...options };
    this.#readTurns = new ReadTurns({ ...this.#options, turnLoop: turnByTimer });
    [this.#writer, this.#reader] = openPair(path);
  }

  execute(stmtOrSql: InStatement, args?: InArgs): Promise<ResultSet> {
    const stmt = typeof stmtOrSql === "string" ? { sql: stmtOrSql, args } : stmtOrSql;
    if (isReadOnly(stmt.sql)) return this.#read((reader) => reader.execute(stmt));
    const act = (writer: SqliteConnection) => writer.execute(stmt);
    return CHANGES_ROWS.test(skipBlank(stmt.sql)) ? this.#share(act) : this.#write(act);
  }

  batch(stmts: AnyStatement[], mode: TransactionMode = "deferred"): Promise<ResultSet[]> {
    const onlyReads = mode === "read" ||
      (mode === "deferred" && stmts.every((stmt) => isReadOnly(sqlOf(stmt))));
    return onlyReads
      ? this.#read((reader) => executeBatch(reader, "BEGIN DEFERRED", stmts))
      : this.#share((writer) => runAll(writer, stmts));
  }

  /** Runs statements like a "write" batch, with foreign keys off meanwhile. */
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

  /**
   * Begins a transaction. A "read" transaction sees one moment and blocks no other; any other mode holds the writer
   * until it ends.
   */
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

  /** Closes the file at once: rolls back open transactions and refuses waiting calls. */
  close(): void {
    this.closed = true;
    for (const transaction of this.#transactions) transaction.close();
    this.#reader.close();
    this.#writer.close();
  }

  /** Commits the writes of one turn of the event loop together: the disk takes as long for one as for fifty. */
  #share<T>(act: (writer: SqliteConnection) => T): Promise<T> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ act, resolve, reject } as SharedWrite);
      if (this.#waiting.length === 1) this.#commitShared();
    });
  }

  async #commitShared(turn = this.#options.turn): Promise<void> {
    await turn();
    const writes: SharedWrite[] = [];
    const rest: SharedWrite[] = [];
    try {
      const { settle } = await this.#write((writer) => {
        // Include the writes that arrived during the wait for the writer.
        writes.push(...this.#waiting.splice(0));
        const until = this.#options.clock() + LONGEST_TOGETHER_MS;
        const executed = executeTogether(writer, writes, () => this.#options.clock() < until);
        rest.push(...writes.splice(executed.count));
        this.#waiting.unshift(...rest);
        return executed;
      });
      settle();
    } catch (error) {
      const undone = writes.length > 0 ? writes : this.#waiting.splice(0);
      for (const { reject } of undone) reject(error);
      return;
    }
    // Without a rest the queue was empty, so the first write that came meanwhile has begun its own commit.
    if (rest.length > 0) this.#commitShared(turnByTimer);
  }

  async #read<T>(act: (reader: SqliteConnection) => T): Promise<T> {
    return await this.#readTurns.read(currentCaller(), () =>
      retryWhenBusy(() => {
        this.#assertOpen();
        return act(this.#reader);
      }, this.#options));
  }

  async #write<T>(act: (writer: SqliteConnection) => T): Promise<T> {
    this.#assertOpen();
    await this.#enter();
    try {
      return await retryWhenBusy(() => {
        this.#assertOpen();
        return act(this.#writer);
      }, this.#options);
    } finally {
      // A statement such as BEGIN would leave the next caller inside another caller's transaction.
      if (this.#writer.inTransaction) this.#writer.execute("ROLLBACK");
      this.#leave();
    }
  }

  async #beginWrite(): Promise<Transaction> {
    await this.#enter();
    try {
      await retryWhenBusy(() => {
        this.#assertOpen();
        this.#writer.execute("BEGIN IMMEDIATE");
      }, this.#options);
    } catch (error) {
      this.#leave();
      throw error;
    }
    return this.#opened(this.#writer, () => this.#leave());
  }

  async #enter(): Promise<void> {
    await this.#lock.acquire();
    const now = this.#options.clock();
    if (now - this.#leftAt > LONGEST_WAIT_MS) this.#runSince = now;
    if (now - this.#runSince <= LONGEST_RUN_MS) return;
    await this.#options.sleep(LONGEST_WAIT_MS + 1);
    this.#runSince = this.#options.clock();
  }

  #leave(): void {
    this.#leftAt = this.#options.clock();
    this.#lock.release();
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

function openPair(path: string): [writer: SqliteConnection, reader: SqliteConnection] {
  const writer = new SqliteConnection(path, {
    readOnly: false,
    busyTimeoutMs: DEFAULT_OPTIONS.busyTimeoutMs,
  });
  try {
    turnToWal(writer);
    writer.execute("PRAGMA synchronous = FULL");
    // Otherwise SQLite often creates and removes a file for the data that undoes a statement or a savepoint.
    writer.execute("PRAGMA temp_store = MEMORY");
    writer.execute("PRAGMA busy_timeout = 0");
    return [writer, new SqliteConnection(path, { readOnly: true })];
  } catch (error) {
    writer.close();
    throw error;
  }
}

/**
 * Switches a new file to WAL, which needs the file alone for a moment; several processes may open it at once. SQLite
 * reads the file first and does not wait for a writer from there, because two could wait for each other. A refused
 * process therefore waits until all others are done, and tries again.
 */
function turnToWal(writer: SqliteConnection): void {
  for (let tries = 1;; tries++) {
    try {
      return void writer.execute("PRAGMA journal_mode = WAL");
    } catch (error) {
      if (!isBusy(error) || tries === WAL_TRIES) throw error;
      writer.executeMultiple("BEGIN EXCLUSIVE; ROLLBACK");
    }
  }
}

function sqlOf(stmt: AnyStatement): string {
  if (typeof stmt === "string") return stmt;
  return Array.isArray(stmt) ? stmt[0] : stmt.sql;
}
