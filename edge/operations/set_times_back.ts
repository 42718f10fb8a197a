/**
 * Sets back times that an edge wrote while its clock was ahead. Most of them have an effect until they pass: a rest,
 * a throttle, a session, a silence.
 */
import type { EdgeContext } from "../context.ts";
import { MAX_SEND_DELAY_SECONDS } from "shared/campaign.ts";
import { FIRST_PASSWORD_MS } from "../auth/first_password.ts";
import { JOIN_TOKEN_MS } from "../sites/join_token.ts";
import { NUMBERS_SHOWN_MS } from "shared/privacy.ts";
import { OLD_SECRET_HOURS } from "shared/webhook_event.ts";
import { localDay, localMidnight } from "../time/local_day.ts";
import { TRENDS_COUNTED } from "../time/trends_counted.ts";
import { statement } from "../db/statement.ts";
import { LONGEST_WAIT_MS } from "../webhooks/try_call.ts";

/** Clocks of edges may differ by a minute; a wrong clock wrote anything further ahead. */
const AHEAD_MS = 10 * 60_000;
const HOUR_MS = 60 * 60_000;

/** One kind of such times. */
interface Rule {
  name: string;
  /** SQL: returns a row when there is any. */
  any: string;
  mend: readonly string[];
}

/** Sets columns with the time of an event back to now. `among` (SQL) narrows the search. */
function happened(table: string, columns: readonly string[], among = "1"): Rule {
  const mend = columns.map((column) =>
    `UPDATE ${table} SET ${column} = :now WHERE ${column} > :ahead AND ${among}`
  );
  const isAhead = columns.map((column) => `${column} > :ahead`).join(" OR ");
  return { name: table, any: `SELECT 1 FROM ${table} WHERE (${isAhead}) AND ${among}`, mend };
}

/** Shortens a column with an end time, which is at most `lastsMs` (SQL) from now. */
function lasts(table: string, column: string, lastsMs: number | string, among = "1"): Rule {
  const isAhead = `${column} > :ahead + ${lastsMs} AND ${among}`;
  return {
    name: `${table}.${column}`,
    any: `SELECT 1 FROM ${table} WHERE ${isAhead}`,
    mend: [`UPDATE ${table} SET ${column} = :now + ${lastsMs} WHERE ${isAhead}`],
  };
}

// Room used on a later day belongs to today; otherwise today's cap would be given twice.
const DAYS_AHEAD =
  `SELECT t.rowid FROM accounts a JOIN account_days t ON t.account = a.id AND t.day > :lastDay`;
const FOLD_DAYS = `INSERT INTO account_days (account, day, used, given, hour, hour_used)
  SELECT account, :day, sum(used), sum(given), :hour, sum(hour_used) FROM account_days
  WHERE rowid IN (${DAYS_AHEAD}) GROUP BY account
  ON CONFLICT (account, day) DO UPDATE SET used = used + excluded.used, given = given + excluded.given,
    hour_used = iif(hour = excluded.hour, hour_used, 0) + excluded.hour_used, hour = excluded.hour`;
const LEASED_AHEAD = "state = 'leased' AND leased_at > :ahead";
const FOLD_HOURS = `INSERT INTO account_hours (hour, account, sent, failed, absent, unknown)
  SELECT :hour, account, sum(sent), sum(failed), sum(absent), sum(unknown) FROM account_hours
  WHERE hour > :lastHour GROUP BY account
  ON CONFLICT (hour, account) DO UPDATE SET sent = sent + excluded.sent, failed = failed + excluded.failed,
    absent = absent + excluded.absent, unknown = unknown + excluded.unknown`;
const FOLD_CLIENT_HOURS = `INSERT INTO client_hours (hour, client, sent, failed, unknown)
  SELECT :hour, client, sum(sent), sum(failed), sum(unknown) FROM client_hours
  WHERE hour > :lastHour GROUP BY client
  ON CONFLICT (hour, client) DO UPDATE SET sent = sent + excluded.sent, failed = failed + excluded.failed,
    unknown = unknown + excluded.unknown`;
const FOLD_FLEET = `INSERT INTO fleet_hours (hour, sent) SELECT :hour, sum(sent) FROM fleet_hours
  WHERE hour > :lastHour HAVING count(*) > 0
  ON CONFLICT (hour) DO UPDATE SET sent = sent + excluded.sent`;

