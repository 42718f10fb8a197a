/**
 * drizzle's builder for ordinary statements. It only writes SQL and reads rows. A query runs as a step of a batch
 * (write_batch.ts) or by execute(), so that round trips to a remote database are counted as for plain SQL.
 */
import type { Client, InValue, ResultSet } from "@libsql/client/web";
import {
  Column,
  fillPlaceholders,
  type GetColumnData,
  getTableColumns,
  type SQL,
  sql,
  type Table,
} from "drizzle-orm";
import { drizzle } from "drizzle-orm/sqlite-proxy";

/** Builds statements on the tables of schema.ts: `query.select({ role: users.role }).from(users)`. */
export const query = drizzle(() => {
  throw new TypeError("A query runs in a batch or by execute()");
});

/** A statement of `query`; `Result` is drizzle's type of its rows. */
export interface Query<Result = unknown> {
  readonly _: { readonly result: Result };
  prepare(): {
    getQuery(): { sql: string; params: unknown[] };
    mapResult(response: unknown, isFromBatch?: boolean): unknown;
  };
}

/** The rows of a query: those of its SELECT or RETURNING, otherwise none. */
export type RowOf<Q> = Q extends Query<infer Result> ? Result extends (infer Row)[] ? Row : never : never;

/** The result of a query: typed rows, booleans and enums as schema.ts declares them. */
export interface QueryResult<Row> {
  rows: Row[];
  rowsAffected: number;
}

/** Returns whether a step of a batch is a query of the builder, and not plain SQL. */
export function isQuery(step: object): step is Query {
  return "prepare" in step;
}

/** A query as a batch runs it. */
interface PreparedQuery<Row> {
  /** The SQL with its arguments by position. */
  statement: { sql: string; args: InValue[] };
  /** Returns the result of `statement` with its rows as the query types them. */
  read(result: ResultSet): QueryResult<Row>;
}

/** Prepares a query once for both its statement and its result: building the SQL costs more than a small read. */
export function prepareQuery<Q extends Query>(built: Q): PreparedQuery<RowOf<Q>> {
  const prepared = built.prepare();
  const { sql, params } = prepared.getQuery();
  return {
    statement: { sql, args: params as InValue[] },
    read({ rowsAffected, rows }) {
      // An INSERT without RETURNING has no rows, and drizzle hands on what it is given.
      if (rows.length === 0) return { rows: [], rowsAffected };
      return { rows: prepared.mapResult({ rows }, true) as RowOf<Q>[], rowsAffected };
    },
  };
}

/**
 * Builds a query once, for a read that most screens make: building costs more than running it. Its arguments are
 * placeholders: `eq(users.id, sql.placeholder("id"))`.
 */
export function buildOnce<Q extends Query>(
  built: Q,
): (db: Pick<Client, "execute">, args: Record<string, InValue>) => Promise<QueryResult<RowOf<Q>>> {
  const { statement: { sql, args: params }, read } = prepareQuery(built);
  return async (db, args) =>
    read(await db.execute({ sql, args: fillPlaceholders(params, args) as InValue[] }));
}

/** Returns the SQL of a query with its arguments by position, for a list of statements. */
export function toStatement(built: Query): { sql: string; args: InValue[] } {
  return prepareQuery(built).statement;
}

/** Returns a condition of plain SQL as a field of a query. */
export function conditionSql(text: string): SQL<boolean> {
  return sql<boolean>`${sql.raw(text)}`.mapWith(Boolean);
}

/** Runs one query in a round trip of its own. */
export async function execute<Q extends Query>(
  db: Pick<Client, "execute">,
  built: Q,
): Promise<QueryResult<RowOf<Q>>> {
  const { statement, read } = prepareQuery(built);
  return read(await db.execute(statement));
}

/** A value that plain SQL computes, by its type in a row. */
interface Computed<T> {
  read(value: NonNullable<unknown>): T;
}

/** A computed number of plain SQL, such as `count(*) AS total`. @throws TypeError for NULL, or another type */
export const wholeNumber = computed<number>("number");

