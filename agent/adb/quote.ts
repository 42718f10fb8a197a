/** Quotes one argument for the phone's sh in single quotes. A single quote inside it is placed outside of them. */
export function shellQuote(argument: string): string {
  return `'${argument.replaceAll("'", `'\\''`)}'`;
}
