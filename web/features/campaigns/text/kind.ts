/** Words of the choice of a campaign's kind. */
export const KIND = {
  legend: "סוג ההודעה",
  marketing: "שיווקי",
  service: "שירות",
  hint: "שיווקי: מציעים לקנות, להצטרף או לתרום. שירות: תשובה, תזכורת או עדכון על מה שכבר הוזמן.",
  missing: "נא לבחור סוג: שיווקי או שירות",
};
