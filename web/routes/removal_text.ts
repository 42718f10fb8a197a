/** Words of a recipient's own page. */
export const REMOVAL = {
  title: "הסרה מרשימת התפוצה",
  loading: "בודקים את הקישור",
  wrote: (sender: string) => ({ before: "ההודעה שקיבלתם נשלחה בשם ", sender, after: " אל המספר " }),
  what: "אחרי ההסרה לא תקבלו עוד הודעות מהשולח הזה. הודעות של שולחים אחרים לא ישתנו.",
  remove: "הסירו אותי",
  removing: "מסירים...",
  done: "הוסרתם",
  doneBody: (sender: string) => ({
    before: "הודעות של ",
    sender,
    after: " לא יישלחו עוד אליכם. אפשר לסגור את הדף.",
  }),
  over: "הקישור כבר אינו פעיל",
  overBody: 'כדי לא לקבל עוד הודעות, השיבו להודעה שקיבלתם במילה אחת: "הסר".',
  failed: "הקישור לא נבדק",
  notRemoved: "ההסרה עוד לא נעשתה",
};
