import { DEFAULT_SETTINGS, type Settings } from "shared/settings.ts";

/**
 * Returns a setting in force as SQL: a whole number, or 1 and 0. Settings are JSON; one that was never set has its
 * default.
 */
export function settingSql(key: keyof Settings): string {
  const fallback = DEFAULT_SETTINGS[key];
  const [read, otherwise] = typeof fallback === "boolean"
    ? ["value = 'true'", Number(fallback)]
    : ["CAST(value AS INTEGER)", fallback];
  return `coalesce((SELECT ${read} FROM settings WHERE key = '${key}'), ${otherwise})`;
}
