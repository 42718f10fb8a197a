/**
 * The database's mark: its generation and the highest id of `events` ever given, sealed. Sites keep the newest one and
 * return it at hello, so that a database put back to an earlier state by any means is noticed before it leases.
 */
import type { InStatement, ResultSet, Row } from "@libsql/client/web";
import { createHmac, timingSafeEqual } from "node:crypto";
import type { DatabaseMark } from "shared/agent_protocol.ts";
import type { EdgeContext } from "../context.ts";
import { CURRENT, HEARD, type SiteConnection } from "./fence.ts";
import { IS_OLDER_DATABASE } from "./older_database.ts";
import { HAS_TOLD } from "../deliveries/outcomes_owed.ts";
import { statement } from "../db/statement.ts";
import { rightAfter, STEP_BEFORE_CHANGED } from "../db/write_batch.ts";

/** The highest id of `events` ever given, in SQL; rows are dropped after an hour, and this stays. */
const NEWEST_EVENT = "(SELECT coalesce(max(seq), 0) FROM sqlite_sequence WHERE name = 'events')";

// The last statement of its transaction, so that the mark covers all of it.
const GIVE = `mark_given = ${NEWEST_EVENT}`;
// A database known to be an older one gives none: its sites go on returning what shows it. The number noted meanwhile
// hides nothing: only a new generation ends this state, and all marks of that are above it.
const GIVEN = `id AS site, iif(${IS_OLDER_DATABASE}, NULL, mark_given) AS event,
  (SELECT value FROM system WHERE key = 'generation') AS generation`;
const MARK = `UPDATE sites SET ${GIVE} WHERE ${CURRENT} RETURNING ${GIVEN}`;
// One statement for what every frame says: a second of the same row costs as much again.
const HEARD_AND_MARK = `UPDATE sites SET ${HEARD}, ${GIVE} WHERE ${CURRENT}
  RETURNING ${GIVEN}, ${HAS_TOLD} AS has_told`;
// An acknowledgement writes no event of its own, but a mark given after it must be above every mark given before.
const COUNT_ON = `UPDATE sqlite_sequence SET seq = seq + 1 WHERE name = 'events' AND ${STEP_BEFORE_CHANGED}`;

/** The statement that reads the mark and notes that the site was given it; add it last to a frame's transaction. */
export function giveMark({ site, epoch }: SiteConnection): InStatement {
  return statement(MARK, { site, epoch });
}

/**
 * As giveMark() and heard() together. No row means that the connection is superseded; `has_told` says whether the site
 * has told a restored database everything.
 */
export function heardAndMark(connection: SiteConnection, now: number, journalCounter: number): InStatement {
  return statement(HEARD_AND_MARK, { ...connection, now, journalCounter });
}

/** The step that raises the mark when the step called `name`, right before it, changed a row. */
export function raiseMarkAfter(name: string): InStatement {
  return rightAfter(name, statement(COUNT_ON, {}));
}

/** Returns the `mark` field made of giveMark()'s result; send it only after the commit. */
export function sealMark(
  ctx: Pick<EdgeContext, "databaseMarkKeys">,
  { rows: [row] }: Pick<ResultSet, "rows">,
): { mark?: DatabaseMark } {
  if (row === undefined || row.event === null) return {};
  const mark = { generation: String(row.generation), event: Number(row.event) };
  return { mark: { ...mark, hmac: hmacOf(ctx.databaseMarkKeys[0], Number(row.site), mark) } };
}

/** Whether one of our keys sealed the mark for this site; a journal that moved here holds another site's. */
export function isGenuine(
  { databaseMarkKeys }: Pick<EdgeContext, "databaseMarkKeys">,
  site: number,
  mark: DatabaseMark,
): boolean {
  const told = new TextEncoder().encode(mark.hmac);
  return databaseMarkKeys.some((key) => {
    const ours = new TextEncoder().encode(hmacOf(key, site, mark));
    return ours.length === told.length && timingSafeEqual(ours, told);
  });
}

/** What showsLaterState() compares with, as columns of the site's row in SQL. */
export const KNOWN_TO_DATABASE = `mark_given, answered_generation,
  (SELECT value FROM system WHERE key = 'generation') AS generation,
  (SELECT value FROM system WHERE key = 'earlier_generations') AS earlier_generations`;

/**
 * Whether a genuine mark was given by a later state than the one in which the site's `row` was read.
 *
 * - Of this generation, it was given by a later state if it is above what this state gave the site. So it also shows
 *   once events of the time since have overtaken the mark.
 * - Of a generation that is neither this one nor in the list of earlier ones: this database was itself put back to a
 *   state before that generation began. A site that still owes its outcomes stops all leasing until it has told them,
 *   so its mark shows nothing new. Nor does that of a journal other than the known one, which may come from an
 *   installation that was begun again. Where no journal is known, the site's first hello may lie in the lost time.
 */
export function showsLaterState(row: Row, mark: DatabaseMark, journalId: string): boolean {
  if (mark.generation === row.generation) return mark.event > Number(row.mark_given);
  const earlier: unknown[] = JSON.parse(String(row.earlier_generations ?? "[]"));
  const isOther = row.journal_id !== null && row.journal_id !== journalId;
  return !earlier.includes(mark.generation) && !isOther && row.answered_generation === row.generation;
}

function hmacOf(key: Uint8Array, site: number, { generation, event }: Omit<DatabaseMark, "hmac">): string {
  return createHmac("sha256", key).update(`${site}\n${generation}\n${event}`).digest("hex");
}
