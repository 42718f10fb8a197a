import { STEP_BEFORE_CHANGED } from "../db/write_batch.ts";

/**
 * Writes an event for every agent: there may be work to pull. Its `site` is null: each hub sends it to all its sites.
 * Needs :now.
 */
export const WORK_WAITING = `INSERT INTO events (at, type, data) SELECT :now, 'workWaiting', '{}'`;
/** The same for a step made with rightAfter(): only if the previous step changed a row. */
export const WORK_WAITING_IF_CHANGED = `${WORK_WAITING} WHERE ${STEP_BEFORE_CHANGED}`;
