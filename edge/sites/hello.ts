import type { ResultSet } from "@libsql/client/web";
import type { AgentFrameOf, EdgeFrameOf } from "shared/agent_protocol.ts";
import { MOVED_BY } from "shared/delivery.ts";
import type { AgentFeature } from "shared/features.ts";
import type { EdgeContext } from "../context.ts";
import { exchangeStops } from "../devices/exchange_stops.ts";
import {
  giveMark,
  isGenuine,
  KNOWN_FIELDS,
  KNOWN_TO_DATABASE,
  sealMark,
  showsLaterState,
} from "../queue/database_mark.ts";
import { createYieldToEventLoop } from "../http/yield_to_event_loop.ts";
import { type SiteConnection, SupersededError } from "../queue/fence.ts";
import { condition, type RowAs, rowsAs } from "../db/query.ts";
import { deliveries, sites } from "../db/schema.ts";
import { inTransaction } from "../db/in_transaction.ts";
import { notTapped, settle, type Settlement } from "../deliveries/settle.ts";
import { noteOlderDatabase } from "../queue/older_database.ts";
import { pauseUnreported } from "../queue/pause_unreported.ts";
import { campaignsOf, progressEvents } from "../events/progress_event.ts";
import { statement } from "../db/statement.ts";
import { stopSite } from "../queue/stop_site.ts";
import { turnByTimer } from "../time/turn_loop.ts";
import { toDigits, toWirePhone } from "../numbers/wire_phone.ts";

export type HelloFrame = AgentFrameOf<"hello">;
export type HelloAckFrame = EdgeFrameOf<"helloAck">;

const DOUBTED_MESSAGE = "היומן של האתר שוחזר או הועתק. האתר נעצר, ומה שהחזיק סומן כלא ידוע.";

// No row = a newer connection exists, or this one's hello was handled before.
const SITE = `SELECT journal_id, journal_counter, ${KNOWN_TO_DATABASE},
    answered_generation IS NOT (SELECT value FROM system WHERE key = 'generation') AS "isOwing" FROM sites
  WHERE id = :site AND epoch = :epoch AND hello_epoch <> :epoch AND revoked = 0`;
const SITE_FIELDS = { ...KNOWN_FIELDS, journalCounter: sites.journalCounter, isOwing: condition };
/** Milliseconds of statements between two turns of the event loop; one statement takes up to 10 ms. */
const SLICE_MS = 5;
/** Rows that one statement settles: each fires triggers, at some 10 µs. */
const ROWS_AT_ONCE = 500;
/** Runs a statement of hello's transaction, and lets the event loop turn after a slice. */
type Run = (sql: string, more?: { ids: string }) => Promise<ResultSet>;
/** SQL that finds rows of the site, and SQL that settles some of them. */
const settleWhere = (outcome: Settlement, where: string) => ({
  find: `SELECT id FROM deliveries WHERE site = :site AND ${where}`,
  settle: `UPDATE deliveries SET ${settle(outcome)}, updated_at = :now
    WHERE id IN (SELECT value FROM json_each(:ids)) RETURNING campaign`,
});
const OFFERED_BACK = settleWhere(
  notTapped(MOVED_BY.edge, "'offer_not_confirmed'"),
  "state = 'leased' AND acked_at IS NULL",
);
// NOT IN reads the list once, however many rows the site holds: a list of 5,000 beside 600 held rows took 1.4 s.
const JOURNAL_LOST = settleWhere(
  { state: "'unknown'", by: MOVED_BY.journalLost, reason: "'journal_lost'" },
  `state = 'leased' AND acked_at IS NOT NULL
    AND (token, phone) NOT IN (SELECT value->>'token', value->>'phone' FROM json_each(:open))`,
);
// Includes rows that were already unknown: a restored journal may list as untapped rows that its original has tapped.
const JOURNAL_DOUBTED = settleWhere(
  { state: "'unknown'", by: MOVED_BY.journalDoubted, reason: "'journal_doubted'" },
  `((state = 'leased' AND acked_at IS NOT NULL)
    OR (campaign IN (SELECT id FROM campaigns WHERE unknown_count > 0) AND state = 'unknown'
      AND by IN (${MOVED_BY.site}, ${MOVED_BY.clockOrRevoked}, ${MOVED_BY.journalLost})))`,
);
const RESENDS_DOUBTED = "UPDATE resends SET doubted = 1 WHERE site = :site AND known = 0";
/** An older agent does not report what was tried with its phones, and is not asked for it. */
const TRIALS_UNKNOWN = "UPDATE devices SET trial = NULL WHERE site = :site AND trial IS NOT NULL";
const HEARD = `UPDATE sites SET hello_epoch = :epoch, journal_id = :journalId, journal_counter = :counter,
    agent_version = :agentVersion, item_texts = :itemTexts, draining = 0, last_seen_at = :now WHERE id = :site`;
// Rows cancelled, paused or suppressed while the site was away: their recall reached nobody.
const STILL_WANTED = `SELECT d.token, d.phone FROM deliveries d JOIN campaigns c ON c.id = d.campaign
  WHERE d.site = :site AND d.state = 'leased' AND c.status IN ('processing', 'active')
    AND NOT EXISTS (SELECT 1 FROM suppressions s WHERE s.phone = d.phone AND s.client IN (0, c.client))`;

