import type { InStatement, Transaction } from "@libsql/client/web";
import { type AgentFrame, MAX_SITE_ACCOUNTS, MAX_SITE_DEVICES, type Outcome } from "shared/agent_protocol.ts";
import { MOVED_BY } from "shared/delivery.ts";
import type { EdgeContext } from "../context.ts";
import { NOTE_TOLD } from "../health/unconfirmed_words.ts";
import { KEEPS_REACHES, REACHED } from "./lost_reaches.ts";
import { alertEvents } from "../events/alert.ts";
import { FENCE, type SiteConnection, SupersededError } from "../queue/fence.ts";
import { localDay } from "../time/local_day.ts";
import { inTransaction } from "../db/in_transaction.ts";
import { CANCEL_REASON, land, notTapped } from "../deliveries/land.ts";
import { pauseForgotten } from "../queue/pause_untold.ts";
import { progressEvents } from "../events/progress_event.ts";
import { recallWhere } from "../deliveries/recall.ts";
import { statement } from "../db/statement.ts";
import { toDigits } from "../numbers/wire_phone.ts";
import { WORK_WAITING } from "../events/work_waiting.ts";

export type OutcomesFrame = Extract<AgentFrame, { type: "outcomes" }>;

const HOUR_MS = 60 * 60_000;
/** Later attempts are numbered on from a told one: far above a delivery's attempts, far below an integer's bound. */
const MAX_ATTEMPT = 1_000_000;

const LOOK = `SELECT ${FENCE} AS fenced, (SELECT value FROM system WHERE key = 'generation') AS generation,
  (SELECT told_generation FROM sites WHERE id = :site) AS told,
  (SELECT answered_generation FROM sites WHERE id = :site) AS answered, ${KEEPS_REACHES} AS keeps`;
// A phone that the lost time first saw is known by nothing but what was sent with it, until its site shows it: that
// counts against its day all the same.
const OF_ACCOUNTS = "FROM (SELECT DISTINCT value AS key FROM json_each(:accounts))";
const KNOW_DEVICES = `INSERT INTO devices (site, key, address, state, first_seen_at, updated_at)
  SELECT DISTINCT :site, substr(key, 1, instr(key, '/') - 1), '', 'offline', :now, :now ${OF_ACCOUNTS}
  WHERE (SELECT count(*) FROM devices WHERE site = :site) < ${MAX_SITE_DEVICES}
  ON CONFLICT (site, key) DO NOTHING`;
const KNOW_ACCOUNTS = `INSERT INTO accounts (device, site, key, state, first_seen_at, updated_at)
  SELECT d.id, :site, a.key, 'unreachable', :now, :now ${OF_ACCOUNTS} a
    JOIN devices d ON d.site = :site AND d.key = substr(a.key, 1, instr(a.key, '/') - 1)
  WHERE (SELECT count(*) FROM accounts WHERE site = :site) < ${MAX_SITE_ACCOUNTS}
  ON CONFLICT (site, key) DO NOTHING`;
/** A site that tells more attempts of one delivery lies: they are not kept. */
const MOST_ATTEMPTS = 50;
const fewOf = (table: "attempts" | "resends") =>
  `(SELECT count(*) FROM ${table} f WHERE f.campaign = :campaign AND f.phone = :phone) < ${MOST_ATTEMPTS}`;
const KEEP = `INSERT OR IGNORE INTO attempts
    (campaign, phone, attempt, token, site, account, outcome, tapped_at, at)
  SELECT campaign, phone, :attempt, :token, :site,
    (SELECT id FROM accounts WHERE site = :site AND key = :account), :outcome, :tappedAt, :now
  FROM deliveries WHERE campaign = :campaign AND phone = :phone AND ${fewOf("attempts")}`;
/** What an insertion into `account_days` does where the account's day has a row. */
const ONE_MORE = `ON CONFLICT (account, day) DO UPDATE SET used = used + 1, hour = max(hour, excluded.hour),
    hour_used = CASE WHEN hour > excluded.hour THEN hour_used WHEN hour = excluded.hour THEN hour_used + 1 ELSE 1 END`;
