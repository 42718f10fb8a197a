/** The edge's background duties, on every instance: the database decides which instance runs a duty. */
import { countTrends, HOURS_KEPT, TRENDS_KEPT_MS } from "./admin/count_trends.ts";
import { measureFleet } from "./admin/measure_fleet.ts";
import { watchSites } from "./admin/watch_sites.ts";
import { watchAlerts } from "./alerts/watch_alerts.ts";
import { checkAudit } from "./audit_log/check_tick.ts";
import { sealAudit } from "./audit_log/seal.ts";
import { forgetLoginTries } from "./auth/login_throttle.ts";
import { endExpiredSessions } from "./auth/sessions.ts";
import { logCampaignChanges } from "./campaigns/log_changes.ts";
import { removeDeadImports } from "./contacts/remove_import.ts";
import { endDeadRemovals } from "./contacts/take_out_import.ts";
import type { EdgeContext } from "./context.ts";
import { timeOutCommands } from "./devices/finish_commands.ts";
import { runImports } from "./files/run_imports.ts";
import { watchCampaigns } from "./health/check_campaigns.ts";
import { restAccounts } from "./health/rest_accounts.ts";
import { weighAccounts } from "./devices/weigh_accounts.ts";
import { setLargeTablesBack, setTimesBack } from "./operations/set_times_back.ts";
import { CALLS_KEPT_MS } from "./http/repeatable_call.ts";
import { removeLists } from "./lists/change_lists.ts";
import { forgetContacts } from "./people/forget_contacts.ts";
import { forgetPeople } from "./colleagues/forget_people.ts";
import { dropMessageImages } from "./messages/add_image.ts";
import { settleTests } from "./messages/settle_tests.ts";
import { eraseNumbers } from "./privacy/erase_numbers.ts";
import { forgetNumbers } from "./privacy/forget_numbers.ts";
import { repeatErasures } from "./privacy/repeat_erasures.ts";
import { dropOldStaged } from "./staging/stage_file.ts";
import { dropFrom, type Duty, QUEUE_DUTIES, runDueTicks } from "./queue/ticks.ts";
import { TESTS_KEPT_MS } from "shared/message.ts";
import { TRENDS_COUNTED } from "./time/trends_counted.ts";

type Sleep = (ms: number, signal: AbortSignal) => Promise<void>;

const TICK_MS = 1_000;
const HOUR_MS = 60 * 60_000;
const DAY_MS = 24 * HOUR_MS;
const ACTIVITY_KEPT_MS = 90 * DAY_MS;
const REACHES_KEPT_MS = 30 * DAY_MS;
const SCORES_KEPT_MS = 90 * DAY_MS;
/** How long a key that no longer works is named. */
const KEYS_KEPT_MS = 90 * DAY_MS;

/** An hour stays until the trends have counted its day, however long this edge was stopped. */
const IS_OLD_HOUR = `hour < min(:now / ${HOUR_MS} - ${HOURS_KEPT},
  (SELECT CAST(value AS INTEGER) FROM system WHERE key = '${TRENDS_COUNTED}'))`;
const IS_OLD_TREND = `day < ${utcDay(TRENDS_KEPT_MS)}`;