/**
 * Settles the rows that a site held before this connection:
 * - Only offered: queued again.
 * - Listed by its journal: left to the site.
 * - Lost by its journal: unknown.
 *
 * An older or foreign journal stops the site. A mark of a later state than the database's own stops all leasing.
 * Returns the waiting rows that the site must give up.
 *
 * @throws SupersededError
 */
export async function handleHello(
  ctx: EdgeContext,
  connection: SiteConnection,
  hello: HelloFrame,
): Promise<HelloAckFrame> {
  const now = ctx.now();
  const open = hello.open.map((row) => ({ token: row.token, phone: toDigits(row.phone) }));
  const { journalId, agentVersion } = hello;
  const counter = counterOf(hello);
  const heldStopped = agentCan(hello, "follows_stops") ? hello.stopped ?? [] : null;
  // A mark that we did not seal shows nothing: a site that lies stops no fleet.
  const mark = hello.mark !== undefined && isGenuine(ctx, connection.site, hello.mark) ? hello.mark : null;
  const itemTexts = agentCan(hello, "item_text");
  const args = {
    ...connection,
    now,
    journalId,
    counter,
    agentVersion,
    itemTexts,
    open: JSON.stringify(open),
  };
  const { wanted, stopped, given } = await inTransaction(ctx.db, async (tx) => {
    const yieldToEventLoop = createYieldToEventLoop({ turn: turnByTimer, sliceMs: SLICE_MS });
    const run: Run = async (sql, more) => {
      const result = await tx.execute(statement(sql, { ...args, ...more }));
      await yieldToEventLoop();
      return result;
    };
    const [site] = rowsAs(await run(SITE), SITE_FIELDS);
    if (site === undefined || hello.epoch !== connection.epoch) throw new SupersededError(connection);
    if (mark !== null && showsLaterState(site, mark, journalId)) {
      await tx.execute(noteOlderDatabase(connection.site, now));
      ctx.log.warn("older_database_noticed", { site: connection.site });
    }
    const doubted = isDoubted(site, hello);
    if (doubted) {
      await run(RESENDS_DOUBTED);
      await stopSite(tx, { site: connection.site, reason: "journal_doubted", message: DOUBTED_MESSAGE }, now);
    }
    // Nobody knows which messages the site's earlier journal sent in the lost time of a restored database.
    if (site.isOwing && site.journalId !== null && site.journalId !== journalId) {
      await pauseUnreported(tx, now);
    }
    const back = await settleAll(run, OFFERED_BACK);
    const moved = [...back, ...await settleAll(run, doubted ? JOURNAL_DOUBTED : JOURNAL_LOST)];
    await run(HEARD);
    if (!agentCan(hello, "reports_trials")) await run(TRIALS_UNKNOWN);
    if (moved.length > 0) await tx.execute(progressEvents(moved, now));
    const stopped = await exchangeStops(tx, { site: connection.site, stopped: heldStopped, now });
    const [still, given] = await tx.batch([statement(STILL_WANTED, args), giveMark(connection)]);
    await yieldToEventLoop();
    const { token, phone } = deliveries;
    const wanted = new Set(
      rowsAs(still!, { token, phone }).map((row) => `${row.token} ${toWirePhone(row.phone)}`),
    );
    return { wanted, stopped, given };
  });
  ctx.wakeOutbox();
  const drop = listDropped(hello, wanted);
  return {
    type: "helloAck",
    epoch: connection.epoch,
    drop,
    ...(heldStopped && { stopped }),
    ...sealMark(ctx, given),
  };
}

/** Settles the rows in parts and returns their campaigns, one for each row. */
async function settleAll(run: Run, { find, settle }: ReturnType<typeof settleWhere>): Promise<number[]> {
  const ids = (await run(find)).rows.map(({ id }) => id);
  const campaigns: number[] = [];
  while (ids.length > 0) {
    const settled = await run(settle, { ids: JSON.stringify(ids.splice(0, ROWS_AT_ONCE)) });
    campaigns.push(...campaignsOf(settled));
  }
  return campaigns;
}

/** Returns whether the agent of this hello has the feature; an agent of the previous release names none. */
function agentCan({ features = [] }: HelloFrame, feature: AgentFeature): boolean {
  return features.includes(feature);
}

/** Returns true for a restored copy, which knows less than the site reported, and for a foreign journal with rows. */
function isDoubted(site: RowAs<typeof SITE_FIELDS>, hello: HelloFrame): boolean {
  if (site.journalId === null) return false;
  if (site.journalId !== hello.journalId) return hello.open.length > 0;
  return counterOf(hello) < site.journalCounter;
}

/**
 * Returns the counter to compare and then store. A process repeats the counter from its journal's opening until one
 * of its hellos was answered. Its next frame carries the changes since.
 */
function counterOf({ counterAtOpen, journalCounter }: HelloFrame): number {
  return counterAtOpen ?? journalCounter;
}

function listDropped({ open }: HelloFrame, wanted: ReadonlySet<string>): HelloAckFrame["drop"] {
  const phonesOf = new Map<string, string[]>();
  for (const { token, phone, at } of open) {
    if (at !== "held" || wanted.has(`${token} ${phone}`)) continue;
    const phones = phonesOf.get(token);
    if (phones) phones.push(phone);
    else phonesOf.set(token, [phone]);
  }
  return [...phonesOf].map(([token, phones]) => ({ token, phones }));
}
