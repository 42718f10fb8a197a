/** Words of the page for a path that does not exist. */
export const NOT_FOUND = {
  title: "404 Page Not Found",
  hint: "ייתכן ששכחו להוסיף את הדף לנתב.",
  toLanding: "לדף הראשי",
  toAdmin: "לדשבורד הניהול",
};
