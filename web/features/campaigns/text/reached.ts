/** Words of the dialog about contacts who received a message in the time that a restored database lost. */
export const REACHED = {
  title: "חלק מאנשי הקשר כבר קיבלו הודעה",
  leaveOut: "להשמיט ולשלוח לשאר",
  sendToAll: "לשלוח לכולם",
};
