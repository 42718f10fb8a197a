import { countOf, oneOrMany } from "../../../text/count.ts";
import { formatNumber } from "../../../text/format.ts";

/** Words of the owner's actions other than sending. */
export const OWNER_ACTS = {
  test: "הודעת ניסיון",
  duplicate: "שכפול",
  duplicateTitle: "שכפול הקמפיין",
  duplicateHint: "ייווצר קמפיין חדש עם אותו נוסח ואותה תמונה. דבר לא יישלח בלי לחיצה על ״שלח״.",
  copyNone: "בלי אנשי קשר",
  copyAll: (count: number) => `עם כל אנשי הקשר: ${formatNumber(count)}`,
  duplicating: "משכפל...",
  duplicatedTitle: "הקמפיין שוכפל",
  duplicated: (contacts: number) =>
    contacts === 0 ? "נוצרה טיוטה בלי אנשי קשר." : `נוצר קמפיין חדש עם ${countOf(contacts, "contact")}.`,
  duplicateFailedTitle: "הקמפיין לא שוכפל",
  delete: "מחיקה",
  deleteTitle: "למחוק את הקמפיין?",
  deleteConfirm: "מחיקת הקמפיין",
  deleting: "מוחק...",
  deletedTitle: "הקמפיין נמחק",
  deleteFailedTitle: "הקמפיין לא נמחק",
  removeContacts: "הסרת כל אנשי הקשר",
  removeContactsTitle: "להסיר את כל אנשי הקשר?",
  removeContactsConfirm: "הסרת אנשי הקשר",
  removing: "מסיר...",
  contactsRemovedTitle: "אנשי הקשר הוסרו",
  contactsNotRemovedTitle: "אנשי הקשר לא הוסרו",
  nothingChanged: "השרת לא אישר את הפעולה. דבר לא השתנה.",
  addContacts: "הוספת אנשי קשר",
};

/** Returns the effect of a deletion, with numbers. */
export function deleteEffect(name: string, contacts: number): string {
  const lost = contacts === 0 ? "הנוסח יימחק." : `הנוסח ו${joined(contacts)} יימחקו.`;
  return `״${name}״ לא נשלח עדיין. ${lost} המכסה לא תשתנה.`;
}

/** Returns the effect of removing the contacts, with numbers. */
export function removeContactsEffect(name: string, contacts: number): string {
  return `${countOf(contacts, "contact")} ${
    oneOrMany(contacts, "יוסר", "יוסרו")
  } מ״${name}״. הנוסח יישאר, והקמפיין יחזור לטיוטה.`;
}

/** Hebrew "and" attaches directly to a word, and with a maqaf to a digit. */
function joined(contacts: number): string {
  return contacts > 2 ? `־${countOf(contacts, "contact")}` : countOf(contacts, "contact");
}
