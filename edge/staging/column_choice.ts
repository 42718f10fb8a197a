/** What a person chose for the columns of a file, remembered for files with the same headings. */
import { and, eq } from "drizzle-orm";
import { createHash } from "node:crypto";
import { type ColumnChoice, columnChoiceSchema } from "shared/staged_api.ts";
import { withoutNumbers } from "shared/without_numbers.ts";
import type { EdgeContext } from "../context.ts";
import { execute, query } from "../db/query.ts";
import { columnChoices } from "../db/schema.ts";
import { statement } from "../db/statement.ts";

/** Choices kept of one person. */
const MAX_CHOICES = 200;
const DROP_OLD = `DELETE FROM column_choices WHERE user = :user AND headings_key IN (
  SELECT headings_key FROM column_choices WHERE user = :user
  ORDER BY updated_at DESC, headings_key LIMIT -1 OFFSET ${MAX_CHOICES})`;

/** Returns the key of headings: a heading may be anything, so only its hash is kept. */
export function headingsKey(headings: readonly string[]): string {
  return createHash("sha256").update(JSON.stringify(headings.map((name) => name.trim()))).digest("hex");
}

/** Returns the remembered choice, null when there is none. */
export async function recallChoice(
  ctx: EdgeContext,
  user: number,
  key: string,
): Promise<ColumnChoice | null> {
  const { rows: [row] } = await execute(
    ctx.db,
    query.select({ choice: columnChoices.choice }).from(columnChoices)
      .where(and(eq(columnChoices.user, user), eq(columnChoices.headingsKey, key))),
  );
  if (row === undefined) return null;
  const choice = columnChoiceSchema.safeParse(JSON.parse(row.choice));
  return choice.success ? choice.data : null;
}

/**
 * Remembers a choice in place of an earlier one. A choice with a name that may be a number is of its file alone: no
 * erasure looks at what is remembered.
 */
export async function rememberChoice(
  ctx: EdgeContext,
  user: number,
  key: string | null,
  choice: ColumnChoice,
): Promise<void> {
  if (key === null || choice.fields.some(({ name }) => withoutNumbers(name) !== name)) return;
  await ctx.db.batch([
    statement(
      `INSERT INTO column_choices (user, headings_key, choice, updated_at) VALUES (:user, :key, :choice, :now)
        ON CONFLICT (user, headings_key) DO UPDATE SET choice = excluded.choice, updated_at = excluded.updated_at`,
      { user, key, choice: JSON.stringify(choice), now: ctx.now() },
    ),
    statement(DROP_OLD, { user }),
  ], "write");
}
