/** Shows a number of a sheet as its format does, where the format makes a date, a time, or digits with zeros of it. */

/** The formats of ECMA-376 18.8.30 that have no code in the file, as Excel shows them in Israel. */
const BUILT_IN: Record<number, string> = {
  14: "dd/mm/yyyy",
  15: "d-mmm-yy",
  16: "d-mmm",
  17: "mmm-yy",
  18: "h:mm AM/PM",
  19: "h:mm:ss AM/PM",
  20: "h:mm",
  21: "h:mm:ss",
  22: "dd/mm/yyyy h:mm",
  45: "mm:ss",
  46: "[h]:mm:ss",
  47: "mm:ss",
};
const MAX_CODE_CHARS = 255;
const DAY_MS = 86_400_000;
/** Serial 0 of each calendar; the first has a 29.2.1900 that was never there. */
const FIRST_DAY_1900 = Date.UTC(1899, 11, 30);
const FIRST_DAY_1904 = Date.UTC(1904, 0, 1);
const LEAP_SERIAL = 60;
/** 31.12.9999. */
const MAX_SERIAL = 2_958_466;

const MONTHS = [
  "ינואר",
  "פברואר",
  "מרץ",
  "אפריל",
  "מאי",
  "יוני",
  "יולי",
  "אוגוסט",
  "ספטמבר",
  "אוקטובר",
  "נובמבר",
  "דצמבר",
];
const SHORT_MONTHS = ["ינו", "פבר", "מרץ", "אפר", "מאי", "יונ", "יול", "אוג", "ספט", "אוק", "נוב", "דצמ"];
const DAYS = ["יום ראשון", "יום שני", "יום שלישי", "יום רביעי", "יום חמישי", "יום שישי", "שבת"];
const SHORT_DAYS = ["יום א", "יום ב", "יום ג", "יום ד", "יום ה", "יום ו", "שבת"];

/** Shows a number, or returns null when the format changes nothing that matters in a list of people. */
export type ShowNumber = (value: number) => string | null;

/** Returns how a number of this format is shown. `code` is the format's own code; null = a built-in one. */
export function numberFormat(id: number, code: string | null, is1904: boolean): ShowNumber | null {
  const section = firstSection((code ?? BUILT_IN[id] ?? "").slice(0, MAX_CODE_CHARS));
  const parts = cutFormat(section);
  if (parts.some(({ kind }) => kind === "date")) return remember((value) => showDate(value, parts, is1904));
  const zeros = parts.filter(({ kind }) => kind === "zero").length;
  return zeros > 1 && parts.every(({ kind }) => kind === "zero" || kind === "text")
    ? (value) => showDigits(value, parts, zeros)
    : null;
}

/** Days repeat within a column. */
const MAX_REMEMBERED = 10_000;

function remember(show: ShowNumber): ShowNumber {
  const shown = new Map<number, string | null>();
  return (value) => {
    let text = shown.get(value);
    if (text !== undefined) return text;
    text = show(value);
    if (shown.size < MAX_REMEMBERED) shown.set(value, text);
    return text;
  };
}

interface FormatPart {
  /** other = a sign of number formats, as "#" or "%". */
  kind: "date" | "zero" | "text" | "other";
  text: string;
}

function firstSection(code: string): string {
  return /^(?:"[^"]*"|\\.|[^;"\\])*/.exec(code)![0];
}

/** Splits at quoted texts, escaped signs, brackets, and runs of one letter. */
function cutFormat(section: string): FormatPart[] {
  const parts: FormatPart[] = [];
  const pattern =
    /"([^"]*)"|\\(.)|_.|\*.|\[(h+|m+|s+)\]|\[[^\]]*\]|AM\/PM|A\/P|General|y+|m+|d+|h+|s+|\.0+|0|[-/:., ()+]|./gi;
  for (const [all, quoted, escaped, elapsed] of section.matchAll(pattern)) {
    if (quoted !== undefined || escaped !== undefined) parts.push({ kind: "text", text: quoted ?? escaped! });
    else if (elapsed !== undefined) parts.push({ kind: "date", text: `[${elapsed.toLowerCase()}]` });
    else if (/^[[_*]/.test(all)) continue;
    else if (/^(AM\/PM|A\/P|y+|m+|d+|h+|s+)$/i.test(all)) {
      parts.push({ kind: "date", text: all.toLowerCase() });
    } else if (all === "0") parts.push({ kind: "zero", text: all });
    else if (/^[-/:, ()+.]$/.test(all)) parts.push({ kind: "text", text: all });
    else parts.push({ kind: "other", text: all });
  }
  return parts;
}

function showDigits(value: number, parts: FormatPart[], zeros: number): string | null {
  if (!Number.isSafeInteger(value) || value < 0) return null;
  const digits = String(value).padStart(zeros, "0");
  let shown = digits.slice(0, digits.length - zeros);
  let next = shown.length;
  for (const { kind, text } of parts) shown += kind === "zero" ? digits[next++] : text;
  return shown;
}

function showDate(value: number, parts: FormatPart[], is1904: boolean): string | null {
  if (!(value >= 0 && value < MAX_SERIAL)) return null;
  const day = Math.floor(value) + (!is1904 && value < LEAP_SERIAL ? 1 : 0);
  // Formats show seconds, and 1:00 is 0.041666…
  const seconds = Math.round((value - Math.floor(value)) * 86_400);
  const date = new Date((is1904 ? FIRST_DAY_1904 : FIRST_DAY_1900) + day * DAY_MS + seconds * 1000);
  const elapsedSeconds = Math.floor(value) * 86_400 + seconds;
  const has12Hours = parts.some(({ text }) => text === "am/pm" || text === "a/p");
  return parts.map(({ kind, text }, i) =>
    kind === "date"
      ? partOfDate(date, text, { has12Hours, isMinutes: isMinutes(parts, i), elapsedSeconds })
      : text
  ).join("");
}

/** Returns whether an "m" means minutes: it follows hours or precedes seconds. */
function isMinutes(parts: FormatPart[], at: number): boolean {
  const dates = parts.filter(({ kind }) => kind === "date");
  const i = dates.indexOf(parts[at]!);
  return /^\[?h/.test(dates[i - 1]?.text ?? "") || /^\[?s/.test(dates[i + 1]?.text ?? "");
}

function partOfDate(
  date: Date,
  text: string,
  { has12Hours, isMinutes, elapsedSeconds }: {
    has12Hours: boolean;
    isMinutes: boolean;
    elapsedSeconds: number;
  },
): string {
  const two = (number: number) => String(number).padStart(text.length > 1 ? 2 : 1, "0");
  const hours = date.getUTCHours();
  switch (text[0]) {
    case "y":
      return text.length > 2
        ? String(date.getUTCFullYear())
        : String(date.getUTCFullYear() % 100).padStart(2, "0");
    case "m":
      if (isMinutes) return two(date.getUTCMinutes());
      if (text.length > 2) return (text.length === 3 ? SHORT_MONTHS : MONTHS)[date.getUTCMonth()]!;
      return two(date.getUTCMonth() + 1);
    case "d":
      if (text.length > 2) return (text.length === 3 ? SHORT_DAYS : DAYS)[date.getUTCDay()]!;
      return two(date.getUTCDate());
    case "h":
      return two(has12Hours ? hours % 12 || 12 : hours);
    case "s":
      return two(date.getUTCSeconds());
    case "a":
      return hours < 12 ? "AM" : "PM";
  }
  const unit = text[1] === "h" ? 3600 : text[1] === "m" ? 60 : 1;
  return String(Math.floor(elapsedSeconds / unit));
}
