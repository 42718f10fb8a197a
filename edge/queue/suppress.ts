import type { InStatement } from "@libsql/client/web";
import { MOVED_BY } from "shared/delivery.ts";
import type { EdgeContext } from "../context.ts";
import { rightAfter, writeBatch } from "../db/write_batch.ts";
import { land } from "../deliveries/land.ts";
import { progressWhere } from "../events/progress_event.ts";
import { countRecalled, recallWhere } from "../deliveries/recall.ts";
import { statement } from "../db/statement.ts";
import { toDigits } from "../numbers/wire_phone.ts";

export interface Suppression {
  /** "+972…". */
  phone: string;
  /** Whose messages it must not get; 0 = anyone's. */
  client: number;
  /** Where the request came from, for the list. */
  source: string;
}

export interface Suppressions extends Omit<Suppression, "phone"> {
  /** Digits, each once; a few thousand at most, for they are one transaction. */
  phones: readonly number[];
}

export interface SuppressResult {
  /** Numbers that were not suppressed before. */
  added: number;
  /** Waiting deliveries that were skipped at once. */
  skipped: number;
  /** Deliveries a site holds, which it is asked to give up. */
  recalled: number;
}

const OF_LIST = "phone IN (SELECT value FROM json_each(:phones))";
// No row = suppressed before.
const ADD = `INSERT INTO suppressions (client, phone, source, at)
  SELECT :client, value, :source, :now FROM json_each(:phones) WHERE true ON CONFLICT (phone, client) DO NOTHING`;
// Asked for by its recipient, and listed by its client as well.
const LIST_TOO = `UPDATE suppressions SET listed_as = :source
  WHERE ${OF_LIST} AND client = :client AND source = 'reply' AND :source <> 'reply' AND listed_as IS NULL`;
// A number is found campaign by campaign; of those that ended nothing is left to take out.
export const CONCERNED = `campaign IN (SELECT id FROM campaigns
  WHERE :client IN (0, client) AND queued_count + leased_count > 0) AND ${OF_LIST}`;
// Queued rows of a cancelled campaign were counted and refunded when it was cancelled.
const SKIP = `UPDATE deliveries SET ${
  land({ state: "'skipped'", by: MOVED_BY.edge, reason: "'opted_out'" })
}, updated_at = :now
  WHERE ${CONCERNED} AND ((state = 'leased' AND acked_at IS NULL) OR (state = 'queued'
    AND (SELECT status FROM campaigns c WHERE c.id = campaign) <> 'cancelled'))`;
const RECALL = recallWhere(CONCERNED);
const PROGRESS = progressWhere(`updated_at = :now AND EXISTS (SELECT 1 FROM deliveries d
  WHERE d.campaign = campaigns.id AND d.${OF_LIST} AND d.updated_at = :now)`);

/** Keeps a number from ever being messaged again, by one client or by all, and takes it out of what waits. */
export async function suppressPhone(
  ctx: EdgeContext,
  { phone, ...list }: Suppression,
): Promise<Omit<SuppressResult, "added"> & { added: boolean }> {
  const result = await suppressPhones(ctx, { ...list, phones: [toDigits(phone)] });
  return { ...result, added: result.added > 0 };
}

/** As suppressPhone(), of many; `note` audits it, and may ask for ROWS_OF_STEP_BEFORE = how many are new. */
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
  // Asked of all numbers it takes as long as adding them; of new ones it says nothing.
  if (added.rowsAffected < suppressions.phones.length) await ctx.db.execute(listedToo);
  ctx.wakeOutbox();
  return {
    added: added.rowsAffected,
    skipped: skipped.rowsAffected,
    recalled: countRecalled(recalled.rows),
  };
}

/** What suppressPhones() does, for a transaction that does more; `added` changes as many rows as numbers are new. */
export function suppressSteps({ phones, ...list }: Suppressions, now: number) {
  const args = { ...list, phones: JSON.stringify(phones), now };
  return {
    added: statement(ADD, args),
    skipped: statement(SKIP, args),
    recalled: statement(RECALL, args),
    progressTold: statement(PROGRESS, args),
    listedToo: statement(LIST_TOO, args),
  };
}

/** suppressSteps() as statements of a batch. */
export function suppressStatements(suppressions: Suppressions, now: number): InStatement[] {
  return Object.values(suppressSteps(suppressions, now));
}

/** Takes out of the queue what has come back to it since a number was suppressed for everybody. */
export function skipAgain(phone: number, now: number): InStatement[] {
  return [SKIP, PROGRESS].map((sql) => statement(sql, { client: 0, phones: `[${phone}]`, now }));
}
