import type { InStatement, Transaction } from "@libsql/client/web";
import type { StopReason } from "shared/admin_api.ts";
import { alertEvents } from "../events/alert.ts";
import { statement } from "../db/statement.ts";

export interface SiteStop {
  site: number;
  /** Stored as `stop_reason`, and the code of the alert. */
  reason: StopReason;
  /** A Hebrew sentence for administrators. */
  message: string;
}

/** A site already stopped for this reason causes no second alert: repeated faults must not fill the list. */
const IS_NEWS = "NOT EXISTS (SELECT 1 FROM sites WHERE id = :site AND stopped = 1 AND stop_reason = :code)";
const STOP = "UPDATE sites SET stopped = 1, stop_reason = :reason WHERE id = :site";

/** Stops leasing to a site until an administrator starts it again, and alerts administrators with the reason. */
export async function stopSite(tx: Transaction, stop: SiteStop, now: number): Promise<void> {
  await tx.batch(stopSiteStatements(stop, now));
}

/** Returns stopSite() as statements of a batch. */
export function stopSiteStatements({ site, reason, message }: SiteStop, now: number): InStatement[] {
  return [...alertEvents({ code: reason, message, site }, now, IS_NEWS), statement(STOP, { site, reason })];
}
