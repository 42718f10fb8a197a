/** States of phones and accounts in Hebrew, for the exported file. */
import type { DeviceState, UserKind } from "shared/agent_protocol.ts";
import type { ACCOUNT_MARKS } from "shared/http_api.ts";

export const DEVICE_STATE_LABELS: Record<DeviceState, string> = {
  online: "מחובר",
  offline: "מנותק",
  unauthorized: "לא מורשה",
  booting: "עולה",
  locked: "נעול",
  low_battery: "סוללה חלשה",
  hot: "חם מדי",
  low_storage: "אחסון מלא",
  not_answering: "לא עונה",
};

export const ACCOUNT_MARK_LABELS: Record<AccountMark, string> = {
  active: "פעיל",
  processing: "מעבד",
  idle: "סרק",
  banned: "חסום",
};

export const USER_KIND_LABELS: Record<UserKind, string> = {
  owner: "ראשי",
  work: "פרופיל עבודה",
  secondary: "משתמש נוסף",
};

export type AccountMark = typeof ACCOUNT_MARKS[number];
