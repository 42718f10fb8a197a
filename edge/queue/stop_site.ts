import type { InStatement, Transaction } from "@libsql/client/web";
import type { StopReason } from "shared/admin_api.ts";
import { alertEvents } from "../events/alert.ts";
import { statement } from "../db/statement.ts";

export interface SiteStop {
  site: number;
  /** Kept as `stop_reason`, and the code of the alert. */
  reason: StopReason;
  /** A Hebrew sentence for administrators. */
  message: string;
}

/** One that is stopped for this already has been told: a site that repeats itself fills no list. */
const IS_NEWS = "NOT EXISTS (SELECT 1 FROM sites WHERE id = :site AND stopped = 1 AND stop_reason = :code)";
const STOP = "UPDATE sites SET stopped = 1, stop_reason = :reason WHERE id = :site";

/** Leases nothing more to a site until an administrator starts it again, and tells them why. */
export async function stopSite(tx: Transaction, stop: SiteStop, now: number): Promise<void> {
  await tx.batch(stopSiteStatements(stop, now));
}

/** stopSite() as statements of a batch. */
export function stopSiteStatements({ site, reason, message }: SiteStop, now: number): InStatement[] {
  return [...alertEvents({ code: reason, message, site }, now, IS_NEWS), statement(STOP, { site, reason })];
}
