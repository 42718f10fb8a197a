/** Words of the declaration of consent for marketing numbers. */
export const CONSENT = {
  legend: "על מה מסתמכים כשפונים למספרים האלה?",
  why: "הודעה שיווקית מותרת רק למי שהסכים לקבל אותה. מה שמצהירים כאן נשמר כתיעוד לכל מספר.",
  bases: {
    opt_in: "הסכימו מראש לקבל דיוור",
    existing_customer: "לקוחות שלנו, שקיבלו הודעה על הדיוור ויכלו לסרב",
    known: "הוצהר עליהם כבר בהעלאה קודמת",
  },
  knownHint: "מספרים שלא הוצהר עליהם לא ייכללו בקמפיין.",
  source: "איפה ניתנה ההסכמה",
  sourcePlaceholder: "למשל: טופס ההצטרפות באתר",
  customersSource: "אילו לקוחות (לא חובה)",
  customersPlaceholder: "למשל: קונים בחנות ב־2026",
  obtainedOn: "מתי ניתנה",
  obtainedHint: "יום, חודש ושנה, איך שנוח לכתוב. אם ההסכמות ניתנו לאורך זמן, כותבים את המועד האחרון.",
  missingBasis: "נא לבחור על מה מסתמכים כשפונים למספרים האלה",
  missingSource: "נא לכתוב איפה ניתנה ההסכמה",
  missingDate: "נא לכתוב מתי ניתנה ההסכמה",
  futureDate: "מועד ההסכמה לא יכול להיות בעתיד",
};