/** Cleans up after crashes and deadlines, and refreshes the administrators' screens. */
const DUTIES: readonly Duty[] = [
  ...QUEUE_DUTIES,
  { name: "seal_audit", everyMs: 1_000, slice: sealAudit },
  { name: "set_times_back", everyMs: 60_000, slice: once(setTimesBack) },
  { name: "set_large_tables_back", everyMs: HOUR_MS, slice: once(setLargeTablesBack) },
  { name: "watch_campaigns", everyMs: 5_000, slice: once(watchCampaigns) },
  { name: "rest_accounts", everyMs: 15_000, slice: once(restAccounts) },
  { name: "weigh_accounts", everyMs: 5 * 60_000, slice: once(weighAccounts) },
  {
    name: "drop_account_scores",
    everyMs: HOUR_MS,
    slice: dropFrom("account_scores", `day < ${utcDay(SCORES_KEPT_MS)}`),
  },
  { name: "log_campaigns", everyMs: 2_000, slice: once(logCampaignChanges) },
  { name: "watch_sites", everyMs: 5_000, slice: once(watchSites) },
  { name: "measure_fleet", everyMs: 5_000, slice: once(measureFleet) },
  { name: "count_trends", everyMs: 60_000, slice: once(countTrends) },
  { name: "time_out_commands", everyMs: 5_000, slice: once(timeOutCommands) },
  { name: "settle_tests", everyMs: 1_000, slice: settleTests },
  { name: "end_sessions", everyMs: 10_000, slice: once(endExpiredSessions) },
  { name: "erase_numbers", everyMs: 5_000, slice: once(eraseNumbers) },
  { name: "drop_staged", everyMs: 60_000, slice: once(dropOldStaged) },
  { name: "hide_numbers", everyMs: 60_000, slice: dropFrom("number_views", "until < :now") },
  { name: "hide_lists", everyMs: 60_000, slice: dropFrom("list_views", "until < :now") },
  { name: "forget_people", everyMs: HOUR_MS, slice: once(forgetPeople) },
  {
    name: "drop_api_keys",
    everyMs: HOUR_MS,
    slice: dropFrom(
      "api_keys",
      `coalesce(min(revoked_at, expires_at), revoked_at, expires_at) < :now - ${KEYS_KEPT_MS}`,
    ),
  },
  {
    name: "drop_calls",
    everyMs: 60_000,
    slice: dropFrom("repeatable_calls", `began_at <= :now - ${CALLS_KEPT_MS}`),
  },
  { name: "drop_message_images", everyMs: HOUR_MS, slice: dropMessageImages },
  {
    name: "drop_test_messages",
    everyMs: HOUR_MS,
    slice: dropFrom("messages", `delivery IS NULL AND created_at < :now - ${TESTS_KEPT_MS}`),
  },
  { name: "forget_login_tries", everyMs: 10_000, slice: once(forgetLoginTries) },
  { name: "remove_dead_imports", everyMs: 10_000, slice: removeDeadImports },
  { name: "end_dead_removals", everyMs: 10_000, slice: endDeadRemovals },
  {
    name: "drop_reaches",
    everyMs: HOUR_MS,
    slice: dropFrom("lost_reaches", `at < :now - ${REACHES_KEPT_MS}`),
  },
  {
    name: "drop_lost_campaigns",
    everyMs: HOUR_MS,
    slice: dropFrom("lost_campaigns", `at < :now - ${REACHES_KEPT_MS}`),
  },
  { name: "drop_activity", everyMs: HOUR_MS, slice: dropFrom("activity", `at < :now - ${ACTIVITY_KEPT_MS}`) },
  { name: "drop_account_hours", everyMs: HOUR_MS, slice: dropFrom("account_hours", IS_OLD_HOUR) },
  { name: "drop_client_hours", everyMs: HOUR_MS, slice: dropFrom("client_hours", IS_OLD_HOUR) },
  { name: "drop_account_trends", everyMs: HOUR_MS, slice: dropFrom("account_trends", IS_OLD_TREND) },
  { name: "drop_client_trends", everyMs: HOUR_MS, slice: dropFrom("client_trends", IS_OLD_TREND) },
];
/** Run beside the others, because a file may take its four seconds. */
const FILE_DUTIES: readonly Duty[] = [
  { name: "repeat_erasures", everyMs: 5_000, slice: once(repeatErasures) },
  { name: "forget_numbers", everyMs: 60_000, slice: forgetNumbers },
  { name: "forget_contacts", everyMs: 60_000, slice: forgetContacts },
  { name: "remove_lists", everyMs: 10_000, slice: removeLists },
  { name: "check_audit", everyMs: 5 * 60_000, slice: checkAudit },
  { name: "run_imports", everyMs: 1_000, slice: runImports },
  {
    name: "drop_import_chunks",
    everyMs: HOUR_MS,
    slice: dropFrom(
      "import_chunks",
      `import NOT IN (SELECT id FROM imports WHERE updated_at >= :now - ${30 * DAY_MS})`,
    ),
  },
];

/** Run beside the others, because a mail server may take its whole time. */
const OUTSIDE_DUTIES: readonly Duty[] = [
  { name: "watch_alerts", everyMs: 10_000, slice: once(watchAlerts) },
];
const ALL_DUTIES = [DUTIES, FILE_DUTIES, OUTSIDE_DUTIES];

/** Runs due duties every second until `signal` aborts. */
export async function runTicks(ctx: EdgeContext, sleep: Sleep, signal: AbortSignal): Promise<void> {
  await Promise.all(ALL_DUTIES.map((duties) => repeat(ctx, duties, sleep, signal)));
}

/** Runs due duties once: for a platform that suspends idle instances and wakes one now and then. */
export async function runAllDueTicks(ctx: EdgeContext): Promise<void> {
  await Promise.all(ALL_DUTIES.map((duties) => runDueTicks(ctx, duties)));
}

async function repeat(
  ctx: EdgeContext,
  duties: readonly Duty[],
  sleep: Sleep,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    await runDueTicks(ctx, duties);
    await sleep(TICK_MS, signal);
  }
}

/** SQL: the day (yyyymmdd) of this many milliseconds ago; UTC is exact enough for a retention. */
function utcDay(agoMs: number): string {
  return `CAST(strftime('%Y%m%d', (:now - ${agoMs}) / 1000, 'unixepoch') AS INTEGER)`;
}

/** Returns a duty that runs as one slice. */
function once(act: (ctx: EdgeContext) => Promise<void>): Duty["slice"] {
  return async (ctx) => {
    await act(ctx);
    return 0;
  };
}
