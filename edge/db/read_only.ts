import { skipBlank } from "./prepare.ts";

const WRITING_WORD = /\b(?:insert|update|delete|replace)\b/i;

/**
 * Returns true when `sql` certainly changes nothing, so that the reading connection may run it. In doubt it returns
 * false: also for every PRAGMA, and for a WITH that contains the harmless function `replace`.
 */
export function isReadOnly(sql: string): boolean {
  const word = /^[a-z]+/i.exec(skipBlank(sql))?.[0].toLowerCase();
  if (word === "select" || word === "values" || word === "explain") return true;
  return word === "with" && !WRITING_WORD.test(sql);
}