// The lease that paid for this attempt is lost with its time, unless the row still stands where that lease led it.
// Follows KEEP. What the lost time wrote to people whose rows it added is told with each answer, and kept nowhere: a
// site that begins its answer again pays for it again, and its phones rest sooner.
const CHARGE = `INSERT INTO account_days (account, day, used, hour, hour_used)
  SELECT id, :day, 1, :hour, 1 FROM accounts
  WHERE (changes() = 1 OR NOT EXISTS (SELECT 1 FROM deliveries WHERE campaign = :campaign AND phone = :phone))
    AND site = :site AND key = :account
    AND NOT EXISTS (SELECT 1 FROM deliveries WHERE campaign = :campaign AND phone = :phone AND token = :token
      AND state IN ('leased', 'sent', 'failed', 'unknown'))
  ${ONE_MORE}`;
// A slow clock dates to another day what was sent today: where the site knows no time of the edge's, room of both days is
// taken. Follows CHARGE.
const CHARGE_TODAY = `INSERT INTO account_days (account, day, used, hour, hour_used)
  SELECT id, :today, 1, :hourNow, 1 FROM accounts
  WHERE changes() = 1 AND :edgeAt IS NULL AND :day <> :today AND site = :site AND key = :account
  ${ONE_MORE}`;
// Of two attempts that may have been tapped the row keeps the later, and the earlier goes to the resends: what a site
// still says of it is heard as after any resend (rule 12). A person resent it in the lost time, or a site that was
// written off came back after another had taken its place.
const DOUBT =
  "INSERT OR IGNORE INTO resends (campaign, phone, attempt, token, site, known, doubted, user, at)";
const OTHER = "campaign = :campaign AND phone = :phone AND NOT (token IS :token AND site IS :site)";
/** Nobody knows whose resend it was. */
const SOMEBODY = 0;
const DOUBT_THE_ROWS = `${DOUBT}
  SELECT campaign, phone, attempt, token, site, by = ${MOVED_BY.earlierDoubt}
      OR (by <> ${MOVED_BY.journalDoubted} AND EXISTS (SELECT 1 FROM attempts a WHERE a.campaign = d.campaign
        AND a.phone = d.phone AND a.token = d.token AND a.by = ${MOVED_BY.site} AND a.outcome IN ('void', 'failed'))),
    by = ${MOVED_BY.journalDoubted}, ${SOMEBODY}, :now
  FROM deliveries d WHERE ${OTHER} AND attempt <= :attempt AND token IS NOT NULL AND site IS NOT NULL
    AND (state = 'unknown' OR (state = 'leased' AND acked_at IS NOT NULL)
      OR (state IN ('sent', 'failed') AND by = ${MOVED_BY.person})) AND (site <> :site OR ${
  fewOf("resends")
})`;
const DOUBT_THIS = `${DOUBT}
  SELECT campaign, phone, :attempt, :token, :site, 0, 0, ${SOMEBODY}, :now
  FROM deliveries WHERE ${OTHER} AND attempt > :attempt AND ${fewOf("resends")}`;
// Follows each of the two, of which one finds the row at most.
const RESENT = `UPDATE deliveries SET resent = resent + 1
  WHERE campaign = :campaign AND phone = :phone AND changes() > 0`;
// While an earlier attempt is in doubt the row is unknown, unless a person decided.
const UNREST =
  `UPDATE deliveries SET state = 'unknown', by = ${MOVED_BY.earlierDoubt}, reason = 'earlier_attempt_open',
    updated_at = :now
  WHERE ${OTHER} AND attempt > :attempt AND by <> ${MOVED_BY.person} AND state IN ('skipped', 'cancelled', 'failed')
    AND EXISTS (SELECT 1 FROM resends r
      WHERE r.campaign = :campaign AND r.phone = :phone AND r.token = :token AND r.site = :site AND r.known = 0)`;
// Two attempts of one number: the row's is the later one, under a number of its own.
const NUMBER_APART = `UPDATE deliveries SET attempt = attempt + 1
  WHERE campaign = :campaign AND phone = :phone AND token = :token AND site = :site AND EXISTS (SELECT 1 FROM resends r
    WHERE r.campaign = :campaign AND r.phone = :phone AND r.attempt = deliveries.attempt AND r.token <> :token)`;
const EARLIER_UNTAPPED = `UPDATE resends SET known = 1
  WHERE campaign = :campaign AND phone = :phone AND token = :token AND site = :site AND known = 0 AND doubted <> 1`;
// Numbers of attempts go on from where the lost time left them.
const COUNT =
  `UPDATE deliveries SET attempt = max(attempt, :attempt) WHERE campaign = :campaign AND phone = :phone`;
