/**
 * The key in `system` of the hour up to which whole days are counted in the trends, a local midnight in hours since
 * 1970. A report of the lost time lowers it: the days from that hour on are counted again.
 */
export const TRENDS_COUNTED = "trends_counted_until";