/** A computed text of plain SQL, such as `brand || model AS title`. @throws TypeError for NULL, or another type */
export const plainText = computed<string>("string");

/** A computed word of a closed set, such as a CASE over fixed words; `T` is what the SQL returns. */
export function wordOf<T extends string>(): Computed<T> {
  return { read: (value) => String(value) as T };
}

/** A computed condition of plain SQL: 1 or 0. */
export const condition: Computed<boolean> = { read: (value) => value === 1 };

/** JSON that plain SQL builds, such as json_object(); null for NULL. `T` is what the SQL builds. */
export function jsonOf<T>(): Computed<T | null> {
  return { read: (value) => JSON.parse(String(value)) };
}

type Field = Column | Computed<unknown>;

type Nullable<C extends Column> = Column<Omit<C["_"], "notNull"> & { notNull: false }>;

/** A field that plain SQL may return as NULL: after a LEFT JOIN, or as max() without rows. */
export function orNull<C extends Column>(column: C): Nullable<C>;
export function orNull<T>(value: Computed<T>): Computed<T | null>;
export function orNull(field: Field): unknown {
  if (!("read" in field)) return field;
  return { read: (value: NonNullable<unknown>) => value === null ? null : field.read(value) };
}

/**
 * Returns every column of a table in SQL, from the table's `alias`. A `*` would be resolved again at each run, because
 * it depends on the current schema.
 */
export function everyColumn(table: Table, alias: string): string {
  return Object.values(getTableColumns(table)).map(({ name }) => `${alias}.${name}`).join();
}

/** The rows that rowsAs() returns. */
export type RowAs<Fields extends Record<string, Field>> = {
  [Key in keyof Fields]: Fields[Key] extends Column ? GetColumnData<Fields[Key]>
    : Fields[Key] extends Computed<infer T> ? T
    : never;
};

/**
 * Returns the rows of plain SQL with the types of the tables. A field is found by its key, otherwise a column by its
 * name in the database: `rowsAs(result, { createdAt: users.createdAt, total: wholeNumber })` reads `created_at` and
 * `total`, and `{ account: accounts.key }` reads `a.key AS account`.
 *
 * @throws TypeError when the SQL does not return a field
 */
export function rowsAs<const Fields extends Record<string, Field>>(
  { rows, columns }: Pick<ResultSet, "rows" | "columns">,
  fields: Fields,
): RowAs<Fields>[] {
  const readers = readersFor(columns, fields);
  return rows.map((row) => {
    const typed: Record<string, unknown> = {};
    for (const { key, name, read } of readers) typed[key] = read(row[name]);
    return typed as RowAs<Fields>;
  });
}

interface Reader {
  key: string;
  /** Name of the column in the result. */
  name: string;
  read(value: unknown): unknown;
}

/** The readers that fields had last; most fields are read from one statement only. */
const lastReaders = new WeakMap<Record<string, Field>, { columns: string[]; readers: Reader[] }>();

function readersFor(columns: string[], fields: Record<string, Field>): Reader[] {
  const last = lastReaders.get(fields);
  if (last?.columns.length === columns.length && columns.every((name, i) => name === last.columns[i])) {
    return last.readers;
  }
  const names = new Set(columns);
  const readers = Object.entries(fields).map(([key, field]) => {
    const name = names.has(key) || "read" in field ? key : field.name;
    if (!names.has(name)) throw new TypeError(`The statement returns no column for "${key}"`);
    return { key, name, read: readerOf(field) };
  });
  lastReaders.set(fields, { columns, readers });
  return readers;
}

function computed<T>(type: "number" | "string"): Computed<T> {
  return {
    read(value) {
      const found = typeof value;
      if (found !== type) throw new TypeError(`The database returned ${found} for a ${type}`);
      return value as T;
    },
  };
}

function readerOf(field: Field): (value: unknown) => unknown {
  if ("read" in field) return (value) => field.read(value!);
  if (field.mapFromDriverValue === Column.prototype.mapFromDriverValue) return (value) => value;
  return (value) => value === null ? null : field.mapFromDriverValue(value);
}
