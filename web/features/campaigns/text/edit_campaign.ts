import { isolated } from "../../../text/isolated.ts";

/** Words of the edit form. */
export const EDIT = {
  save: "שמירה",
  saving: "שומר...",
  savedTitle: "השינוי נשמר",
  saveFailedTitle: "השינוי לא נשמר",
  saveFailed: "השרת לא אישר את השינוי. הנוסח הקודם נשאר.",
  changed: "הנוסח השתנה בינתיים במקום אחר.",
  changedBody: (name: string, message: string) =>
    `מה שכתוב כאן לא נשמר, כדי לא לדרוס אותו. הנוסח השמור עכשיו: ״${isolated(name)}״, ״${
      isolated(message.slice(0, 80))
    }״.`,
  takeTheirs: "להשאיר את הנוסח השמור",
  saveMine: "לשמור את הנוסח שלי במקומו",
};
