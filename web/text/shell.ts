/** Words of the frame around every signed-in screen. */
export const SHELL = {
  brand: "שיגור",
  home: "דף הבית",
  toDark: "מעבר לערכה כהה",
  toLight: "מעבר לערכה בהירה",
  loading: "טוען...",
  toast: "התראה",
  toasts: "התראות ({hotkey})",
  closeToast: "סגירת ההודעה",
  retry: "ניסיון נוסף",
  cancel: "ביטול",
  reconnecting: "מתחבר מחדש...",
  crashTitle: "המסך לא נטען",
  crashBody: "ייתכן שהמערכת עודכנה בינתיים. מה שהוקלד נשמר כאן, ושום דבר שנשלח לא אבד.",
  reload: "רענון הדף",
};

export const NOT_FOUND = {
  title: "404 Page Not Found",
  hint: "ייתכן ששכחו להוסיף את הדף לנתב.",
  toLanding: "לדף הראשי",
  toAdmin: "לדשבורד הניהול",
};
