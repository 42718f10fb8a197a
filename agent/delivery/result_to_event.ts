/** Translates the result of a delivery into the journal event of its row: tried again, given back, or final. */
import type { AccountState } from "shared/agent_protocol.ts";
import type { DeliveryReason } from "shared/delivery.ts";
import type { RowEvent } from "../journal/decide.ts";
import type { DeliveryResult } from "./deliver.ts";
import type { LostState } from "../phone/await_screen.ts";
import type { UnknownScreen } from "../phone/screen_shape.ts";

/** Returns the journal event of a result. Null = the row was taken back, or it needs a look back. */
export function resultToEvent(result: DeliveryResult): RowEvent | null {
  switch (result.kind) {
    case "sent":
      return { type: "provenSent" };
    case "not_on_app":
      // The app gave this answer twice in a row: the number will not be there in half an hour either.
      return { type: "failedForGood", reason: "not_on_app" };
    case "not_ready":
      // Slow or busy screens pass. The edge waits, and counts the tries.
      return { type: "tryFailed", reason: result.reason };
    case "lost":
      // The fault is in the account, not in the number: another account may try at once.
      return { type: "givenBack", reason: lostStateToReason(result.state) };
    case "unknown_screen":
      // The same for a phone whose app is newer than what is known about it.
      return { type: "givenBack", reason: "phone_screen_blocked" };
    case "taken_back":
    case "doubt":
      return null;
  }
}

/** Returns what the app reported about the account during the delivery, or null. */
export function resultToLostState(result: DeliveryResult): LostState | null {
  return result.kind === "lost" ? result.state : result.kind === "doubt" ? result.lost : null;
}

/** Returns the screen of the delivery that nobody knows, or null. */
export function resultToUnknownScreen(result: DeliveryResult): UnknownScreen | null {
  if (result.kind === "unknown_screen") return result.screen;
  return result.kind === "doubt" ? result.unknown ?? null : null;
}

/** Returns the reason with which the work of a lost account goes back. */
export function lostStateToReason(state: AccountState): DeliveryReason {
  if (state === "banned") return "account_banned";
  if (state === "restricted") return "account_restricted";
  if (state === "logged_out") return "account_logged_out";
  return "account_unavailable";
}
