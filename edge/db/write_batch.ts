/** Named statements in one write transaction: a result is read by its name, never by its place. */
import type { Client, InStatement, ResultSet } from "@libsql/client/web";

/** SQL condition of a step made with rightAfter(): the step before it changed a row. */
export const STEP_BEFORE_CHANGED = "changes() > 0";

/** SQL number for a step made with rightAfter(): the rows that the step before it changed. */
export const ROWS_OF_STEP_BEFORE = "changes()";

/** Statements by name, in the order in which they run; a list runs as one step, and `undefined` is left out. */
export type Steps = { readonly [name: string]: InStatement | readonly InStatement[] | undefined };

/** The results of `S`: a list of results for a list of statements. */
export type Results<S extends Steps> = {
  [Name in keyof S]: S[Name] extends readonly InStatement[] ? ResultSet[]
    : S[Name] extends InStatement ? ResultSet
    : ResultSet | undefined;
};

/** A statement that asks what the step called `after` changed. */
type FollowingStatement = Exclude<InStatement, string> & { readonly after: string };

/**
 * Returns `statement` as a step that runs right after the step called `name`. Its SQL asks STEP_BEFORE_CHANGED or
 * ROWS_OF_STEP_BEFORE, and SQLite answers for whatever statement ran last: writeBatch() refuses any other order.
 */
export function rightAfter(name: string, statement: InStatement): FollowingStatement {
  return typeof statement === "string" ? { sql: statement, after: name } : { ...statement, after: name };
}

/**
 * Runs `steps` in one transaction, in one round trip to a remote database.
 *
 * @throws TypeError when a step made with rightAfter() does not follow the step that it names; what the database throws
 */
export async function writeBatch<const S extends Steps>(
  db: Pick<Client, "batch">,
  steps: S,
): Promise<Results<S>> {
  const present = Object.entries(steps).flatMap(([name, step]) =>
    step === undefined ? [] : [{ name, step, statements: isList(step) ? step : [step] }]
  );
  let before = "nothing";
  for (const { name, statements: [first] } of present) {
    if (first === undefined) continue;
    const after = stepBefore(first);
    if (after !== null && after !== before) {
      throw new TypeError(`Step "${name}" belongs right after "${after}", not after "${before}"`);
    }
    before = name;
  }
  const answers = await db.batch(present.flatMap(({ statements }) => statements), "write");
  let next = 0;
  const results = present.map(({ name, step, statements }) => {
    const own = answers.slice(next, next += statements.length);
    return [name, isList(step) ? own : own[0]];
  });
  return Object.fromEntries(results) as Results<S>;
}

function stepBefore(statement: InStatement): string | null {
  return typeof statement === "string" || !("after" in statement) ? null : String(statement.after);
}

function isList(step: InStatement | readonly InStatement[]): step is readonly InStatement[] {
  return Array.isArray(step);
}