/** Run every minute: each query uses an index or a small table. */
const RULES: readonly Rule[] = [
  {
    name: "leases",
    any: `SELECT 1 FROM deliveries WHERE ${LEASED_AHEAD}`,
    mend: [`UPDATE deliveries SET leased_at = :now, leased_day = :day WHERE ${LEASED_AHEAD}`],
  },
  happened("deliveries", ["acked_at"], "state = 'leased'"),
  {
    name: "account_days",
    any: DAYS_AHEAD,
    mend: [FOLD_DAYS, `DELETE FROM account_days WHERE rowid IN (${DAYS_AHEAD})`],
  },
  {
    name: "account_hours",
    any: "SELECT 1 FROM account_hours WHERE hour > :lastHour",
    mend: [FOLD_HOURS, "DELETE FROM account_hours WHERE hour > :lastHour"],
  },
  {
    name: "client_hours",
    any: "SELECT 1 FROM client_hours WHERE hour > :lastHour",
    mend: [FOLD_CLIENT_HOURS, "DELETE FROM client_hours WHERE hour > :lastHour"],
  },
  {
    // Days that have not ended were counted as ended; their hours are in the current one now.
    name: "trends",
    any: `SELECT 1 FROM system WHERE key = '${TRENDS_COUNTED}' AND CAST(value AS INTEGER) > :lastHour`,
    mend: [
      "DELETE FROM account_trends WHERE day >= :day",
      "DELETE FROM client_trends WHERE day >= :day",
      `UPDATE system SET value = :todayHour WHERE key = '${TRENDS_COUNTED}'`,
    ],
  },
  {
    name: "fleet_hours",
    any: "SELECT 1 FROM fleet_hours WHERE hour > :lastHour",
    mend: [FOLD_FLEET, "DELETE FROM fleet_hours WHERE hour > :lastHour"],
  },
  {
    name: "account_scores",
    any: "SELECT 1 FROM accounts a JOIN account_scores t ON t.account = a.id AND t.day > :lastDay",
    mend: ["DELETE FROM account_scores WHERE day > :lastDay"],
  },
  happened("sites", ["last_seen_at", "reachable_since", "superseded_since", "unconfirmed_seen_at"]),
  happened("devices", ["first_seen_at", "proof_at", "state_since", "trial_since"]),
  happened("accounts", ["banned_at", "first_seen_at", "last_leased_at", "last_sent_at", "state_since"]),
  {
    name: "accounts.first_installed_at",
    any: "SELECT 1 FROM accounts WHERE first_installed_at > :ahead",
    mend: ["UPDATE accounts SET first_installed_at = NULL WHERE first_installed_at > :ahead"],
  },
  happened("breaker_trips", ["at", "released_at"]),
  happened("campaign_marks", ["at"]),
  happened("commands", ["created_at"], "status = 'waiting'"),
  happened("sessions", ["created_at", "last_seen_at"]),
  happened("login_attempts", ["first_at"]),
  lasts("users", "first_password_until", FIRST_PASSWORD_MS),
  lasts("join_tokens", "expires_at", JOIN_TOKEN_MS),
  lasts("number_views", "until", NUMBERS_SHOWN_MS),
  lasts("campaigns", "pilot_until", "pilot_wait_ms", "status IN ('processing', 'active', 'paused')"),
  happened("campaigns", ["send_at"], "status IN ('processing', 'active', 'paused')"),
  lasts(
    "campaigns",
    "starts_at",
    MAX_SEND_DELAY_SECONDS * 1000,
    "status IN ('processing', 'paused') AND first_leased_at IS NULL",
  ),
  happened("campaigns", ["completed_at"], "completed_at IS NOT NULL AND forgotten_at IS NULL"),
  happened("campaigns", ["created_at"], "test_of IS NOT NULL"),
  happened("imports", ["updated_at"], "status = 'processing'"),
  happened("alert_messages", ["claimed_at", "tried_at", "newest"]),
  happened("alert_quiets", ["at", "newest"]),
  lasts("alert_quiets", "until", 7 * 24 * HOUR_MS),
  lasts("alert_messages", "next_at", HOUR_MS),
  happened("webhook_endpoints", ["planned_at", "failing_since", "arrived_at"]),
  lasts("webhook_endpoints", "secret_before_until", OLD_SECRET_HOURS * HOUR_MS),
  happened("webhook_calls", ["first_at"], "state = 'waiting'"),
  lasts("webhook_calls", "next_at", LONGEST_WAIT_MS, "state = 'waiting'"),
];
/** Run every hour: each query scans a table that may be large. */
const RULES_OF_LARGE_TABLES: readonly Rule[] = [
  happened("recipients", ["last_marketing_at"]),
  happened("senders", ["at"]),
  happened("replies", ["received_at"]),
  happened("imports", ["updated_at"]),
];

/** Sets back the times of a clock that was ahead; a tick. */
export const setTimesBack = (ctx: EdgeContext) => setBack(ctx, RULES);
/** Like setTimesBack(), for the large tables, whose times have an effect for days; a tick. */
export const setLargeTablesBack = (ctx: EdgeContext) => setBack(ctx, RULES_OF_LARGE_TABLES);

/** Queries first, so that an idle tick writes nothing. */
async function setBack(ctx: EdgeContext, rules: readonly Rule[]): Promise<void> {
  const now = ctx.now();
  const ahead = now + AHEAD_MS;
  const times = {
    now,
    ahead,
    day: localDay(now),
    lastDay: localDay(ahead),
    hour: Math.floor(now / HOUR_MS),
    lastHour: Math.floor(ahead / HOUR_MS),
    todayHour: Math.floor(localMidnight(now) / HOUR_MS),
  };
  const looks = rules.map(({ any }, no) => `EXISTS (${any}) AS r${no}`).join(", ");
  const { rows: [found] } = await ctx.db.execute(statement(`SELECT ${looks}`, times));
  const broken = rules.filter((_, no) => found![`r${no}`] === 1);
  if (broken.length === 0) return;
  await ctx.db.batch(broken.flatMap(({ mend }) => mend).map((sql) => statement(sql, times)), "write");
  ctx.log.warn("clock_was_ahead", { mended: broken.map(({ name }) => name).join(" ") });
}
