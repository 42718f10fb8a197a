import type { InStatement } from "@libsql/client/web";
import type { ActivityType } from "shared/activity.ts";

export interface ActivityNote {
  kind: ActivityType;
  /** A code of activity_words.ts. */
  code: string;
  /** Names and figures for its sentence. */
  data: Record<string, string | number | null>;
  site?: number;
  device?: number;
  campaign?: number;
  user?: number;
}

/**
 * Returns the statement that writes a line of the activity list; add it to the batch of the act. `onlyIf` is SQL, for
 * example STEP_BEFORE_CHANGED in a step made with rightAfter() (write_batch.ts).
 */
export function noteActivity(now: number, note: ActivityNote, onlyIf = "1"): InStatement {
  const { kind, code, data, site = null, device = null, campaign = null, user = null } = note;
  return {
    sql: `INSERT INTO activity (at, kind, code, data, site, device, campaign, user)
      SELECT ?, ?, ?, ?, ?, ?, ?, ? WHERE ${onlyIf}`,
    args: [now, kind, code, JSON.stringify(data), site, device, campaign, user],
  };
}

/** Writes a line like noteActivity(), for an act of a site, whose name it adds. */
export function noteSite(
  now: number,
  site: number,
  { kind, code }: Pick<ActivityNote, "kind" | "code">,
  onlyIf = "1",
): InStatement {
  return {
    sql: `INSERT INTO activity (at, kind, code, data, site)
      SELECT ?, ?, ?, json_object('site', name), id FROM sites WHERE id = ? AND ${onlyIf}`,
    args: [now, kind, code, site],
  };
}
