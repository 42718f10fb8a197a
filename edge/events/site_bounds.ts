/** SQL bounds for one site's entries in shared lists, however often the site repeats itself. */

/** Most activity lines that a site's inventories write within an hour; the last line says that no more follow. */
export const MOST_LINES = 60;
const LINES_MS = 60 * 60_000;
/** How many of the newest lines are searched: the list has no index of sites. */
const NEWEST_LINES = 1_000;

/** The lines written by inventories of :site within the hour before :now. */
export const LINES_LATELY = `(SELECT count(*)
  FROM (SELECT at, code, site, user FROM activity ORDER BY id DESC LIMIT ${NEWEST_LINES}) line
  WHERE line.site = :site AND line.user IS NULL AND line.at > :now - ${LINES_MS}
    AND (line.code GLOB 'device_*' OR line.code GLOB 'account_*' OR line.code GLOB 'inventory_*'))`;

/**
 * Most events of one kind about one thing within EVENTS_MS. More would not help a screen: it reloads once for all of
 * them.
 */
export const MOST_EVENTS = 20;
export const EVENTS_MS = 10_000;
const NEWEST_EVENTS = 300;

/** Returns SQL: whether fewer than MOST_EVENTS events match `which` and are younger than EVENTS_MS at :now. */
export function hasEventsLeft(which: string): string {
  return `((SELECT count(*) FROM (SELECT * FROM events ORDER BY id DESC LIMIT ${NEWEST_EVENTS}) event
    WHERE event.at > :now - ${EVENTS_MS} AND ${which}) < ${MOST_EVENTS})`;
}
