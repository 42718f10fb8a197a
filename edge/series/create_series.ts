import { israelDay } from "shared/israel_time.ts";
import type { CreateSeriesRequest } from "shared/series_api.ts";
import { noteAudit } from "../audit_log/note_audit.ts";
import type { EdgeContext } from "../context.ts";
import { rowsAs, wholeNumber } from "../db/query.ts";
import type { CampaignRow } from "../db/schema.ts";
import { statement } from "../db/statement.ts";
import { rightAfter, STEP_BEFORE_CHANGED, writeBatch } from "../db/write_batch.ts";
import { HttpError } from "../http/http_error.ts";
import { IS_ENABLED } from "../queue/own_campaign.ts";
import { nextRunAfter, nextRunFrom } from "./next_run.ts";

/** More would make the screens long, and the runs of one day many. */
const MOST_SERIES = 50;

const OWN_LISTS = `(SELECT count(*) FROM lists WHERE client = :user AND removed_at IS NULL
  AND id IN (SELECT value FROM json_each(:lists)))`;
const LIVE = "(SELECT count(*) FROM series WHERE client = :user AND ended_at IS NULL)";
// The words are those of the campaign at this moment; later changes of it change no run.
const CREATE =
  `INSERT INTO series (client, name, message, kind, image, day_limit, leave_out_empty, choice, rule, minutes,
    last_day, next_day, next_at, created_at, updated_at)
  SELECT client, name, message, kind, image, day_limit, :leaveOutEmpty, :choice, :rule, :minutes,
    :lastDay, :nextDay, :nextAt, :now, :now FROM campaigns
  WHERE id = :campaign AND client = :user AND test_of IS NULL AND ${IS_ENABLED}
    AND ${OWN_LISTS} = json_array_length(:lists) AND ${LIVE} < ${MOST_SERIES}
  RETURNING id`;
const LOOK = `SELECT ${OWN_LISTS} AS lists, ${LIVE} AS live`;

/**
 * Creates a repeat with the words, picture, kind and limit of a campaign, and returns its id.
 *
 * @throws {HttpError} `not_found` when a list is not the client's; `invalid_input` when it has no run, or with too many
 * repeats
 */
export async function createSeries(
  ctx: EdgeContext,
  user: { id: number },
  campaign: CampaignRow,
  { choice, rule, minutes, firstDay, lastDay, leaveOutEmpty }: Omit<CreateSeriesRequest, "campaign">,
): Promise<number> {
  const now = ctx.now();
  const repeat = { rule, minutes, lastDay };
  const next = firstDay > israelDay(now) ? nextRunFrom(repeat, firstDay) : nextRunAfter(repeat, now);
  if (next === null) {
    throw new HttpError("invalid_input", { text: "בין היום הראשון לאחרון אין אף מועד שמתאים לחזרה." });
  }
  const lists = [...new Set([...choice.lists, ...choice.except.lists])];
  const args = {
    user: user.id,
    campaign: campaign.id,
    now,
    leaveOutEmpty,
    lists: JSON.stringify(lists),
    choice: JSON.stringify(choice),
    rule: JSON.stringify(rule),
    minutes,
    lastDay,
    nextDay: next.day,
    nextAt: next.at,
  };
  const note = { kind: "series_created" as const, actor: user.id, data: { name: campaign.name } };
  const { created, look } = await writeBatch(ctx.db, {
    created: statement(CREATE, args),
    audited: rightAfter("created", noteAudit(now, note, STEP_BEFORE_CHANGED)),
    look: statement(LOOK, args),
  });
  const [made] = rowsAs(created, { id: wholeNumber });
  if (made !== undefined) return made.id;
  const { lists: own, live } = rowsAs(look, { lists: wholeNumber, live: wholeNumber })[0]!;
  if (own < lists.length) throw new HttpError("not_found");
  if (live >= MOST_SERIES) {
    throw new HttpError("invalid_input", { text: `אפשר לקיים עד ${MOST_SERIES} שליחות חוזרות יחד.` });
  }
  throw new HttpError("not_logged_in");
}
