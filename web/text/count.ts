/** Counts in Hebrew: one and two have their own words, all others use digits. */
import { formatNumber } from "./format.ts";

interface Noun {
  one: string;
  two: string;
  many: string;
}

const NOUNS = {
  message: { one: "הודעה אחת", two: "שתי הודעות", many: "הודעות" },
  recipient: { one: "נמען אחד", two: "שני נמענים", many: "נמענים" },
  contact: { one: "איש קשר אחד", two: "שני אנשי קשר", many: "אנשי קשר" },
  device: { one: "מכשיר אחד", two: "שני מכשירים", many: "מכשירים" },
  screen: { one: "מסך אחד", two: "שני מסכים", many: "מסכים" },
  campaign: { one: "קמפיין אחד", two: "שני קמפיינים", many: "קמפיינים" },
  number: { one: "מספר אחד", two: "שני מספרים", many: "מספרים" },
  row: { one: "שורה אחת", two: "שתי שורות", many: "שורות" },
  file: { one: "קובץ אחד", two: "שני קבצים", many: "קבצים" },
  reply: { one: "תשובה אחת", two: "שתי תשובות", many: "תשובות" },
  alert: { one: "התראה אחת", two: "שתי התראות", many: "התראות" },
  site: { one: "אתר אחד", two: "שני אתרים", many: "אתרים" },
  minute: { one: "דקה", two: "שתי דקות", many: "דקות" },
  hour: { one: "שעה", two: "שעתיים", many: "שעות" },
  change: { one: "שינוי אחד", two: "שני שינויים", many: "שינויים" },
} satisfies Record<string, Noun>;

/** Returns "הודעה אחת", "שתי הודעות", "1,240 הודעות". */
export function countOf(count: number, noun: keyof typeof NOUNS): string {
  const words = NOUNS[noun];
  if (count === 1) return words.one;
  if (count === 2) return words.two;
  return `${formatNumber(count)} ${words.many}`;
}

/** Returns one of two wordings, for a verb after a count: "{one} נשלחה", "{many} נשלחו". */
export function oneOrMany(count: number, one: string, many: string): string {
  return count === 1 ? one : many;
}
