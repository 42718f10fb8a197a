/** Words of buttons on many screens. */
export const ACTS = {
  retry: "ניסיון נוסף",
  cancel: "ביטול",
};
