/** Columns of a row that may be empty. */

/** A column as text; null stays null. */
export function textOrNull(value: unknown): string | null {
  return value === null ? null : String(value);
}

/** A column as a number; null stays null. */
export function numberOrNull(value: unknown): number | null {
  return value === null ? null : Number(value);
}
