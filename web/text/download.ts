export const DOWNLOAD = {
  pending: "מוריד...",
  failedTitle: "הקובץ לא הורד",
  failed: "השרת לא מסר את הקובץ. אפשר לנסות שוב.",
};
