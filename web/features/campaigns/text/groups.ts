/** Groups of statuses in a client's list. */
export const GROUPS = {
  filter: "סינון לפי מצב",
  all: "כל המצבים",
  running: "בעבודה",
  paused: "מושהים",
  planned: "מתוזמנים",
  unsent: "לפני שליחה",
  completed: "הסתיימו",
  troubled: "הסתיימו עם כשלים",
  cancelled: "בוטלו",
};
