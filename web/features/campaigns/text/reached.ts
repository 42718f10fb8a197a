/** The question about contacts whom the lost time of a restored database has reached. */
export const REACHED = {
  title: "חלק מאנשי הקשר כבר קיבלו הודעה",
  leaveOut: "להשמיט ולשלוח לשאר",
  sendToAll: "לשלוח לכולם",
};
