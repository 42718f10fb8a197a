import type { InStatement, Transaction } from "@libsql/client/web";
import type { AgentFrameOf, Outcome } from "shared/agent_protocol.ts";
import type { EdgeContext } from "../context.ts";
import { NOTE_UNCONFIRMED } from "../health/unconfirmed_words.ts";
import { KEEPS_MESSAGES, KEEPS_REACHES } from "./lost_reaches.ts";
import { alertEvents } from "../events/alert.ts";
import { FENCE, type SiteConnection, SupersededError } from "../queue/fence.ts";
import { localDay } from "../time/local_day.ts";
import { condition, orNull, plainText, rowsAs, wholeNumber } from "../db/query.ts";
import { sites, system } from "../db/schema.ts";
import { inTransaction } from "../db/in_transaction.ts";
import { pauseForgotten } from "../queue/pause_unreported.ts";
import { progressEvents } from "../events/progress_event.ts";
import { statement } from "../db/statement.ts";
import { writeBatch } from "../db/write_batch.ts";
import { toDigits } from "../numbers/wire_phone.ts";
import { WORK_WAITING } from "../events/work_waiting.ts";
import { LOOK_WHO_HOLDS } from "./outcomes/contest.ts";
import { KNOW_ACCOUNTS, KNOW_DEVICES } from "./outcomes/devices.ts";
import { leftOpenOf, stepsOf } from "./outcomes/order.ts";

export type OutcomesFrame = AgentFrameOf<"outcomes">;

const HOUR_MS = 60 * 60_000;
/**
 * Later attempts continue from a reported number. The limit is far above a delivery's attempts and far below an
 * integer's bound.
 */
const MAX_ATTEMPT = 1_000_000;

const LOOK = `SELECT ${FENCE} AS fenced, (SELECT value FROM system WHERE key = 'generation') AS generation,
  (SELECT told_generation FROM sites WHERE id = :site) AS reported,
  (SELECT answered_generation FROM sites WHERE id = :site) AS answered, ${KEEPS_REACHES} AS keeps,
  ${KEEPS_MESSAGES} AS "keepsMessages"`;
const LOOK_FIELDS = {
  fenced: condition,
  generation: orNull(system.value),
  reported: sites.toldGeneration,
  answered: sites.answeredGeneration,
  keeps: condition,
  keepsMessages: condition,
};
const HELD_BY_OTHERS = "אתר דיווח על הודעות שהיו בידי אתר אחר. הן סומנו כלא ידוע. נא לבדוק את האתר.";
/** Outcomes per round trip: a remote database ends a transaction with one round trip per outcome. */
const AT_ONCE = 50;
const ANSWERED =
  "UPDATE sites SET answered_generation = :generation, told_generation = :generation WHERE id = :site";
// Leasing starts again with the last answer. Each notified site pulls at once: notifying a thousand sites after each
// answer would cause a million pulls.
const BEGIN_AGAIN = `${WORK_WAITING} WHERE NOT EXISTS (
  SELECT 1 FROM sites WHERE revoked = 0 AND public_key IS NOT NULL AND answered_generation IS NOT :generation)`;

/**
 * Applies a site's report about the lost time of a restored database. A reported `sent` makes the row sent in any
 * state, with one exception. If another site holds the row, it becomes unknown, and administrators are alerted. A
 * possible send makes the row unknown, unless the row's state is more certain; other outcomes are evidence. No
 * campaign is sent or charged that its owner had not sent.
 *
 * The last frame answers the generation. Answers to an older generation are ignored, and so are frames after the last
 * one, because they move rows that never belonged to the site.
 *
 * @throws SupersededError
 */
