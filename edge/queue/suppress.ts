import type { InStatement } from "@libsql/client/web";
import { MOVED_BY } from "shared/delivery.ts";
import type { EdgeContext } from "../context.ts";
import { rightAfter, writeBatch } from "../db/write_batch.ts";
import { settle } from "../deliveries/settle.ts";
import { progressWhere } from "../events/progress_event.ts";
import { countRecalled, recallWhere } from "../deliveries/recall.ts";
import { statement } from "../db/statement.ts";

export interface Suppressions {
  /** The client whose messages the numbers must not get; 0 = all clients. */
  client: number;
  /** The origin of the request, shown in the list. */
  source: string;
  /** Digits, each once; a few thousand at most, because they are one transaction. */
  phones: readonly number[];
  /** @default "numbers" */
  search?: Search;
}

/**
 * How SQLite finds the deliveries of a list: it searches each number in each waiting campaign, or reads each waiting
 * campaign from the lowest number of the list to the highest. Both find the same.
 */
export type Search = "numbers" | "range";

export interface SuppressResult {
  /** Numbers that were not suppressed before. */
  added: number;
  /** Waiting deliveries that were skipped at once. */
  skipped: number;
  /** Deliveries that a site holds and is asked to give up. */
  recalled: number;
}

const OF_LIST = "phone IN (SELECT value FROM json_each(:phones))";
// No row = suppressed before.
const ADD = `INSERT INTO suppressions (client, phone, source, at)
  SELECT :client, value, :source, :now FROM json_each(:phones) WHERE true ON CONFLICT (phone, client) DO NOTHING`;
// The recipient asked for it, and the client has listed the number as well.
const LIST_TOO = `UPDATE suppressions SET listed_as = :source
  WHERE ${OF_LIST} AND client = :client AND source = 'reply' AND :source <> 'reply' AND listed_as IS NULL`;
// Ended campaigns have nothing left to remove.
export const OF_WAITING = `campaign IN (SELECT id FROM campaigns
  WHERE :client IN (0, client) AND queued_count + leased_count > 0)`;
export const IN_RANGE = "phone BETWEEN :lowest AND :highest";
/** By search: the rows of the list. `+` forbids SQLite to search each number. */
const LISTED: Record<Search, string> = { numbers: OF_LIST, range: `${IN_RANGE} AND +${OF_LIST}` };
/** By search: the rows of the list in campaigns that wait. */
export const CONCERNED: Record<Search, string> = {
  numbers: `${OF_WAITING} AND ${LISTED.numbers}`,
  range: `${OF_WAITING} AND ${LISTED.range}`,
};

/** Returns the statements that remove what CONCERNED finds from the queue. */
function effectsOf(search: Search) {
  const concerned = CONCERNED[search];
  return {
    // Queued rows of a cancelled campaign were counted and refunded when it was cancelled.
    skip: `UPDATE deliveries SET ${
      settle({ state: "'skipped'", by: MOVED_BY.edge, reason: "'opted_out'" })
    }, updated_at = :now
      WHERE ${concerned} AND ((state = 'leased' AND acked_at IS NULL) OR (state = 'queued'
        AND (SELECT status FROM campaigns c WHERE c.id = campaign) <> 'cancelled'))`,
    recall: recallWhere(concerned),
    progress: progressWhere(`updated_at = :now AND EXISTS (SELECT 1 FROM deliveries d
      WHERE d.campaign = campaigns.id AND ${LISTED[search]} AND d.updated_at = :now)`),
  };
}

const EFFECTS: Record<Search, ReturnType<typeof effectsOf>> = {
  numbers: effectsOf("numbers"),
  range: effectsOf("range"),
};

/**
 * Blocks all future messages to the numbers, from one client or from all, and removes them from the queue. `note`
 * writes the audit entry; ROWS_OF_STEP_BEFORE in it is the number of new ones.
 */
export async function suppressPhones(
  ctx: EdgeContext,
  suppressions: Suppressions,
  note?: (now: number) => InStatement,
): Promise<SuppressResult> {
  const now = ctx.now();
  const { added: add, listedToo, ...effects } = suppressSteps(suppressions, now);
  const { added, skipped, recalled } = await writeBatch(ctx.db, {
    added: add,
    audited: note === undefined ? undefined : rightAfter("added", note(now)),
    ...effects,
  });
  // This takes as long as adding the numbers, and it changes nothing for new ones.
  if (added.rowsAffected < suppressions.phones.length) await ctx.db.execute(listedToo);
  ctx.wakeOutbox();
  return {
    added: added.rowsAffected,
    skipped: skipped.rowsAffected,
    recalled: countRecalled(recalled),
  };
}

/** Returns the steps of suppressPhones(), for a larger transaction; the step `added` changes one row per new number. */
export function suppressSteps({ phones, search = "numbers", ...list }: Suppressions, now: number) {
  const args = { ...list, ...listArgs(phones), now };
  const { skip, recall, progress } = EFFECTS[search];
  return {
    added: statement(ADD, args),
    skipped: statement(skip, args),
    recalled: statement(recall, args),
    progressEvent: statement(progress, args),
    listedToo: statement(LIST_TOO, args),
  };
}

/** Returns the arguments of CONCERNED except :client. */
export function listArgs(phones: readonly number[]) {
  return { phones: JSON.stringify(phones), lowest: Math.min(...phones), highest: Math.max(...phones) };
}

/** Returns suppressSteps() as statements of a batch. */
export function suppressStatements(suppressions: Suppressions, now: number): InStatement[] {
  return Object.values(suppressSteps(suppressions, now));
}

/** Removes rows that returned to the queue after their number was suppressed for everybody. */
export function skipAgain(phone: number, now: number): InStatement[] {
  const { skip, progress } = EFFECTS.numbers;
  return [skip, progress].map((sql) => statement(sql, { client: 0, phones: `[${phone}]`, now }));
}
