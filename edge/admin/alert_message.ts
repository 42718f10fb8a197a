import type { AlertMessage } from "shared/admin_api.ts";
import type { alertMessages } from "../db/schema.ts";

/** Returns a row of `alert_messages` as the screens read it. */
export function toAlertMessage(
  { channel, state, triedAt, attempts, reason, status, nextAt }: typeof alertMessages.$inferSelect,
): AlertMessage {
  return { channel, state, at: triedAt, attempts, reason, status, nextAt };
}
