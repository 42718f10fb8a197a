import type { Transaction } from "@libsql/client/web";
import type { StopReason } from "shared/admin_api.ts";
import { alertEvents } from "./alert.ts";
import { statement } from "./statement.ts";

export interface SiteStop {
  site: number;
  /** Kept as `stop_reason`, and the code of the alert. */
  reason: StopReason;
  /** A Hebrew sentence for administrators. */
  message: string;
}

const STOP = "UPDATE sites SET stopped = 1, stop_reason = :reason WHERE id = :site";

/** Leases nothing more to a site until an administrator starts it again, and tells them why. */
export async function stopSite(
  tx: Transaction,
  { site, reason, message }: SiteStop,
  now: number,
): Promise<void> {
  await tx.execute(statement(STOP, { site, reason }));
  await tx.batch(alertEvents({ code: reason, message, site }, now));
}
