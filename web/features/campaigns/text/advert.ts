import { formatNumber } from "../../../text/format.ts";

/** Words around the preview of an advertisement. */
export const ADVERT = {
  added: "השורה הראשונה ושתי האחרונות נוספות לכל הודעה שיווקית, כפי שהחוק מחייב, ואי אפשר להסיר אותן.",
  placeholder: "שם המפרסם ודרך ליצור איתו קשר",
  loading: "טוען את פרטי המפרסם...",
  failed: "פרטי המפרסם לא נטענו.",
  failedBody: "כאן מוצג מקום שמור במקומם. בהודעה שתישלח הם יופיעו כפי שנשמרו.",
  missing: "עוד לא צוין מי המפרסם.",
  missingBody: "בלי זה אי אפשר לשלוח הודעה שיווקית.",
  toProfile: "למילוי פרטי המפרסם",
  chars: (count: number, limit: number) =>
    `${formatNumber(count)} מתוך ${formatNumber(limit)} תווים, כולל השורות שנוספו`,
  tooLong: (over: number) => `ההודעה ארוכה מדי ב־${over === 1 ? "תו אחד" : `${formatNumber(over)} תווים`}.`,
  undeclared: "סוג ההודעה לא הוצהר.",
  undeclaredBody: "הקמפיין ייחשב לשירות. אם הוא שיווקי, בוחרים ״שיווקי״ בעריכת ההודעה לפני ששולחים.",
};
