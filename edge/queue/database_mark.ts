/**
 * The database's mark: its generation and the highest id of `events` ever used, sealed. Sites keep the newest mark
 * and return it at hello. So the edge notices before leasing that the database was put back to an earlier state, by
 * any means.
 */
import type { InStatement, ResultSet } from "@libsql/client/web";
import { createHmac } from "node:crypto";
import type { DatabaseMark } from "shared/agent_protocol.ts";
import type { EdgeContext } from "../context.ts";
import { CURRENT, HEARD, type SiteConnection } from "./fence.ts";
import { IS_OLDER_DATABASE } from "./older_database.ts";
import { OUTCOMES_RECEIVED } from "../deliveries/outcomes_owed.ts";
import { orNull, type RowAs } from "../db/query.ts";
import { sites, system } from "../db/schema.ts";
import { isSameText } from "../keys/same_text.ts";
import { statement } from "../db/statement.ts";
import { rightAfter, STEP_BEFORE_CHANGED } from "../db/write_batch.ts";

/** SQL: the highest id of `events` ever used. The rows are deleted after an hour; this number stays. */
const NEWEST_EVENT = "(SELECT coalesce(max(seq), 0) FROM sqlite_sequence WHERE name = 'events')";

// The last statement of its transaction, so that the mark covers all of it.
const GIVE = `mark_given = ${NEWEST_EVENT}`;
// A database known to be an older one gives no mark: its sites keep returning the mark that shows it. The number
// stored meanwhile hides nothing, because only a new generation ends this state and all its marks are higher.
const GIVEN = `id AS site, iif(${IS_OLDER_DATABASE}, NULL, mark_given) AS event,
  (SELECT value FROM system WHERE key = 'generation') AS generation`;
const MARK = `UPDATE sites SET ${GIVE} WHERE ${CURRENT} RETURNING ${GIVEN}`;
// One statement for the needs of every frame: a second statement on the same row would double the cost.
const HEARD_AND_MARK = `UPDATE sites SET ${HEARD}, ${GIVE} WHERE ${CURRENT}
  RETURNING ${GIVEN}, ${OUTCOMES_RECEIVED} AS outcomes_received`;
// An acknowledgement writes no event. Yet a mark given after it must be above every mark given before.
const COUNT_ON = `UPDATE sqlite_sequence SET seq = seq + 1 WHERE name = 'events' AND ${STEP_BEFORE_CHANGED}`;

/** Returns the statement that reads the mark and records that the site got it. Add it last to a frame's transaction. */
export function giveMark({ site, epoch }: SiteConnection): InStatement {
  return statement(MARK, { site, epoch });
}

/**
 * Returns one statement for giveMark() and heard(). No row means that the connection is superseded. `outcomes_received` is
 * true after the site reported everything to a restored database.
 */
export function heardAndMark(connection: SiteConnection, now: number, journalCounter: number): InStatement {
  return statement(HEARD_AND_MARK, { ...connection, now, journalCounter });
}

/** Returns the step that raises the mark if the step called `name`, right before it, changed a row. */
export function raiseMarkAfter(name: string): InStatement {
  return rightAfter(name, statement(COUNT_ON, {}));
}

/** Returns the `mark` field from the result of giveMark(). Send it only after the commit. */
export function sealMark(
  ctx: Pick<EdgeContext, "databaseMarkKeys">,
  { rows: [row] }: Pick<ResultSet, "rows">,
): { mark?: DatabaseMark } {
  if (row === undefined || row.event === null) return {};
  const mark = { generation: String(row.generation), event: Number(row.event) };
  return { mark: { ...mark, hmac: hmacOf(ctx.databaseMarkKeys[0], Number(row.site), mark) } };
}

/**
 * Returns whether one of our keys sealed the mark for this site. A journal moved here from another site holds that
 * site's mark.
 */
export function isGenuine(
  { databaseMarkKeys }: Pick<EdgeContext, "databaseMarkKeys">,
  site: number,
  mark: DatabaseMark,
): boolean {
  return databaseMarkKeys.some((key) => isSameText(hmacOf(key, site, mark), mark.hmac));
}

/** Columns of the site's row that showsLaterState() compares, as SQL. */
export const KNOWN_TO_DATABASE = `mark_given, answered_generation,
  (SELECT value FROM system WHERE key = 'generation') AS generation,
  (SELECT value FROM system WHERE key = 'earlier_generations') AS "earlierGenerations"`;
/** The fields of these columns, and of the site's journal. */
export const KNOWN_FIELDS = {
  markGiven: sites.markGiven,
  answeredGeneration: sites.answeredGeneration,
  generation: orNull(system.value),
  earlierGenerations: orNull(system.value),
  journalId: sites.journalId,
};

/**
 * Returns whether a genuine mark comes from a later state than the one in which the site's `row` was read.
 *
 * - The mark has this generation: its state is later if the mark is above the last one given to the site. This also
 *   works after new events have passed the mark.
 * - The mark has neither this generation nor a listed earlier one: this database was itself put back to a state
 *   before that generation.
 * - A site that still owes its outcomes already stops all leasing, so its mark shows nothing new.
 * - The mark of an unknown journal shows nothing: it may come from an installation that was set up again. If no
 *   journal is known, the site's first hello may lie in the lost time, so its mark counts.
 */
export function showsLaterState(
  row: RowAs<typeof KNOWN_FIELDS>,
  mark: DatabaseMark,
  journalId: string,
): boolean {
  if (mark.generation === row.generation) return mark.event > row.markGiven;
  const earlier: unknown[] = JSON.parse(row.earlierGenerations ?? "[]");
  const isOther = row.journalId !== null && row.journalId !== journalId;
  return !earlier.includes(mark.generation) && !isOther && row.answeredGeneration === row.generation;
}

function hmacOf(key: Uint8Array, site: number, { generation, event }: Omit<DatabaseMark, "hmac">): string {
  return createHmac("sha256", key).update(`${site}\n${generation}\n${event}`).digest("hex");
}
