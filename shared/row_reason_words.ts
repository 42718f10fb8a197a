import type { RowReason } from "./staged_api.ts";

/** Why a row of a file gets no message, in the words of a list of rows. */
export const ROW_REASON_TEXT: Record<RowReason, string> = {
  not_a_number: "אין בה מספר תקין",
  repeated: "המספר כבר מופיע בשורה קודמת",
  removed: "ביקשו הסרה",
  no_consent: "לא הוצהרה הסכמה לקבלת דיוור",
  already_here: "כבר נמצא בקמפיין",
  reached: "קיבלו דיוור לאחרונה",
};
