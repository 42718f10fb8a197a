/** A pattern for `LIKE … ESCAPE '\'` that finds `text` anywhere, its own % and _ as themselves. */
export function containsPattern(text: string): string {
  return `%${text.replace(/[\\%_]/g, "\\$&")}%`;
}
