/** Words of changing a campaign that was written before. */
export const EDIT = {
  save: "שמירה",
  saving: "שומר...",
  savedTitle: "השינוי נשמר",
  saveFailedTitle: "השינוי לא נשמר",
  saveFailed: "השרת לא אישר את השינוי. הנוסח הקודם נשאר.",
};
