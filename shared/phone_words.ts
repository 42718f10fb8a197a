/** Hebrew reasons why a row of a list has no valid number, for the screens and the file of rejected rows. */
import type { PhoneProblem } from "./phone.ts";

export const PHONE_PROBLEM_TEXT: Record<PhoneProblem, string> = {
  empty: "אין מספר בשורה",
  not_a_number: "לא מספר טלפון",
  too_short: "המספר קצר מדי",
  too_long: "המספר ארוך מדי",
  not_valid: "אין מספר כזה",
  excel_exponent: "אקסל קיצר את המספר, ואי אפשר לשחזר אותו",
};
