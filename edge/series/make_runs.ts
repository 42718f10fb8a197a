import { dayAfter } from "shared/israel_time.ts";
import { type CampaignStatus, MAX_NAME_CHARS, PLAN_MISSED_MS } from "shared/campaign.ts";
import type { RunState, SeriesHold } from "shared/series_api.ts";
import { deleteEmptyDraft } from "../campaigns/remove.ts";
import type { EdgeContext } from "../context.ts";
import { IS_BACKUP_COPY } from "../db/copy_mark.ts";
import { orNull, rowsAs } from "../db/query.ts";
import { LEASED_BY_NEWER } from "../db/release.ts";
import { campaigns, seriesRuns } from "../db/schema.ts";
import { statement } from "../db/statement.ts";
import { rightAfter, STEP_BEFORE_CHANGED, writeBatch } from "../db/write_batch.ts";
import { OUTCOMES_OWED } from "../deliveries/outcomes_owed.ts";
import { errorFields } from "../error_fields.ts";
import { HttpError } from "../http/http_error.ts";
import { takeFromLists } from "../lists/take_from_lists.ts";
import { IS_OLDER_DATABASE } from "../queue/older_database.ts";
import { sendCampaign } from "../queue/send.ts";
import { awaitedArgs, SITES_UNHEARD } from "../queue/start_wait.ts";
import { nextRunFrom } from "./next_run.ts";
import { repeatOf, SERIES_COLUMNS, SERIES_FIELDS } from "./series_row.ts";

/** A run is made this long before it starts: its client sees it, and may change it or call it off. */
const AHEAD_MS = 24 * 60 * 60_000;
/** One edge makes a run for this long; after it another goes on where it was. */
const CLAIM_MS = 10 * 60_000;
/** With the day after it a name is still a valid one. */
const NAME_CHARS = MAX_NAME_CHARS - " · 31.12.2026".length;

const DUE = `SELECT ${SERIES_COLUMNS} FROM series s WHERE hold IS NULL AND ended_at IS NULL
  AND next_at <= :now + ${AHEAD_MS} ORDER BY next_at LIMIT 1`;
// No row = another edge has begun it, or the repeat waits for a person. A database that may be an earlier state of itself
// makes nothing.
const MOVE_ON = `UPDATE series SET next_day = :nextDay, next_at = :nextAt, updated_at = :now,
    ended_at = iif(:nextAt IS NULL, :now, NULL)
  WHERE id = :series AND next_day = :day AND hold IS NULL AND ended_at IS NULL
    AND NOT EXISTS (SELECT 1 FROM users u WHERE u.id = client AND u.disabled)
    AND NOT (${OUTCOMES_OWED} OR ${IS_BACKUP_COPY} OR ${LEASED_BY_NEWER} OR ${IS_OLDER_DATABASE} OR ${SITES_UNHEARD})`;
// The key (series, day) makes a second run of a day impossible.
const BEGIN = `INSERT INTO series_runs (series, day, run_at, state, claimed_until)
  SELECT :series, :day, :at, iif(:isMissed, 'missed', 'making'), :until WHERE ${STEP_BEFORE_CHANGED}
  ON CONFLICT (series, day) DO NOTHING`;
const MAKE_CAMPAIGN =
  `INSERT INTO campaigns (client, name, message, image, kind, day_limit, created_at, updated_at)
  SELECT client, :name, message, image, kind, day_limit, :now, :now FROM series
  WHERE id = :series AND NOT :isMissed AND ${STEP_BEFORE_CHANGED}`;
const KEEP_CAMPAIGN = `UPDATE series_runs SET campaign = last_insert_rowid()
  WHERE series = :series AND day = :day AND ${STEP_BEFORE_CHANGED}`;
const NOTE_MISSED = `INSERT INTO activity (at, kind, code, data, user)
  SELECT :now, 'warning', 'series_missed', json_object('series', s.name, 'client', u.username, 'day', r.day), s.client
  FROM series_runs r JOIN series s ON s.id = r.series JOIN users u ON u.id = s.client
  WHERE r.series = :series AND r.day = :day AND r.state = 'missed' AND r.claimed_until = :until`;

const UNFINISHED =
  `SELECT r.series, r.day, r.run_at, r.campaign, c.status, c.running_import, c.image AS "itsImage"
  FROM series_runs r LEFT JOIN campaigns c ON c.id = r.campaign
  WHERE r.state = 'making' AND r.claimed_until <= :now ORDER BY r.claimed_until LIMIT 1`;
const CLAIM = `UPDATE series_runs SET claimed_until = :now + ${CLAIM_MS}
  WHERE series = :series AND day = :day AND state = 'making' AND claimed_until <= :now`;
const ITS_SERIES = `SELECT ${SERIES_COLUMNS} FROM series s WHERE id = :series`;
const END_RUN = `UPDATE series_runs SET state = :state, error = :error
  WHERE series = :series AND day = :day AND state = 'making'`;
const HOLD = `UPDATE series SET hold = :hold, updated_at = :now
  WHERE id = :series AND hold IS NULL AND ${STEP_BEFORE_CHANGED}`;
const NOTE_HOLD = `INSERT INTO activity (at, kind, code, data, user)
  SELECT :now, 'warning', 'series_waits', json_object('series', name, 'client', username, 'reason', :hold), s.client
  FROM series s JOIN users u ON u.id = s.client WHERE s.id = :series AND ${STEP_BEFORE_CHANGED}`;

