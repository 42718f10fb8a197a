import { MAX_PLAN_AHEAD_MS } from "shared/campaign.ts";
import { HttpError } from "../http/http_error.ts";

/** @throws {HttpError} `invalid_input` when a plan for `at` is past, or too far ahead; both in ms */
export function checkPlanTime(at: number, now: number): void {
  if (at < now) throw new HttpError("invalid_input", { text: "המועד שנבחר כבר עבר. נא לבחור מועד אחר." });
  if (at > now + MAX_PLAN_AHEAD_MS) {
    throw new HttpError("invalid_input", { text: "אפשר לתזמן קמפיין עד שנה קדימה." });
  }
}
