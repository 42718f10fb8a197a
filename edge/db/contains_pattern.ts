/** Returns a pattern for `LIKE … ESCAPE '\'` that finds `text` anywhere and takes its % and _ literally. */
export function containsPattern(text: string): string {
  return `%${text.replace(/[\\%_]/g, "\\$&")}%`;
}
