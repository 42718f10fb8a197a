/** The choices of the trends, in a file that a browser loads without the schemas. */

/** Lengths of a period in days. */
export const TREND_DAYS = ["7", "30", "90"] as const;
/** What the rows of the list are. */
export const TREND_KEYS = ["site", "account", "client"] as const;
export type TrendKey = typeof TREND_KEYS[number];
