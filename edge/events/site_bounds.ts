/** How much a site can have written to the lists that everybody shares, however often it says something. As SQL. */

/** Lines of activity that the inventories of a site write within an hour; the last one says that no more follow. */
export const MOST_LINES = 60;
const LINES_MS = 60 * 60_000;
/** The newest lines, by number: the list has no index of sites. */
const NEWEST_LINES = 1_000;

/** The lines that inventories of :site have written within the hour before :now. */
export const LINES_LATELY = `(SELECT count(*)
  FROM (SELECT at, code, site, user FROM activity ORDER BY id DESC LIMIT ${NEWEST_LINES}) line
  WHERE line.site = :site AND line.user IS NULL AND line.at > :now - ${LINES_MS}
    AND (line.code GLOB 'device_*' OR line.code GLOB 'account_*' OR line.code GLOB 'inventory_*'))`;

/** Events of one kind about one thing within EVENTS_MS. More tell a screen nothing: it asks once for all of them. */
export const MOST_EVENTS = 20;
export const EVENTS_MS = 10_000;
const NEWEST_EVENTS = 300;

/** In SQL: whether fewer than MOST_EVENTS events match `which` and are younger than EVENTS_MS at :now. */
export function hasEventsLeft(which: string): string {
  return `((SELECT count(*) FROM (SELECT * FROM events ORDER BY id DESC LIMIT ${NEWEST_EVENTS}) event
    WHERE event.at > :now - ${EVENTS_MS} AND ${which}) < ${MOST_EVENTS})`;
}
