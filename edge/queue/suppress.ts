import type { InStatement } from "@libsql/client/web";
import { MOVED_BY } from "shared/delivery.ts";
import type { EdgeContext } from "../context.ts";
import { rightAfter, writeBatch } from "../db/write_batch.ts";
import { settle } from "../deliveries/settle.ts";
import { progressWhere } from "../events/progress_event.ts";
import { countRecalled, recallWhere } from "../deliveries/recall.ts";
import { statement } from "../db/statement.ts";
import { toDigits } from "../numbers/wire_phone.ts";

export interface Suppression {
  /** "+972…". */
  phone: string;
  /** The client whose messages the number must not get; 0 = all clients. */
  client: number;
  /** The origin of the request, shown in the list. */
  source: string;
}

export interface Suppressions extends Omit<Suppression, "phone"> {
  /** Digits, each once; a few thousand at most, because they are one transaction. */
  phones: readonly number[];
}

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
// Numbers are searched campaign by campaign; ended campaigns have nothing left to remove.
export const CONCERNED = `campaign IN (SELECT id FROM campaigns
  WHERE :client IN (0, client) AND queued_count + leased_count > 0) AND ${OF_LIST}`;
// Queued rows of a cancelled campaign were counted and refunded when it was cancelled.
const SKIP = `UPDATE deliveries SET ${
  settle({ state: "'skipped'", by: MOVED_BY.edge, reason: "'opted_out'" })
}, updated_at = :now
  WHERE ${CONCERNED} AND ((state = 'leased' AND acked_at IS NULL) OR (state = 'queued'
    AND (SELECT status FROM campaigns c WHERE c.id = campaign) <> 'cancelled'))`;
const RECALL = recallWhere(CONCERNED);
const PROGRESS = progressWhere(`updated_at = :now AND EXISTS (SELECT 1 FROM deliveries d
  WHERE d.campaign = campaigns.id AND d.${OF_LIST} AND d.updated_at = :now)`);

/** Blocks all future messages to a number, from one client or from all, and removes it from the queue. */
export async function suppressPhone(
  ctx: EdgeContext,
  { phone, ...list }: Suppression,
): Promise<Omit<SuppressResult, "added"> & { added: boolean }> {
  const result = await suppressPhones(ctx, { ...list, phones: [toDigits(phone)] });
  return { ...result, added: result.added > 0 };
}

/**
 * Works as suppressPhone() does, for many numbers. `note` writes the audit entry; ROWS_OF_STEP_BEFORE in it is the
 * number of new ones.
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
    recalled: countRecalled(recalled.rows),
  };
}

/** Returns the steps of suppressPhones(), for a larger transaction; the step `added` changes one row per new number. */
export function suppressSteps({ phones, ...list }: Suppressions, now: number) {
  const args = { ...list, phones: JSON.stringify(phones), now };
  return {
    added: statement(ADD, args),
    skipped: statement(SKIP, args),
    recalled: statement(RECALL, args),
    progressEvent: statement(PROGRESS, args),
    listedToo: statement(LIST_TOO, args),
  };
}

/** Returns suppressSteps() as statements of a batch. */
export function suppressStatements(suppressions: Suppressions, now: number): InStatement[] {
  return Object.values(suppressSteps(suppressions, now));
}

/** Removes rows that returned to the queue after their number was suppressed for everybody. */
export function skipAgain(phone: number, now: number): InStatement[] {
  return [SKIP, PROGRESS].map((sql) => statement(sql, { client: 0, phones: `[${phone}]`, now }));
}
