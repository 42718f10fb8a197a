import type { Duty } from "shared/duty.ts";

export const DUTY_NAMES: Record<Duty, string> = {
  owner: "בעלות על החשבון",
  sender: "הכנה ושליחה",
  writer: "הכנה בלי שליחה",
  reader: "צפייה בלבד",
};

export const DUTY_MEANINGS: Record<Duty, string> = {
  owner: "הכול, כולל פרטי המפרסם ואנשי החשבון",
  sender: "מכין קמפיינים, שולח, עוצר ומבטל",
  writer: "כותב קמפיינים וטוען נמענים, ואדם אחר שולח",
  reader: "רואה הכול ולא משנה דבר",
};

export const BEYOND_DUTY = {
  send: "הקמפיין מוכן. את השליחה עושה מי שיש לו הרשאה לשלוח בחשבון.",
  advertiser: "את פרטי המפרסם ממלא בעל החשבון.",
  inAccount: (client: string, duty: string) => `בחשבון של ${client} · ${duty}`,
};
