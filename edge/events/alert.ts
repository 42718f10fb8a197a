import type { InStatement } from "@libsql/client/web";
import { statement } from "../db/statement.ts";

export interface Alert {
  code: string;
  /** A Hebrew sentence for administrators. */
  message: string;
  site?: number;
  campaign?: number;
}

/**
 * Returns the event that makes administrators' screens read the alerts again. `onlyIf` is SQL, for example
 * STEP_BEFORE_CHANGED in a step made with rightAfter() (write_batch.ts).
 */
export function alertsChanged(now: number, onlyIf = "1"): InStatement {
  return statement(
    `INSERT INTO events (at, type, for_admins, data) SELECT :now, 'alerts_changed', 1, '{}' WHERE ${onlyIf}`,
    { now },
  );
}

/**
 * Returns statements that notify administrators, now and in the activity list. `onlyIf` is SQL that may use :site and
 * :code.
 */
export function alertEvents(
  { code, message, site, campaign }: Alert,
  now: number,
  onlyIf = "1",
): InStatement[] {
  const args = { now, code, message, site: site ?? null, campaign: campaign ?? null };
  return [
    statement(
      `INSERT INTO events (at, type, for_admins, data) SELECT :now, 'alert', 1, :data WHERE ${onlyIf}`,
      { ...args, data: JSON.stringify({ code, message, at: now }) },
    ),
    statement(
      `INSERT INTO activity (at, kind, code, data, site, campaign)
       SELECT :now, 'warning', :code, json_object('message', :message), :site, :campaign WHERE ${onlyIf}`,
      args,
    ),
  ];
}
