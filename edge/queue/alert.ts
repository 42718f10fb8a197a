import type { InStatement } from "@libsql/client/web";
import { statement } from "./statement.ts";

export interface Alert {
  code: string;
  /** A Hebrew sentence for administrators. */
  message: string;
  site?: number;
  campaign?: number;
}

/** Tells administrators of something they must look at, now and in the activity list. */
export function alertEvents({ code, message, site, campaign }: Alert, now: number): InStatement[] {
  return [
    statement(
      `INSERT INTO events (at, type, for_admins, data) VALUES (:now, 'alert', 1, :data)`,
      { now, data: JSON.stringify({ code, message, at: now }) },
    ),
    statement(
      `INSERT INTO activity (at, kind, code, data, site, campaign)
       VALUES (:now, 'warning', :code, json_object('message', :message), :site, :campaign)`,
      { now, code, message, site: site ?? null, campaign: campaign ?? null },
    ),
  ];
}