export async function takeOutcomes(
  ctx: EdgeContext,
  connection: SiteConnection,
  { generation, items, last }: OutcomesFrame,
): Promise<void> {
  const now = ctx.now();
  await inTransaction(ctx.db, async (tx) => {
    const present = rowsAs(await tx.execute(statement(LOOK, { ...connection })), LOOK_FIELDS)[0]!;
    if (!present.fenced) throw new SupersededError(connection);
    if (present.generation !== generation || present.reported === generation) return;
    const { keeps, keepsMessages } = present;
    let contested = 0;
    for (let from = 0; from < items.length; from += AT_ONCE) {
      const some = items.slice(from, from + AT_ONCE);
      contested += await takeSome(tx, { site: connection.site, now, keeps, keepsMessages }, some);
    }
    if (contested > 0) await tx.batch(alertHeldByOthers(connection.site, now));
    if (items.length > 0) await tx.execute(progressEvents(items.map((item) => item.campaign), now));
    if (!last) return;
    await tx.execute(statement(ANSWERED, { site: connection.site, generation }));
    // The site may have been away for long before it reported.
    await pauseForgotten(tx, now);
    if (present.answered !== generation) await tx.execute(statement(BEGIN_AGAIN, { now, generation }));
  });
  ctx.wakeOutbox();
}

interface Reporter {
  site: number;
  now: number;
  /** True when the people it reached are recorded (lost_reaches.ts). */
  keeps: boolean;
  /** The same for messages of lost campaigns. */
  keepsMessages: boolean;
}

/** Applies outcomes in two round trips; returns how many rows of other sites became unknown. */
async function takeSome(
  tx: Transaction,
  reporter: Reporter,
  items: OutcomesFrame["items"],
): Promise<number> {
  const outcomes = items.map((item) => ({
    ...item,
    phone: toDigits(item.phone),
    outcome: item.outcome === "tapping" ? "unknown" as const : item.outcome,
    attempt: Math.min(item.attempt, MAX_ATTEMPT),
    // No tap was later than now, and no day is later.
    tappedAt: Math.min(item.edgeAt ?? item.at, reporter.now),
  }));
  const places = outcomes.map(({ campaign, phone, token }) => ({ campaign, phone, token }));
  const held = await tx.execute(
    statement(LOOK_WHO_HOLDS, { site: reporter.site, items: JSON.stringify(places) }),
  );
  const holds = new Map(
    rowsAs(held, { no: wholeNumber, hold: orNull(plainText) }).map(({ no, hold }) => [no, hold]),
  );
  const results = await writeBatch(tx, outcomeSteps(reporter, outcomes, holds));
  return outcomes.reduce((sum, _, no) => sum + (results[leftOpenOf(no)]?.rows.length ?? 0), 0);
}

interface ReadOutcome extends Omit<OutcomesFrame["items"][number], "phone" | "outcome"> {
  /** Digits. */
  phone: number;
  outcome: Outcome;
  tappedAt: number;
}

function outcomeSteps(
  { site, now, keeps, keepsMessages }: Reporter,
  items: readonly ReadOutcome[],
  holds: ReadonlyMap<number, unknown>,
): Record<string, InStatement> {
  const maybeTapped = items.filter(({ outcome }) => outcome !== "failed" && outcome !== "void");
  const accounts = JSON.stringify(maybeTapped.flatMap(({ account }) => account ?? []));
  const today = { today: localDay(now), hourNow: Math.floor(now / HOUR_MS) };
  return {
    // An attempt is charged to its account, so the account must exist first.
    devicesKnown: statement(KNOW_DEVICES, { site, now, accounts }),
    accountsKnown: statement(KNOW_ACCOUNTS, { site, now, accounts }),
    ...Object.fromEntries(items.flatMap((item, no) => {
      const day = { day: localDay(item.tappedAt), hour: Math.floor(item.tappedAt / HOUR_MS) };
      const args = {
        ...item,
        edgeAt: item.edgeAt ?? null,
        ...today,
        site,
        now,
        keeps,
        keepsMessages,
        ...day,
      };
      return stepsOf(no, args, holds.get(no));
    })),
    // For the rows that belong to the site after all of its outcomes.
    ...Object.fromEntries(maybeTapped.map(({ campaign, phone, token, account }, no) => [
      `unconfirmed ${no}`,
      statement(NOTE_UNCONFIRMED, { campaign, phone, token, account, site }),
    ])),
  };
}

function alertHeldByOthers(site: number, now: number): InStatement[] {
  return alertEvents({ code: "told_of_others", message: HELD_BY_OTHERS, site }, now);
}
