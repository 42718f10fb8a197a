/** Copies the contacts of one campaign to another inside the database, one commit per slice. */
import type { RecipientGroup } from "shared/again_api.ts";
import { EDITABLE_STATUSES } from "shared/campaign.ts";
import type { EdgeContext } from "../context.ts";
import { endIfCallerLeft } from "../http/caller_left.ts";
import { HttpError } from "../http/http_error.ts";
import { CONSENTED, NEEDS_CONSENT } from "../lawful/consent.ts";
import { type IsBlocked, nobody, readBlocked } from "../privacy/blocked.ts";
import { orNull, rowsAs, wholeNumber } from "../db/query.ts";
import { statement } from "../db/statement.ts";
import { rightAfter, ROWS_OF_STEP_BEFORE, writeBatch } from "../db/write_batch.ts";
import { turnLoop } from "../time/turn_loop.ts";
import { CONTACT_ROOM } from "./contact_room.ts";
import { BEAT, type InsertedCounts, MAY_TAKE, SUPPRESSED } from "./insert_contacts.ts";
import { importProgress, type RunningImport } from "./remove_import.ts";
import { type CampaignRow, deliveries } from "../db/schema.ts";

/** Numbers per commit: some 10 ms on a local file, and the event loop is blocked that long. */
const SLICE = 1_500;
/** Slices between two progress events of the copy. */
const PROGRESS_EVERY = 10;

// In the order of the numbers, as long lists are sent (docs/decisions/010-long-lists-by-number.md). Erased and
// forgotten numbers have an alias below 0 and are skipped.
const OF_SLICE = `(SELECT phone AS value, state, reason, fields, id, origin, resent FROM deliveries
  WHERE campaign = :source AND phone > :after ORDER BY phone LIMIT ${SLICE})`;
// A row still queued in a cancelled campaign counts as cancelled: a later slice will write that state. Somebody whom a
// person decided to send again waits in doubt.
const IS_CANCELLED = "(state = 'queued' AND :isCancelled AND resent = 0)";
/** SQL: the state of a row, and its reason, as the campaign's counters have them; needs `:isCancelled`. */
export const READ_STATE = `iif(${IS_CANCELLED}, 'cancelled', state)`;
export const READ_REASON = `iif(${IS_CANCELLED}, NULL, reason)`;
const CHOSEN = `(:groups IS NULL OR ${READ_STATE} || ' ' || coalesce(${READ_REASON}, '')
  IN (SELECT g.value FROM json_each(:groups) g))`;
// A row that is written again keeps its origin. A copy of a campaign that was never sent takes its place.
const ORIGIN = "CASE WHEN :groups IS NOT NULL THEN coalesce(origin, id) WHEN :isUnsent THEN origin END";
const IS_BLOCKED = "value IN (SELECT b.value FROM json_each(:blocked) b)";
const READ = `SELECT value AS phone FROM ${OF_SLICE} WHERE ${CHOSEN}`;
const COUNT = `SELECT count(*) AS looked, max(value) AS last,
    count(*) FILTER (WHERE ${CHOSEN}) AS chosen,
    count(*) FILTER (WHERE ${CHOSEN} AND (${IS_BLOCKED} OR ${SUPPRESSED})) AS suppressed,
    count(*) FILTER (WHERE ${CHOSEN} AND ${NEEDS_CONSENT} AND NOT ${IS_BLOCKED} AND NOT ${SUPPRESSED}
      AND NOT ${CONSENTED}) AS "withoutConsent"
  FROM ${OF_SLICE}`;
const COUNTS = {
  looked: wholeNumber,
  last: orNull(deliveries.phone),
  chosen: wholeNumber,
  suppressed: wholeNumber,
  withoutConsent: wholeNumber,
};
// Only while the import is alive: BEAT has just set this time in the same transaction.
const LIVES =
  "EXISTS (SELECT 1 FROM imports WHERE id = :importId AND status = 'processing' AND updated_at = :now)";
// Never above the limit, although the slice is refused only after its commit.
const MOST = `max(0, ${CONTACT_ROOM})`;
const INSERT = `INSERT INTO deliveries (campaign, phone, import, fields, origin, updated_at)
  SELECT :campaign, value, :importId, fields, ${ORIGIN}, :now FROM ${OF_SLICE}
  WHERE ${CHOSEN} AND ${LIVES} AND NOT ${IS_BLOCKED} AND ${MAY_TAKE} ORDER BY value LIMIT ${MOST}
  ON CONFLICT (campaign, phone) DO NOTHING`;
