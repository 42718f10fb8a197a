/** Rows of repeats, as the verbs of this folder read them. */
import type { RepeatRule } from "shared/series_days.ts";
import type { Choice } from "shared/lists_api.ts";
import { jsonOf, orNull, type RowAs, wordOf } from "../db/query.ts";
import { series } from "../db/schema.ts";
import type { CampaignKind } from "shared/campaign.ts";
import type { SeriesHold } from "shared/series_api.ts";
import type { Repeat } from "./next_run.ts";

export const SERIES_FIELDS = {
  id: series.id,
  client: series.client,
  name: series.name,
  message: series.message,
  kind: wordOf<CampaignKind>(),
  image: series.image,
  dayLimit: series.dayLimit,
  leaveOutEmpty: series.leaveOutEmpty,
  choice: jsonOf<Choice>(),
  rule: jsonOf<RepeatRule>(),
  minutes: series.minutes,
  lastDay: series.lastDay,
  nextDay: series.nextDay,
  nextAt: series.nextAt,
  hold: orNull(wordOf<SeriesHold>()),
  endedAt: series.endedAt,
  createdAt: series.createdAt,
};
export type SeriesRow = RowAs<typeof SERIES_FIELDS>;

/** SQL: these columns of `series s`. */
export const SERIES_COLUMNS =
  "s.id, s.client, s.name, s.message, s.kind, s.image, s.day_limit, s.leave_out_empty, s.choice, s.rule, s.minutes, " +
  "s.last_day, s.next_day, s.next_at, s.hold, s.ended_at, s.created_at";

/** Returns what says when a repeat runs. */
export function repeatOf(
  { rule, minutes, lastDay }: Pick<SeriesRow, "rule" | "minutes" | "lastDay">,
): Repeat {
  return { rule: rule!, minutes, lastDay };
}
