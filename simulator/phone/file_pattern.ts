/** Converts a pattern with * and ? into a regular expression over a whole text. */
export function patternRegExp(pattern: string): RegExp {
  const source = pattern.replace(/[.+^${}()|[\]\\]/g, "\\$&").replaceAll("*", "[^]*").replaceAll("?", "[^]");
  return new RegExp(`^${source}$`, "u");
}
