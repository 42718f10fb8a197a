/**
 * Quotes one argument for the phone's sh in single quotes. A single quote in it ends them, and they open again after
 * it.
 */
export function shellQuote(argument: string): string {
  return `'${argument.replaceAll("'", `'\\''`)}'`;
}
