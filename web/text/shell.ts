/** Words of every screen, also of a visitor's: they are part of the first load. */
export const SHELL = {
  brand: "שיגור",
  toDark: "מעבר לערכה כהה",
  toLight: "מעבר לערכה בהירה",
  loading: "טוען...",
  toast: "התראה",
  toasts: "התראות ({hotkey})",
  closeToast: "סגירת ההודעה",
  crashTitle: "המסך לא נטען",
  crashBody: "ייתכן שהמערכת עודכנה בינתיים. מה שהוקלד נשמר כאן, ושום דבר שנשלח לא אבד.",
  reload: "רענון הדף",
};
