import type { DeliveryState } from "shared/delivery.ts";

/** States of many recipients (plural), for filters and for the strip. */
export const DELIVERY_STATE_PLURALS: Record<DeliveryState, string> = {
  queued: "בתור",
  leased: "במכשירים",
  sent: "נשלחו",
  failed: "נכשלו",
  unknown: "לא ידוע",
  skipped: "דולגו",
  cancelled: "בוטלו",
};