// Cancelling counted and refunded these, and a later slice would have flipped them.
const FLIP = `UPDATE deliveries SET state = 'cancelled', by = ${MOVED_BY.edge}, updated_at = :now,
    reason = (SELECT ${CANCEL_REASON} FROM campaigns c WHERE c.id = deliveries.campaign)
  WHERE campaign = :campaign AND phone = :phone AND state = 'queued' AND resent = 0
    AND (SELECT status FROM campaigns c WHERE c.id = deliveries.campaign) = 'cancelled'`;
const RECALL = recallWhere("campaign = :campaign AND phone = :phone AND token <> :token");
const RECALL_EARLIER = recallWhere(
  "campaign = :campaign AND phone = :phone AND token <> :token AND attempt <= :attempt",
);
// The attempt becomes the row's own: what the site says of it later is heard. No room comes back for it.
const ADOPT = "token = :token, site = :site, account = NULL, leased_day = NULL";
const SENT = `UPDATE deliveries SET state = 'sent', by = ${MOVED_BY.site}, reason = NULL, ${ADOPT},
    tapped_at = :tappedAt, updated_at = :now
  WHERE campaign = :campaign AND phone = :phone AND (state <> 'sent' OR by = ${MOVED_BY.person})`;
// The two follow SENT: no trigger counts it, since the row has lost its account. It counts in the hour in which it was
// sent, which no tick adds up again.
const HOUR_OF_ACCOUNT = `INSERT INTO account_hours (hour, account, sent)
  SELECT :hour, id, 1 FROM accounts WHERE changes() = 1 AND site = :site AND key = :account
  ON CONFLICT (hour, account) DO UPDATE SET sent = sent + 1`;
const HOUR_OF_FLEET = `INSERT INTO fleet_hours (hour, sent) SELECT :hour, 1 WHERE changes() = 1
  ON CONFLICT (hour) DO UPDATE SET sent = sent + 1`;
// The site will report what it still has in hand under the row's own token. A later attempt of the row says that this one
// has ended: an answer told twice must not take a delivery from the site that holds it now.
const UNKNOWN = `UPDATE deliveries SET state = 'unknown', by = ${MOVED_BY.site}, reason = 'send_not_verified',
    ${ADOPT}, tapped_at = :tappedAt, updated_at = :now
  WHERE campaign = :campaign AND phone = :phone AND attempt = :attempt
    AND (state IN ('queued', 'skipped', 'cancelled') OR (NOT (token IS :token AND site IS :site)
      AND (state = 'leased' OR (state = 'failed' AND by <> ${MOVED_BY.person}))))`;
// The row was left by an attempt before this one, which has ended: it is this one's end that is still to be heard.
const TAKE_OVER = `UPDATE deliveries SET ${ADOPT}
  WHERE campaign = :campaign AND phone = :phone AND attempt = :attempt AND NOT (token = :token AND site = :site)
    AND (state = 'unknown' OR (state IN ('sent', 'failed') AND by = ${MOVED_BY.person}))`;
// A word about a row that another site holds is neither believed nor dropped: if it were dropped, the holder's archived
// `void` would queue the row again. It contests the row once; told again, or of a contested row, it is evidence alone.
const CONTESTED = 2;
const OWN_DOUBT = `SELECT r.doubted FROM resends r WHERE r.campaign = d.campaign AND r.phone = d.phone
  AND r.token = i.value->>'token' AND r.site = :site`;
const IS_CONTESTED = `d.state = 'unknown' AND d.site <> :site AND EXISTS (SELECT 1 FROM resends r
  WHERE r.campaign = d.campaign AND r.phone = d.phone AND r.known = 0 AND r.doubted = ${CONTESTED})`;
const LOOK_WHO_HOLDS = `SELECT i.key AS no, CASE
    WHEN d.state = 'leased' AND d.site <> :site AND (${OWN_DOUBT}) IS NULL THEN 'held'
    WHEN (${OWN_DOUBT}) = ${CONTESTED} OR (${IS_CONTESTED} AND (${OWN_DOUBT}) IS NULL) THEN 'contested' END AS stands
  FROM json_each(:items) i JOIN deliveries d
    ON d.campaign = i.value->>'campaign' AND d.phone = i.value->>'phone'`;
const OF_ROW = "campaign = :campaign AND phone = :phone";
// What the holder has acknowledged is in doubt as well. The row is left to neither attempt: the end of one says nothing
// about the other.
const DOUBT_HOLDER = `${DOUBT}
  SELECT campaign, phone, attempt, token, site, 0, 0, ${SOMEBODY}, :now
  FROM deliveries WHERE ${OF_ROW} AND state = 'leased' AND acked_at IS NOT NULL AND site <> :site`;
