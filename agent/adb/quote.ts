/** Quotes one argument for the phone's sh: single quotes keep everything, and a single quote itself leaves them. */
export function shellQuote(argument: string): string {
  return `'${argument.replaceAll("'", `'\\''`)}'`;
}
