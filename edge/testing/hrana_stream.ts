import { LibsqlError } from "@libsql/client/web";
import { DatabaseSync, type SQLInputValue, type SQLOutputValue, type StatementSync } from "node:sqlite";
import { z } from "zod";
import { retryWhenBusy } from "../db/busy_retry.ts";
import { sleep } from "../time/sleep.ts";
import { prepareOnly, runSequence } from "../db/prepare.ts";
import { isReadOnly } from "../db/read_only.ts";
import { toLibsqlError } from "../db/sqlite_error.ts";

type Condition =
  | { type: "ok" | "error"; step: number }
  | { type: "not"; cond: Condition }
  | { type: "and" | "or"; conds: Condition[] }
  | { type: "is_autocommit" };

const VALUE = z.discriminatedUnion("type", [
  z.object({ type: z.literal("null") }).transform(() => null),
  z.object({ type: z.literal("integer"), value: z.string() }).transform(({ value }) => BigInt(value)),
  z.object({ type: z.literal("float"), value: z.number() }).transform(({ value }) => value),
  z.object({ type: z.literal("text"), value: z.string() }).transform(({ value }) => value),
  z.object({ type: z.literal("blob"), base64: z.string() })
    .transform(({ base64 }) => Uint8Array.fromBase64(base64)),
]);

const SQL_TEXT = { sql: z.string().optional(), sql_id: z.int().optional() };

const STATEMENT = z.object({
  ...SQL_TEXT,
  args: z.array(VALUE).default([]),
  named_args: z.array(z.object({ name: z.string(), value: VALUE })).default([]),
  want_rows: z.boolean().default(true),
});

const CONDITION: z.ZodType<Condition> = z.lazy(() =>
  z.discriminatedUnion("type", [
    z.object({ type: z.enum(["ok", "error"]), step: z.int() }),
    z.object({ type: z.literal("not"), cond: CONDITION }),
    z.object({ type: z.enum(["and", "or"]), conds: z.array(CONDITION) }),
    z.object({ type: z.literal("is_autocommit") }),
  ])
);

const BATCH = z.object({
  steps: z.array(z.object({ condition: CONDITION.nullish(), stmt: STATEMENT })),
});

/** The requests of Hrana 2 and 3 that `@libsql/client/web` sends. */
export const HRANA_REQUEST = z.discriminatedUnion("type", [
  z.object({ type: z.literal("execute"), stmt: STATEMENT }),
  z.object({ type: z.literal("batch"), batch: BATCH }),
  z.object({ type: z.literal("sequence"), ...SQL_TEXT }),
  z.object({ type: z.literal("store_sql"), sql_id: z.int(), sql: z.string() }),
  z.object({ type: z.literal("close_sql"), sql_id: z.int() }),
  z.object({ type: z.literal("get_autocommit") }),
  z.object({ type: z.literal("close") }),
]);
export type HranaRequest = z.infer<typeof HRANA_REQUEST>;

/** How long a statement waits for the lock of another stream or process. */
const BUSY_TIMEOUT_MS = 5_000;

/** One stream of the stand-in server: its own connection, and the SQL texts stored on it. */
export class HranaStream {
  readonly #db: DatabaseSync;
  readonly #storedSql = new Map<number, string>();

  /** @param onChange receives every statement that changed rows */
  constructor(path: string, private readonly onChange: (sql: string, rows: number) => void = () => {}) {
    this.#db = new DatabaseSync(path, { timeout: 0 });
  }

  get isOpen(): boolean {
    return this.#db.isOpen;
  }

