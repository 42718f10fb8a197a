import { skipBlank } from "./prepare.ts";

const WRITING_WORD = /\b(?:insert|update|delete|replace)\b/i;

/**
 * True when `sql` surely changes nothing, so that the reading connection may run it. In doubt it says no: also for
 * a WITH that has the word `replace` as the harmless function, and for every PRAGMA.
 */
export function isReadOnly(sql: string): boolean {
  const word = /^[a-z]+/i.exec(skipBlank(sql))?.[0].toLowerCase();
  if (word === "select" || word === "values" || word === "explain") return true;
  return word === "with" && !WRITING_WORD.test(sql);
}
