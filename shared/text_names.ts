/** Several texts of one campaign: how many, and their names. Without schemas, because the screens load it. */

/** Most texts of a campaign, its message included. */
export const MAX_TEXTS = 3;
/** Names of the texts, by their number from 1 on. */
export const TEXT_NAMES = ["א", "ב", "ג"] as const;
