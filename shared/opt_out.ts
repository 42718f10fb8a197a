/**
 * Whether a person's reply asks to be removed: decided at the site, beside the phone it came to, so that whatever else
 * people write never leaves it. Section 30A of the Communications Law lets a recipient refuse by the way the message came.
 */

import { withoutNumbers } from "./without_numbers.ts";

/** remove = the whole reply asks for it; unclear = it speaks of it, and a person decides; none = it is nobody's business. */
export type OptOutDecision = "remove" | "unclear" | "none";

/** Most characters of a reply that are kept. */
export const MAX_EXCERPT_CHARS = 80;

/** Between the letters of a word they part no words: don't, צ'ק. */
const APOSTROPHES = /(?<=\p{L})['’׳](?=\p{L})/gu;
/** And these perhaps: "הס״ר" and "הס-ר" are one word, 'אמרו"הסר"' two. */
const QUOTES_TOO = /(?<=\p{L})['’׳"״”\p{Pd}](?=\p{L})/gu;

/** What removes by itself when it is all that was written, as normalWords() writes it. */
export const OPT_OUT_KEYWORDS: readonly string[] = [
  ...["הסר", "הסירו", "הסירי", "תסיר", "תסירו", "תסירי", "להסיר"].flatMap((verb) => [
    verb,
    `${verb} אותי`,
    `${verb} אותי מהרשימה`,
    `${verb} אותי מרשימת התפוצה`,
    `${verb} מהרשימה`,
  ]),
  ...["הסרה", "להסרה"].flatMap((noun) => [noun, `${noun} מהרשימה`, `${noun} מרשימת התפוצה`]),
  ...["נא להסיר", "נא להסיר אותי"],
  ...[
    "stop",
    "stop all",
    "stopall",
    "remove",
    "remove me",
    "remove me from the list",
    "remove me from your list",
  ],
  ...["unsubscribe", "unsubscribe me", "opt out", "optout"],
];

/** Words that speak of removal without being such a reply, in forms and spellings people use. */
const KINDRED: readonly string[] = [
  ...["הסיר", "הסרת", "הסרתי", "הסרתם", "יסירו", "מסיר", "מסירים", "הוסר", "הוסרתי", "הסירותי"],
  ...["הסירוני", "הסרני", "תסירוני", "יסירוני"],
  ...["הורד", "הורידו", "תוריד", "תורידו", "תורידי", "להוריד"],
  ...["הפסק", "הפסיקו", "תפסיק", "תפסיקו", "תפסיקי", "להפסיק", "סטופ"],
  ...["ביטול", "לבטל", "בטל", "בטלו", "תבטל", "תבטלו", "תבטלי"],
  ...["stopped", "stopping", "removed", "removing", "removal"],
  ...["unsubscribed", "unsubscribing", "unsubcribe", "unsuscribe", "unsub"],
  ...["חדל", "חדלו", "תחדלו", "ספאם"],
  ...["cancel", "quit", "spam"],
];

/** The same in several words: what follows a refusal to be written to. */
const KINDRED_PHRASES: readonly string[] = [
  ...["מחק", "מחקו", "מחקי", "תמחק", "תמחקו", "תמחקי", "למחוק"].map((verb) => `${verb} אותי`),
  ...["מעוניין", "מעוניינת", "מעוניינים", "מעונין", "מעונינת", "מעונינים"].map((word) => `לא ${word}`),
  ...["תשלח", "תשלחו", "תשלחי"].map((verb) => `אל ${verb}`),
  ...["רוצה", "רוצים", "מסכים", "מסכימה", "מאשר", "מאשרת"].flatMap((verb) =>
    ["לקבל", "הודעות", "יותר", "עוד"].map((what) => `לא ${verb} ${what}`)
  ),
  ...["עזוב", "עזבו", "עזבי", "תעזוב", "תעזבו", "תעזבי"].map((verb) => `${verb} אותי`),
  ...["לא לשלוח", "די לשלוח", "את המספר שלי"],
  ...["opt out", "opt me out", "un subscribe", "take me off", "not interested", "leave me alone", "no more"],
  ...["send", "text", "message", "contact", "write"].flatMap((verb) => [`dont ${verb}`, `do not ${verb}`]),
];

/** Everyday words, which refuse when nothing else was written. */
const KINDRED_ALONE: readonly string[] = [
  ...["די", "די כבר", "מספיק", "מספיק כבר", "נמאס", "נמאסתם", "חלאס", "enough"],
  ...["מחק", "מחקו", "תמחק", "תמחקו", "תמחקי", "למחוק"],
];

const KEYWORDS = new Set(OPT_OUT_KEYWORDS);
const SIGNAL_WORDS = new Set(
  [...OPT_OUT_KEYWORDS.filter((keyword) => !keyword.includes(" ")), ...KINDRED]
    .flatMap((word) => [word, withoutRepeats(word)]),
);

/**
 * Decides about one reply. `isCut` says that the phone showed only its beginning: what follows may turn it round, so a
 * person reads it.
 */
export function decideOptOut(text: string, { isCut = false } = {}): OptOutDecision {
  const words = normalWords(text);
  if (KEYWORDS.has(words.join(" "))) return isCut ? "unclear" : "remove";
  return speaksOfRemoval(words) || speaksOfRemoval(normalWords(text, QUOTES_TOO)) ? "unclear" : "none";
}

/** The beginning of a reply on one line, without what may be somebody's number. */
export function excerptOf(text: string): string {
  const line = withoutNumbers(text.replace(/\p{Cf}/gu, "").replace(/[\s\p{Cc}]+/gu, " ").trim());
  const chars = Array.from(line);
  return chars.length <= MAX_EXCERPT_CHARS ? line : `${chars.slice(0, MAX_EXCERPT_CHARS - 1).join("")}…`;
}

/**
 * A text's words without what changes nothing of what it says: niqqud and other marks, bidi controls, emoji,
 * punctuation, case, and the forms in which Unicode writes one letter in several ways (NFKD).
 */
function normalWords(text: string, joining = APOSTROPHES): string[] {
  return text.normalize("NFKD").replace(/[\p{M}\p{Cf}]/gu, "").toLowerCase()
    .replace(joining, "").replace(/[^\p{L}\p{N}]+/gu, " ").trim().split(" ");
}

function speaksOfRemoval(words: readonly string[]): boolean {
  const text = ` ${words.join(" ")} `;
  if (words.some(isSignal) || KINDRED_PHRASES.some((phrase) => text.includes(` ${phrase} `))) return true;
  if (KINDRED_ALONE.includes(words.join(" "))) return true;
  // Written letter by letter: "ה ס ר", "S.T.O.P".
  return words.every((word) => Array.from(word).length === 1) && isSignal(words.join(""));
}

/** A longer word is none; the pattern below takes the square of a word's digits. */
const MAX_SIGNAL_CHARS = 200;

function isSignal(word: string): boolean {
  if (word.length > MAX_SIGNAL_CHARS) return false;
  // "הסר1".
  const letters = word.replace(/^\p{N}+|\p{N}+$/gu, "");
  return [letters, withoutRepeats(letters)].some((form) =>
    SIGNAL_WORDS.has(form) || SIGNAL_WORDS.has(withoutPrefix(form))
  );
}

/** "הסרר" → "הסר", "stoppp" → "stop". */
function withoutRepeats(word: string): string {
  return word.replace(/(.)\1+/gu, "$1");
}

/** "והסירו" → "הסירו": and, to, in, from, the, that, when. */
function withoutPrefix(word: string): string {
  return word.replace(/^(?:כש|[ולבמהש])/, "");
}