const ADD_UP =
  `UPDATE campaigns SET queued_count = queued_count + ${ROWS_OF_STEP_BEFORE} WHERE id = :campaign`;
const LEAVE_OUT = `INSERT INTO unconsented (campaign, phone, import, origin)
  SELECT :campaign, value, :importId, ${ORIGIN} FROM ${OF_SLICE}
  WHERE ${CHOSEN} AND ${LIVES} AND ${NEEDS_CONSENT} AND NOT ${IS_BLOCKED} AND NOT ${SUPPRESSED} AND NOT ${CONSENTED}
  ORDER BY value LIMIT ${MOST}
  ON CONFLICT (campaign, phone) DO NOTHING`;

export interface CopiedList {
  source: Pick<CampaignRow, "id" | "status">;
  /** Who is written to again; null = all contacts. */
  groups: readonly RecipientGroup[] | null;
  /** The expected number of contacts before they are read, for the progress bar. */
  total: number;
}

/**
 * Adds the numbers of `source` to the campaign of a running import. Between two slices it yields to the event loop and
 * to other writers.
 *
 * @throws {HttpError} `contacts_full`; `invalid_input` after the caller `left`
 * @throws {Error} when the import was silent so long that another edge may have ended it
 */
export async function copyContacts(
  ctx: EdgeContext,
  running: RunningImport,
  { source, groups, total }: CopiedList,
  left?: AbortSignal,
): Promise<InsertedCounts> {
  const sum: InsertedCounts = { added: 0, suppressed: 0, withoutConsent: 0 };
  // A number erased from now on is suppressed until it is gone from the source too.
  const isBlocked = await readBlocked(ctx);
  let processedRows = 0;
  let after = 0;
  for (let slice = 1;; slice++) {
    const args = {
      ...running,
      source: source.id,
      after,
      groups: groups && JSON.stringify(groups.map(({ state, reason }) => `${state} ${reason ?? ""}`)),
      isUnsent: EDITABLE_STATUSES.includes(source.status),
      isCancelled: source.status === "cancelled",
      now: ctx.now(),
    };
    const blocked = isBlocked === nobody ? [] : await findBlocked(ctx, args, isBlocked);
    const beat = { ...running, totalRows: total, processedRows, now: args.now };
    const sliceArgs = { ...args, blocked: JSON.stringify(blocked) };
    const movesBar = slice % PROGRESS_EVERY === 0;
    const { goesOn, counted, inserted, leftOut } = await writeBatch(ctx.db, {
      goesOn: statement(BEAT, beat),
      counted: statement(COUNT, sliceArgs),
      inserted: statement(INSERT, sliceArgs),
      addedUp: rightAfter("inserted", statement(ADD_UP, sliceArgs)),
      leftOut: statement(LEAVE_OUT, sliceArgs),
      progressEvent: movesBar ? importProgress(args, processedRows, false) : undefined,
    });
    if (goesOn.rowsAffected === 0) {
      throw new Error(`Cannot go on with import ${running.importId}: it was given up`);
    }
    const counts = rowsAs(counted, COUNTS)[0]!;
    // Its campaign is new and locked by the import: nothing else excludes a number.
    const mayTake = counts.chosen - counts.suppressed - counts.withoutConsent;
    if (inserted.rowsAffected < mayTake || leftOut.rowsAffected < counts.withoutConsent) {
      throw new HttpError("contacts_full");
    }
    sum.added += inserted.rowsAffected;
    sum.suppressed += counts.suppressed;
    sum.withoutConsent += counts.withoutConsent;
    processedRows += counts.chosen;
    if (movesBar) ctx.wakeOutbox();
    if (counts.looked < SLICE) return sum;
    after = counts.last!;
    await turnLoop();
    endIfCallerLeft(left);
  }
}

/** Marks the numbers here, because the database has no key, and returns the blocked ones. */
async function findBlocked(
  ctx: EdgeContext,
  args: Parameters<typeof statement>[1],
  isBlocked: IsBlocked,
): Promise<number[]> {
  const chosen = rowsAs(await ctx.db.execute(statement(READ, args)), { phone: deliveries.phone });
  return chosen.map(({ phone }) => phone).filter(isBlocked);
}
