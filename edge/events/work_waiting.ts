/** An event for every agent: there may be work to pull. Its `site` is null; each hub tells all it holds. Needs :now. */
export const WORK_WAITING = `INSERT INTO events (at, type, data) SELECT :now, 'workWaiting', '{}'`;
