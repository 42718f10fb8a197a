const SPACE_AND_COMMENTS = /^(?:\s+|--[^\n]*(?:\n|$)|\/\*[\s\S]*?\*\/)*/;
const WRITING_WORD = /\b(?:insert|update|delete|replace)\b/i;

/**
 * True when `sql` surely changes nothing, so that the reading connection may run it. In doubt it says no: the
 * answer of the word `replace` in a WITH is no even when it is the harmless function. PRAGMA is always no.
 */
export function isReadOnly(sql: string): boolean {
  const start = SPACE_AND_COMMENTS.exec(sql)?.[0].length ?? 0;
  const word = /^[a-z]+/i.exec(sql.slice(start, start + 10))?.[0].toLowerCase();
  if (word === "select" || word === "values" || word === "explain") return true;
  return word === "with" && !WRITING_WORD.test(sql);
}
