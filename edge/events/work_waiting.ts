/**
 * Writes an event for every agent: there may be work to pull. Its `site` is null: each hub sends it to all its sites.
 * Needs :now.
 */
export const WORK_WAITING = `INSERT INTO events (at, type, data) SELECT :now, 'workWaiting', '{}'`;
