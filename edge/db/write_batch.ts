/** Named statements in one transaction: read a result by its name, never by its position. */
import type { Client, InStatement, ResultSet } from "@libsql/client/web";
import { isQuery, prepareQuery, type Query, type QueryResult, type RowOf, toStatement } from "./query.ts";

/** SQL condition for a step made with rightAfter(), or inside a list: the previous statement changed a row. */
export const STEP_BEFORE_CHANGED = "changes() > 0";

/** SQL number for such a statement: the rows changed by the previous statement. */
export const ROWS_OF_STEP_BEFORE = "changes()";

/**
 * Statements by name, in the order in which they run: plain SQL, or a query of drizzle's builder. A list runs as one
 * step; `undefined` is left out.
 */
export type Steps = { readonly [name: string]: InStatement | Query | readonly InStatement[] | undefined };

/**
 * The results of `S`: typed rows for a query, a list of results for a list of statements, and none for a step that is
 * left out.
 */
export type Results<S extends Steps> = {
  [Name in keyof S]: S[Name] extends readonly InStatement[] ? ResultSet[]
    : S[Name] extends Query ? QueryResult<RowOf<S[Name]>>
    : S[Name] extends InStatement ? ResultSet
    : S[Name] extends InStatement | undefined ? ResultSet | undefined
    : ResultSet[] | undefined;
};

/** A client, or a transaction of it. */
type Batches = Pick<Client, "batch">;

/** A statement that asks how many rows the step called `after` changed. */
type FollowingStatement = Exclude<InStatement, string> & { readonly after: string };

interface Step {
  name: string;
  statements: readonly InStatement[];
  /** Returns what the results of the statements are to the reader of this step. */
  read(results: ResultSet[]): unknown;
}

/**
 * Returns `statement` as a step that runs right after the step called `name`. Its SQL uses STEP_BEFORE_CHANGED or
 * ROWS_OF_STEP_BEFORE. SQLite applies these to the statement that ran last, so writeBatch() refuses any other order.
 */
export function rightAfter(name: string, statement: InStatement | Query): FollowingStatement {
  if (typeof statement === "string") return { sql: statement, after: name };
  return { ...(isQuery(statement) ? toStatement(statement) : statement), after: name };
}

/**
 * Runs `steps` in one write transaction, in one round trip to a remote database.
 *
 * @throws TypeError when a step does not follow the step that rightAfter() names, or asks about the previous step
 * without naming it; what the database throws
 */
export async function writeBatch<const S extends Steps>(db: Batches, steps: S): Promise<Results<S>> {
  checkOrder(steps);
  return await runSteps(db, steps, "write");
}

/** Reads `steps` at one moment, in one round trip to a remote database. */
export async function readBatch<const S extends Steps>(db: Batches, steps: S): Promise<Results<S>> {
  return await runSteps(db, steps, "read");
}

function checkOrder(steps: Steps): void {
  let before = "nothing";
  for (const { name, statements: [first] } of present(steps)) {
    if (first === undefined) continue;
    const after = stepBefore(first);
    if (after !== null && after !== before) {
      throw new TypeError(`Step "${name}" belongs right after "${after}", not after "${before}"`);
    }
    if (after === null && sqlOf(first).includes(ROWS_OF_STEP_BEFORE)) {
      throw new TypeError(`Step "${name}" asks about "${before}", which rightAfter() must name`);
    }
    before = name;
  }
}

async function runSteps<S extends Steps>(db: Batches, steps: S, mode: "read" | "write"): Promise<Results<S>> {
  const run = present(steps);
  const answers = await db.batch(run.flatMap(({ statements }) => statements), mode);
  let next = 0;
  const results = run.map(({ name, statements, read }) => {
    return [name, read(answers.slice(next, next += statements.length))];
  });
  return Object.fromEntries(results) as Results<S>;
}

/** Returns the steps that are not left out. */
function present(steps: Steps): Step[] {
  return Object.entries(steps).flatMap(([name, step]) => step === undefined ? [] : [toStep(name, step)]);
}

function toStep(name: string, step: InStatement | Query | readonly InStatement[]): Step {
  if (isList(step)) return { name, statements: step, read: (results) => results };
  if (typeof step === "string" || !isQuery(step)) {
    return { name, statements: [step], read: ([result]) => result };
  }
  const { statement, read } = prepareQuery(step);
  return { name, statements: [statement], read: ([result]) => read(result!) };
}

function sqlOf(statement: InStatement): string {
  return typeof statement === "string" ? statement : statement.sql;
}

function stepBefore(statement: InStatement): string | null {
  return typeof statement === "string" || !("after" in statement) ? null : String(statement.after);
}

function isList(step: InStatement | Query | readonly InStatement[]): step is readonly InStatement[] {
  return Array.isArray(step);
}
