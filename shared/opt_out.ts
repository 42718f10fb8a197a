/**
 * Decides whether a person's reply asks for removal. The site decides beside the phone, so other replies never
 * leave it. Section 30A of the Communications Law lets a recipient refuse by the channel of the message.
 */

import { withoutNumbers } from "./without_numbers.ts";

/**
 * remove = the whole reply asks for removal; unclear = the reply mentions removal, and a person decides; none =
 * the reply stays private.
 */
export type OptOutDecision = "remove" | "unclear" | "none";

/** Most characters kept of a reply. */
export const MAX_EXCERPT_CHARS = 80;

/** Marks inside a word that do not separate words: don't, צ'ק. */
const APOSTROPHES = /(?<=\p{L})['’׳](?=\p{L})/gu;
/** Marks that may separate words: "הס״ר" and "הס-ר" are one word, 'אמרו"הסר"' is two. */
const QUOTES_TOO = /(?<=\p{L})['’׳"״”\p{Pd}](?=\p{L})/gu;

/** Replies that cause removal when they are the whole text, in the form that normalWords() returns. */
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

/** Words about removal that are not such a reply by themselves, in usual forms and spellings. */
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

/** Phrases about removal: the words that follow a refusal of messages. */
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

/** Everyday words that mean refusal when they are the whole reply. */
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
 * Returns the decision about one reply. `isCut` means that the phone showed only its beginning: the rest may
 * reverse the meaning, so a person reads it.
 */
export function decideOptOut(text: string, { isCut = false } = {}): OptOutDecision {
  const words = normalWords(text);
  if (KEYWORDS.has(words.join(" "))) return isCut ? "unclear" : "remove";
  return speaksOfRemoval(words) || speaksOfRemoval(normalWords(text, QUOTES_TOO)) ? "unclear" : "none";
}

/** Returns the beginning of a reply on one line, without possible phone numbers. */
export function excerptOf(text: string): string {
  const line = withoutNumbers(text.replace(/\p{Cf}/gu, "").replace(/[\s\p{Cc}]+/gu, " ").trim());
  const chars = Array.from(line);
  return chars.length <= MAX_EXCERPT_CHARS ? line : `${chars.slice(0, MAX_EXCERPT_CHARS - 1).join("")}…`;
}

/**
 * Returns the words of a text without niqqud and other marks, bidi controls, emoji, punctuation and case: they do
 * not change its meaning. NFKD unifies the several encodings of one letter.
 */
function normalWords(text: string, joining = APOSTROPHES): string[] {
  return text.normalize("NFKD").replace(/[\p{M}\p{Cf}]/gu, "").toLowerCase()
    .replace(joining, "").replace(/[^\p{L}\p{N}]+/gu, " ").trim().split(" ");
}

function speaksOfRemoval(words: readonly string[]): boolean {
  const text = ` ${words.join(" ")} `;
  if (words.some(isSignal) || KINDRED_PHRASES.some((phrase) => text.includes(` ${phrase} `))) return true;
  if (KINDRED_ALONE.includes(words.join(" "))) return true;
  // Letters with spaces or dots between them: "ה ס ר", "S.T.O.P".
  return words.every((word) => Array.from(word).length === 1) && isSignal(words.join(""));
}

/** Longest word that can be a signal; the pattern below takes time with the square of a word's digits. */
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

/** Strips Hebrew prefixes (and, to, in, from, the, that, when): "והסירו" → "הסירו". */
function withoutPrefix(word: string): string {
  return word.replace(/^(?:כש|[ולבמהש])/, "");
}
