/** Reads nullable columns of a row. */

export function textOrNull(value: unknown): string | null {
  return value === null ? null : String(value);
}

export function numberOrNull(value: unknown): number | null {
  return value === null ? null : Number(value);
}