const NO_ATTEMPT = "0".repeat(32);
const CONTEST = `${DOUBT}
  SELECT campaign, phone,
    coalesce((SELECT max(r.attempt) + 1 FROM resends r WHERE r.campaign = d.campaign AND r.phone = d.phone
      HAVING sum(r.attempt = :attempt) > 0), :attempt),
    :token, :site, 0, ${CONTESTED}, ${SOMEBODY}, :now
  FROM deliveries d WHERE ${OF_ROW} AND state = 'leased' AND site <> :site`;
const LEAVE_OPEN =
  `UPDATE deliveries SET state = 'unknown', by = ${MOVED_BY.earlierDoubt}, reason = 'earlier_attempt_open',
    token = '${NO_ATTEMPT}', resent = resent + 1, updated_at = :now,
    attempt = max(attempt, (SELECT max(r.attempt) + 1 FROM resends r WHERE r.campaign = :campaign AND r.phone = :phone))
  WHERE ${OF_ROW} AND state = 'leased' AND site <> :site
    AND EXISTS (SELECT 1 FROM resends r WHERE r.campaign = :campaign AND r.phone = :phone AND r.token = :token
      AND r.site = :site)
  RETURNING 1 AS contested`;
const TOLD_OF_OTHERS = "אתר דיווח על הודעות שהיו בידי אתר אחר. הן סומנו כלא ידוע. נא לבדוק את האתר.";
const WAS_SENT = [KEEP, CHARGE, COUNT, RECALL, FLIP, SENT, HOUR_OF_ACCOUNT, HOUR_OF_FLEET];
const WAS_CONTESTED = [KEEP, CHARGE, DOUBT_HOLDER, CONTEST, RECALL, LEAVE_OPEN];
const MAYBE_SENT = [
  ...[KEEP, CHARGE, RECALL_EARLIER, FLIP, DOUBT_THE_ROWS, RESENT, DOUBT_THIS, RESENT, UNREST, COUNT],
  ...[UNKNOWN, TAKE_OVER, NUMBER_APART],
];
// The journal was not lost: it had told this attempt's end before, to the database of the lost time.
const TOLD_BEFORE = `campaign = :campaign AND phone = :phone AND token = :token AND site = :site
    AND state = 'unknown' AND by = ${MOVED_BY.journalLost}`;
const untapped = notTapped(MOVED_BY.site, "NULL");
const ENDED = `UPDATE deliveries SET
    ${
  land({
    ...untapped,
    state: `CASE :outcome WHEN 'failed' THEN 'failed' ELSE ${untapped.state} END`,
    reason: `CASE :outcome WHEN 'failed' THEN NULL ELSE ${untapped.reason} END`,
  })
}, updated_at = :now
  WHERE ${TOLD_BEFORE}`;
// As of any late report that it was never tapped; what is queued or cancelled a trigger returns.
const RETURN_CAP = `UPDATE account_days SET used = used - 1
  WHERE changes() = 1 AND :outcome = 'void' AND (account, day) = (SELECT account, leased_day FROM deliveries
    WHERE campaign = :campaign AND phone = :phone AND state NOT IN ('queued', 'cancelled'))`;
const NOT_SENT = [KEEP, COUNT, EARLIER_UNTAPPED, ENDED, RETURN_CAP];
/** Outcomes in one round trip: a remote database ends a transaction that takes one for each. */
const AT_ONCE = 50;
const ANSWERED =
  "UPDATE sites SET answered_generation = :generation, told_generation = :generation WHERE id = :site";
// Leasing begins again with the last answer. Each site that is told asks at once: a thousand told a thousand times
// would ask a million times.
const BEGIN_AGAIN = `${WORK_WAITING} WHERE NOT EXISTS (
  SELECT 1 FROM sites WHERE revoked = 0 AND public_key IS NOT NULL AND answered_generation IS NOT :generation)`;

