/** Whether a cause that a person has seen is still quiet. */
import { alertQuiets } from "../db/schema.ts";
import { plainText } from "../db/query.ts";

/** A row of `alert_quiets` with the name of the person. */
export const QUIET_FIELDS = {
  cause: alertQuiets.cause,
  kind: alertQuiets.kind,
  at: alertQuiets.at,
  until: alertQuiets.until,
  count: alertQuiets.count,
  newest: alertQuiets.newest,
  by: plainText,
};

/** Every quiet with the name of its person. */
export const QUIETS = `SELECT q.*, coalesce(u.username, '') AS by
  FROM alert_quiets q LEFT JOIN users u ON u.id = q.user`;

interface Quiet {
  kind: "acknowledged" | "snoozed";
  until: number | null;
  count: number;
  newest: number | null;
}

/**
 * Returns whether a quiet still holds for its cause. More than the person saw ends it. An acknowledgement also ends
 * when one of the cause's alerts is newer: an old one was solved and another came. A snooze holds until its time, so a
 * phone whose cable is loose stays silent.
 */
export function staysQuiet(
  quiet: Quiet,
  { count, newest }: { count: number; newest: number | null },
  now: number,
): boolean {
  if (count > quiet.count) return false;
  if (quiet.kind === "snoozed") return now < (quiet.until ?? 0);
  return newest === null || (quiet.newest !== null && newest <= quiet.newest);
}