const RUN_FIELDS = {
  series: seriesRuns.series,
  day: seriesRuns.day,
  runAt: seriesRuns.runAt,
  campaign: seriesRuns.campaign,
  status: orNull(campaigns.status),
  runningImport: campaigns.runningImport,
  itsImage: campaigns.image,
};

/**
 * Makes the runs of repeats whose time comes within a day, one a slice: a campaign with the people whom the lists hold
 * now, planned for its time. A run that could not be made stops its repeat, which says why. Returns how many rows
 * changed.
 */
export async function makeRuns(ctx: EdgeContext): Promise<number> {
  const begun = await beginRun(ctx);
  const found = await ctx.db.execute(statement(UNFINISHED, { now: ctx.now() }));
  const [run] = rowsAs(found, RUN_FIELDS);
  if (run === undefined) return begun;
  const claimed = await ctx.db.execute(
    statement(CLAIM, { series: run.series, day: run.day, now: ctx.now() }),
  );
  if (claimed.rowsAffected === 0) return begun;
  try {
    await goOn(ctx, run);
  } catch (error) {
    // It is tried again when the claim is over.
    ctx.log.error("run_failed", { series: run.series, ...errorFields(error) });
    return begun;
  }
  return begun + 1;
}

async function beginRun(ctx: EdgeContext): Promise<number> {
  const now = ctx.now();
  const [due] = rowsAs(await ctx.db.execute(statement(DUE, { now })), SERIES_FIELDS);
  if (due === undefined || due.nextDay === null || due.nextAt === null) return 0;
  const { id: series, nextDay: day, nextAt: at, name } = due;
  const next = nextRunFrom(repeatOf(due), dayAfter(day, 1));
  const args = {
    series,
    day,
    at,
    now,
    // A claim that is over: makeRuns() goes on with it at once.
    until: now,
    isMissed: at <= now - PLAN_MISSED_MS,
    nextDay: next?.day ?? null,
    nextAt: next?.at ?? null,
    name: `${name.slice(0, NAME_CHARS)} · ${day.split("-").map(Number).reverse().join(".")}`,
    ...awaitedArgs(ctx),
  };
  const { movedOn } = await writeBatch(ctx.db, {
    movedOn: statement(MOVE_ON, args),
    begun: rightAfter("movedOn", statement(BEGIN, args)),
    made: rightAfter("begun", statement(MAKE_CAMPAIGN, args)),
    kept: rightAfter("made", statement(KEEP_CAMPAIGN, args)),
    missed: statement(NOTE_MISSED, args),
  });
  if (movedOn.rowsAffected > 0) ctx.wakeOutbox();
  return movedOn.rowsAffected;
}

type Run = ReturnType<typeof rowsAs<typeof RUN_FIELDS>>[number];

/** Does what is left of a run; each step may have been done by an edge that died. */
async function goOn(ctx: EdgeContext, run: Run): Promise<void> {
  const { series: id, campaign, runAt } = run;
  const [series] = rowsAs(await ctx.db.execute(statement(ITS_SERIES, { series: id })), SERIES_FIELDS);
  if (series === undefined || campaign === null) return await endRun(ctx, run, "run_refused", "not_found");
  const { client, kind, leaveOutEmpty } = series;
  let status: CampaignStatus | null = run.status;
  try {
    if (status === "draft") {
      const choice = { ...series.choice!, where: [] };
      const taking = { choice, consent: undefined, user: client };
      const { total } = await takeFromLists(ctx, { id: campaign, client, kind }, taking);
      if (total === 0) throw new HttpError("no_valid_contacts");
      status = "ready";
    }
    if (status === "ready") {
      const options = { actor: null, plannedAt: runAt, leaveOutEmpty };
      await sendCampaign(ctx, { id: client }, campaign, options);
    }
    // Its client deleted the campaign meanwhile, or sent it by hand.
    await endRun(ctx, run, status === null ? "run_refused" : "made", status === null ? "not_found" : null);
  } catch (error) {
    if (!(error instanceof HttpError)) throw error;
    // Somebody loads contacts into it: it is looked at again when the claim is over.
    if (error.code === "import_running") return;
    if (error.code === "no_valid_contacts") {
      await ctx.db.batch(deleteEmptyDraft({ id: campaign, image: run.itsImage }), "write");
    }
    await endRun(ctx, run, stateOf(error), error.code);
  }
}

function stateOf({ code }: HttpError): Exclude<RunState, "making" | "made" | "missed"> {
  if (code === "quota_short") return "quota_short";
  return code === "no_valid_contacts" ? "list_empty" : "run_refused";
}

/** Ends a run; a repeat whose run was not made waits for a person. */
async function endRun(
  ctx: EdgeContext,
  { series, day }: Run,
  state: Exclude<RunState, "making" | "missed">,
  error: string | null,
): Promise<void> {
  const hold: SeriesHold | null = state === "made" ? null : state;
  const args = { series, day, state, error, hold, now: ctx.now() };
  await writeBatch(ctx.db, {
    ended: statement(END_RUN, args),
    held: hold === null ? undefined : rightAfter("ended", statement(HOLD, args)),
    noted: hold === null ? undefined : rightAfter("held", statement(NOTE_HOLD, args)),
  });
  ctx.wakeOutbox();
}