  /** Closes the connection; an open transaction is rolled back. */
  close(): void {
    if (this.#db.isOpen) this.#db.close();
  }

  /** Answers one request with a Hrana `StreamResult`; SQL errors are answers too. */
  async answer(request: HranaRequest): Promise<Record<string, unknown>> {
    try {
      return { type: "ok", response: { type: request.type, ...await this.#respond(request) } };
    } catch (error) {
      return { type: "error", error: toHranaError(error) };
    }
  }

  async #respond(request: HranaRequest): Promise<Record<string, unknown>> {
    switch (request.type) {
      case "execute":
        return { result: await this.#execute(request.stmt) };
      case "batch":
        return { result: await this.#batch(request.batch) };
      case "sequence":
        await whenFree(() => runSequence(this.#db, this.#textOf(request)));
        return {};
      case "store_sql":
        this.#storedSql.set(request.sql_id, request.sql);
        return {};
      case "close_sql":
        this.#storedSql.delete(request.sql_id);
        return {};
      case "get_autocommit":
        return { is_autocommit: !this.#db.isTransaction };
      case "close":
        this.close();
        return {};
    }
  }

  async #batch(batch: z.infer<typeof BATCH>): Promise<Record<string, unknown>> {
    const results: unknown[] = [];
    const errors: unknown[] = [];
    for (const { condition, stmt } of batch.steps) {
      const step = results.push(null) - 1;
      errors.push(null);
      if (condition && !this.#holds(condition, results, errors)) continue;
      try {
        results[step] = await this.#execute(stmt);
      } catch (error) {
        errors[step] = toHranaError(error);
      }
    }
    return { step_results: results, step_errors: errors };
  }

  #holds(condition: Condition, results: unknown[], errors: unknown[]): boolean {
    switch (condition.type) {
      case "ok":
        return results[condition.step] !== null;
      case "error":
        return errors[condition.step] !== null;
      case "not":
        return !this.#holds(condition.cond, results, errors);
      case "and":
        return condition.conds.every((part) => this.#holds(part, results, errors));
      case "or":
        return condition.conds.some((part) => this.#holds(part, results, errors));
      case "is_autocommit":
        return !this.#db.isTransaction;
    }
  }

  async #execute(stmt: z.infer<typeof STATEMENT>): Promise<Record<string, unknown>> {
    const sql = this.#textOf(stmt);
    const named = Object.fromEntries(stmt.named_args.map(({ name, value }) => [name, value]));
    const { columns, rows } = await whenFree(() => {
      const statement = prepareOnly(this.#db, sql);
      statement.setReadBigInts(true);
      const columns = statement.columns().map(({ name, type }) => ({ name, decltype: type }));
      return {
        columns,
        rows: allRows(statement, stmt.named_args.length > 0 ? [named, ...stmt.args] : stmt.args),
      };
    });
    // Runs it alone: it may meet a lock that BEGIN did not, and the completed steps must not run twice because of
    // that.
    const changed = await whenFree(() =>
      this.#db.prepare("SELECT changes() AS count, last_insert_rowid() AS rowid").get()
    );
    const affected = isReadOnly(sql) ? 0 : Number(changed?.count);
    if (affected > 0) this.onChange(sql, affected);
    return {
      cols: columns,
      rows: stmt.want_rows ? rows.map((row) => row.map(toHranaValue)) : [],
      affected_row_count: affected,
      last_insert_rowid: String(changed?.rowid),
    };
  }

  #textOf({ sql, sql_id }: { sql?: string; sql_id?: number }): string {
    const text = sql ?? this.#storedSql.get(sql_id ?? -1);
    if (text === undefined) throw new LibsqlError(`SQL text ${sql_id} not found`, "SQL_NOT_FOUND");
    return text;
  }
}

function allRows(
  statement: StatementSync,
  args: (SQLInputValue | Record<string, SQLInputValue>)[],
): SQLOutputValue[][] {
  if (statement.columns().length > 0) statement.setReturnArrays(true);
  // The types allow neither arrays as rows nor named arguments as the first ones.
  return statement.all(...args as SQLInputValue[]) as unknown as SQLOutputValue[][];
}

async function whenFree<T>(act: () => T): Promise<T> {
  function actOrThrowLibsqlError(): T {
    try {
      return act();
    } catch (error) {
      throw toLibsqlError(error);
    }
  }
  return await retryWhenBusy(actOrThrowLibsqlError, {
    busyTimeoutMs: BUSY_TIMEOUT_MS,
    random: Math.random,
    sleep,
  });
}

function toHranaValue(value: SQLOutputValue): Record<string, unknown> {
  if (value === null) return { type: "null" };
  if (typeof value === "bigint") return { type: "integer", value: String(value) };
  if (typeof value === "number") return { type: "float", value };
  if (typeof value === "string") return { type: "text", value };
  return { type: "blob", base64: value.toBase64() };
}

/** Formats the message as libSQL's own server does: only its text names the kind of constraint. */
function toHranaError(error: unknown): { message: string; code: string } {
  if (!(error instanceof LibsqlError)) return { message: String(error), code: "INTERNAL_ERROR" };
  const message = error.cause instanceof Error ? `SQLite error: ${error.cause.message}` : error.message;
  return { message, code: error.code };
}
