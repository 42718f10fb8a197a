/** Words about an action with a lost response: it may have been done. */
export const UNSURE = {
  title: "לא התקבלה תשובה מהשרת",
  description: "ייתכן שהפעולה בוצעה בכל זאת. כדאי לבדוק לפני שמנסים שוב.",
};
