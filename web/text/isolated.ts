/**
 * Returns a name between Unicode's FSI and PDI: a Latin name would otherwise pull the digits after it into its
 * direction.
 */
export function isolated(name: string): string {
  return `\u2068${name}\u2069`;
}
