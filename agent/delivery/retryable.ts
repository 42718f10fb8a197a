/** What each result of a delivery means for its row: tried again, given back, or final. */
import type { AccountState } from "shared/agent_protocol.ts";
import type { DeliveryReason } from "shared/delivery.ts";
import type { RowEvent } from "../journal/decide.ts";
import type { DeliveryResult } from "./deliver.ts";
import type { LostState } from "../phone/await_screen.ts";

/**
 * The journal event of a result; null when the row needs nothing now (taken back) or has to be looked back at.
 */
export function eventOf(result: DeliveryResult): RowEvent | null {
  switch (result.kind) {
    case "sent":
      return { type: "provenSent" };
    case "not_on_app":
      // The app said so twice in a row: the same number will not be there in half an hour.
      return { type: "failedForGood", reason: "not_on_app" };
    case "not_ready":
      // Slow or busy screens pass: the edge waits and counts the tries.
      return { type: "tryFailed", reason: result.reason };
    case "lost":
      // The account's fault, not the number's: another account may try at once.
      return { type: "givenBack", reason: reasonOfLost(result.state) };
    case "taken_back":
    case "doubt":
      return null;
  }
}

/** What the app said of the account while it was used, or null. */
export function lostStateOf(result: DeliveryResult): LostState | null {
  return result.kind === "lost" ? result.state : result.kind === "doubt" ? result.lost : null;
}

/** Why work of an account that cannot send goes back. */
export function reasonOfLost(state: AccountState): DeliveryReason {
  if (state === "banned") return "account_banned";
  if (state === "restricted") return "account_restricted";
  if (state === "logged_out") return "account_logged_out";
  return "account_unavailable";
}
