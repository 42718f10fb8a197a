/** Words of the edit form. */
export const EDIT = {
  save: "שמירה",
  saving: "שומר...",
  savedTitle: "השינוי נשמר",
  saveFailedTitle: "השינוי לא נשמר",
  saveFailed: "השרת לא אישר את השינוי. הנוסח הקודם נשאר.",
};
