import { countOf, oneOrMany } from "../../../text/count.ts";
import { formatNumber } from "../../../text/format.ts";

/** Words of what a campaign's owner does with it besides sending. */
export const OWNER_ACTS = {
  test: "הודעת ניסיון",
  duplicate: "שכפול",
  duplicateTitle: "שכפול הקמפיין",
  duplicateHint: "ייווצר קמפיין חדש עם אותו נוסח ואותה תמונה. דבר לא יישלח בלי לחיצה על ״שלח״.",
  copyNone: "בלי אנשי קשר",
  copyAll: (count: number) => `עם כל אנשי הקשר: ${formatNumber(count)}`,
  copyNotSent: (count: number) =>
    count === 1
      ? "רק מי שלא קיבל: נמען אחד שנכשל, דולג או בוטל"
      : `רק מי שלא קיבלו: ${countOf(count, "recipient")} שנכשלו, דולגו או בוטלו`,
  unknownLeftOut: (count: number) =>
    count === 1
      ? "נמען אחד במצב לא ידוע לא ייכלל, כי ייתכן שכבר קיבל את ההודעה."
      : `${countOf(count, "recipient")} במצב לא ידוע לא ייכללו, כי ייתכן שכבר קיבלו את ההודעה.`,
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

/** What deleting does, in numbers. */
export function deleteEffect(name: string, contacts: number): string {
  const lost = contacts === 0 ? "הנוסח יימחק." : `הנוסח ו${joined(contacts)} יימחקו.`;
  return `״${name}״ לא נשלח עדיין. ${lost} המכסה לא תשתנה.`;
}

/** What removing the contacts does, in numbers. */
export function removeContactsEffect(name: string, contacts: number): string {
  return `${countOf(contacts, "contact")} ${
    oneOrMany(contacts, "יוסר", "יוסרו")
  } מ״${name}״. הנוסח יישאר, והקמפיין יחזור לטיוטה.`;
}

/** Hebrew's "and" is joined to a word by itself, and to a digit by a maqaf. */
function joined(contacts: number): string {
  return contacts > 2 ? `־${countOf(contacts, "contact")}` : countOf(contacts, "contact");
}
