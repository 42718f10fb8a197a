/** Dates of the Hebrew calendar in words, and moments of Israel's clock as a person says them. */

const ZONE = "Asia/Jerusalem";
const GERESH = "׳";
const GERSHAYIM = "״";
const UNITS = ["", "א", "ב", "ג", "ד", "ה", "ו", "ז", "ח", "ט"];
const TENS = ["", "י", "כ", "ל", "מ", "נ", "ס", "ע", "פ", "צ"];
const HUNDREDS = ["", "ק", "ר", "ש", "ת", "תק", "תר", "תש", "תת", "תתק"];

const hebrew = new Intl.DateTimeFormat("he-u-ca-hebrew", {
  timeZone: ZONE,
  year: "numeric",
  month: "long",
  day: "numeric",
});
const weekday = new Intl.DateTimeFormat("he-IL", { timeZone: ZONE, weekday: "long" });
const date = new Intl.DateTimeFormat("he-IL", {
  timeZone: ZONE,
  year: "numeric",
  month: "numeric",
  day: "numeric",
});
const time = new Intl.DateTimeFormat("he-IL", {
  timeZone: ZONE,
  hour: "2-digit",
  minute: "2-digit",
  hourCycle: "h23",
});

/** Returns a number from 1 to 999 in Hebrew letters: "ט״ו", "ל׳", "תשפ״ז". @throws RangeError for another number */
export function hebrewNumber(value: number): string {
  if (!Number.isInteger(value) || value < 1 || value > 999) {
    throw new RangeError(`Cannot write ${value} in Hebrew letters: not from 1 to 999`);
  }
  const rest = value % 100;
  // 15 and 16 would spell a name of God.
  const low = rest === 15 ? "טו" : rest === 16 ? "טז" : TENS[Math.floor(rest / 10)]! + UNITS[rest % 10]!;
  const letters = HUNDREDS[Math.floor(value / 100)]! + low;
  return letters.length === 1 ? letters + GERESH : letters.slice(0, -1) + GERSHAYIM + letters.slice(-1);
}

/** Returns the Hebrew date of an instant, ms, by Israel's midnight: "ט״ו בניסן תשפ״ז". */
export function hebrewDate(at: number): string {
  const { day, month, year } = partsOf(at);
  return `${hebrewNumber(Number(day))} ב${month} ${hebrewNumber(Number(year) % 1000)}`;
}

/** Returns a planned moment: "יום חמישי, 22.4.2027, ט״ו בניסן תשפ״ז, בשעה 09:00". */
export function planMoment(at: number): string {
  return `${weekday.format(at)}, ${date.format(at)}, ${hebrewDate(at)}, בשעה ${time.format(at)}`;
}

function partsOf(at: number): Record<string, string> {
  return Object.fromEntries(hebrew.formatToParts(at).map(({ type, value }) => [type, value]));
}