/**
 * Takes what a site did in the time a restored database has lost. What it sent is sent whatever the row says, unless
 * another site holds the row: then it is unknown, and administrators are told. What it may have sent is unknown unless
 * the row knows better; the rest is evidence. No campaign is sent or charged that its owner had not sent.
 *
 * The last frame answers the generation. An answer to an older generation is passed over, and so is what a site adds
 * after its last frame: these frames move rows that never were its own.
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
    const { rows: [present] } = await tx.execute(statement(LOOK, { ...connection }));
    if (!present.fenced) throw new SupersededError(connection);
    if (present.generation !== generation || present.told === generation) return;
    let contested = 0;
    for (let from = 0; from < items.length; from += AT_ONCE) {
      const some = items.slice(from, from + AT_ONCE);
      contested += await takeSome(tx, { site: connection.site, now, keeps: present.keeps === 1 }, some);
    }
    if (contested > 0) await tx.batch(toldOfOthers(connection.site, now));
    if (items.length > 0) await tx.execute(progressEvents(items.map((item) => item.campaign), now));
    if (!last) return;
    await tx.execute(statement(ANSWERED, { site: connection.site, generation }));
    // The site may have been away for long before it told.
    await pauseForgotten(tx, now);
    if (present.answered !== generation) await tx.execute(statement(BEGIN_AGAIN, { now, generation }));
  });
  ctx.wakeOutbox();
}

interface Teller {
  site: number;
  now: number;
  /** Whether the people it reached are kept (lost_reaches.ts). */
  keeps: boolean;
}

/** Takes outcomes in two round trips; returns how many rows of other sites became unknown. */
async function takeSome(
  tx: Transaction,
  teller: Teller,
  items: OutcomesFrame["items"],
): Promise<number> {
  const told = items.map((item) => ({
    ...item,
    phone: toDigits(item.phone),
    outcome: item.outcome === "tapping" ? "unknown" as const : item.outcome,
    attempt: Math.min(item.attempt, MAX_ATTEMPT),
    // Nothing was done later than now, and no day is later.
    tappedAt: Math.min(item.edgeAt ?? item.at, teller.now),
  }));
  const places = told.map(({ campaign, phone, token }) => ({ campaign, phone, token }));
  const { rows } = await tx.execute(
    statement(LOOK_WHO_HOLDS, { site: teller.site, items: JSON.stringify(places) }),
  );
  const stands = new Map(rows.map((row) => [Number(row.no), row.stands]));
  const answers = await tx.batch(outcomeStatements(teller, told, stands));
  return answers.reduce((sum, { columns, rows }) => sum + (columns[0] === "contested" ? rows.length : 0), 0);
}

interface ToldOutcome extends Omit<OutcomesFrame["items"][number], "phone" | "outcome"> {
  /** Digits. */
  phone: number;
  outcome: Outcome;
  tappedAt: number;
}

function outcomeStatements(
  { site, now, keeps }: Teller,
  items: readonly ToldOutcome[],
  stands: ReadonlyMap<number, unknown>,
): InStatement[] {
  const maybeTapped = items.filter(({ outcome }) => outcome !== "failed" && outcome !== "void");
  const accounts = JSON.stringify(maybeTapped.flatMap(({ account }) => account ?? []));
  return [
    ...[KNOW_DEVICES, KNOW_ACCOUNTS].map((sql) => statement(sql, { site, now, accounts })),
    ...items.flatMap((item, no) => {
      const args = {
        ...item,
        edgeAt: item.edgeAt ?? null,
        today: localDay(now),
        hourNow: Math.floor(now / HOUR_MS),
        site,
        now,
        keeps,
        day: localDay(item.tappedAt),
        hour: Math.floor(item.tappedAt / HOUR_MS),
      };
      const ways = waysOf(item.outcome, stands.get(no));
      const kept = ways === NOT_SENT ? [] : [REACHED];
      const charged = ways.flatMap((sql) => sql === CHARGE ? [CHARGE, CHARGE_TODAY] : [sql]);
      return [...kept, ...charged].map((sql) => statement(sql, args));
    }),
    ...maybeTapped.map(({ campaign, phone, token, account }) =>
      statement(NOTE_TOLD, { campaign, phone, token, account, site })
    ),
  ];
}

function waysOf(outcome: Outcome, stands: unknown): readonly string[] {
  if (outcome === "failed" || outcome === "void") return NOT_SENT;
  if (stands === "held") return WAS_CONTESTED;
  if (stands === "contested") return [KEEP, CHARGE];
  return outcome === "sent" ? WAS_SENT : MAYBE_SENT;
}

function toldOfOthers(site: number, now: number): InStatement[] {
  return alertEvents({ code: "told_of_others", message: TOLD_OF_OTHERS, site }, now);
}
