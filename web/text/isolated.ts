/** A name between Unicode's FSI and PDI: a Latin one would take the digits of a date behind it into its own direction. */
export function isolated(name: string): string {
  return `\u2068${name}\u2069`;
}
