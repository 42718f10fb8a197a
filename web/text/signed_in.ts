/** Words of the header and the notices on every signed-in screen. */
export const SIGNED_IN = {
  home: "דף הבית",
  reconnecting: "מתחבר מחדש...",
  partFailed: "החלק הזה של המסך לא נטען",
  account: "החשבון שלי",
  lists: "הרשימות שלי",
  admin: "אזור הניהול",
  logout: "התנתקות",
  offline: "לא מחובר בזמן אמת",
  offlineMeaning: "הנתונים ממשיכים להתעדכן כל 5 שניות.",
  noAnswer: "השרת לא ענה.",
  noAnswerSince: (time: string) => `הנתונים האחרונים התקבלו ב־${time}, ושום דבר שנשלח לא אבד.`,
  noNetwork: "אין חיבור לאינטרנט.",
  noNetworkSince: (time: string) => `מה שהוקלד נשמר כאן, והנתונים נכונים ל־${time}.`,
  reconnect: "חיבור מחדש",
  sessionOverTitle: "תוקף הכניסה פג",
  sessionOver: "נא להתחבר שוב; הטיוטה נשמרה.",
};
