/** Counting in Hebrew, for the edge's sentences: one and two have their own words. */

const NOUNS = {
  message: ["הודעה אחת", "שתי הודעות", "הודעות"],
  campaign: ["קמפיין אחד", "שני קמפיינים", "קמפיינים"],
  number: ["מספר אחד", "שני מספרים", "מספרים"],
  row: ["שורה אחת", "שתי שורות", "שורות"],
  account: ["חשבון אחד", "שני חשבונות", "חשבונות"],
  reply: ["תשובה אחת", "שתי תשובות", "תשובות"],
  contact: ["איש קשר אחד", "שני אנשי קשר", "אנשי קשר"],
  device: ["מכשיר אחד", "שני מכשירים", "מכשירים"],
  site: ["אתר אחד", "שני אתרים", "אתרים"],
  client: ["לקוח אחד", "שני לקוחות", "לקוחות"],
  file: ["קובץ אחד", "שני קבצים", "קבצים"],
} as const;

/** Returns a count with its noun: "הודעה אחת", "שתי הודעות", "1,240 הודעות". */
export function countOf(count: number, noun: keyof typeof NOUNS): string {
  const [one, two, many] = NOUNS[noun];
  if (count === 1) return one;
  if (count === 2) return two;
  return `${count.toLocaleString("en-US")} ${many}`;
}
