/** Words of the frame around every signed-in screen. */
export const SHELL = {
  brand: "שיגור",
  logout: "התנתקות",
  home: "דף הבית",
  toDark: "מעבר לערכה כהה",
  toLight: "מעבר לערכה בהירה",
  loading: "טוען...",
  toasts: "התראות ({hotkey})",
  closeToast: "סגירת ההודעה",
  retry: "ניסיון נוסף",
  cancel: "ביטול",
  offline: "לא מחובר בזמן אמת",
  offlineMeaning: "הנתונים ממשיכים להתעדכן כל 5 שניות.",
  reconnect: "חיבור מחדש",
  reconnecting: "מתחבר מחדש...",
  crashTitle: "המסך לא נטען",
  crashBody: "ייתכן שהמערכת עודכנה בינתיים. מה שהוקלד נשמר כאן, ושום דבר שנשלח לא אבד.",
  reload: "רענון הדף",
  live: (age: string) => `מחובר בזמן אמת · ${age}`,
};

export const NOT_FOUND = {
  title: "404 Page Not Found",
  hint: "ייתכן ששכחו להוסיף את הדף לנתב.",
  toLanding: "לדף הראשי",
  toAdmin: "לדשבורד הניהול",
};
