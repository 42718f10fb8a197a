/**
 * The days on which no marketing is sent, by the fixed arithmetic of the Hebrew calendar: the mean new moon of Tishri
 * and its four postponements. There is no table that could run out. The test compares the result with Intl's calendar
 * up to 2040 and with announced dates.
 *
 * Days are whole numbers: days since 1 January 1970.
 */

/** 1 Tishri of the year 1, which is day 0 of `elapsedDays`, in days since 1 January 1970. */
const EPOCH_DAY = -1_373_427 - 719_163;
/** From 1 Nisan to the New Year all months have a fixed length: 30, 29, 30, 29, 30, 29 days. */
const NISAN_TO_NEW_YEAR = 177;
const SUNDAY = 0;
const MONDAY = 1;
const FRIDAY = 5;
const SATURDAY = 6;

/** Returns the weekday; 0 = Sunday. */
export function weekdayOf(day: number): number {
  return (((day + 4) % 7) + 7) % 7;
}

/** Returns the day of 1 Tishri of a Hebrew year. */
export function newYearDay(year: number): number {
  const [before, now, after] = [elapsedDays(year - 1), elapsedDays(year), elapsedDays(year + 1)];
  // A year may have neither 356 nor 382 days.
  const delay = after - now === 356 ? 2 : now - before === 382 ? 1 : 0;
  return EPOCH_DAY + now + delay;
}

/**
 * Returns the days from the calendar's epoch to the mean new moon of Tishri, moved off Sunday, Wednesday and Friday.
 */
function elapsedDays(year: number): number {
  const months = Math.floor((235 * year - 234) / 19);
  const parts = 12_084 + 13_753 * months;
  const day = 29 * months + Math.floor(parts / 25_920);
  return (3 * (day + 1)) % 7 < 3 ? day + 1 : day;
}

/** Returns whether a day in Israel is a holiday of rest, or a day of mourning or remembrance. */
export function isHoliday(day: number): boolean {
  // The year that begins in autumn 1970 is 5731.
  const year = 5731 + Math.floor(day / 365.2425);
  return [year - 1, year, year + 1].some((one) => holidaysOf(one).includes(day));
}

const known = new Map<number, readonly number[]>();

/** Returns the holidays of a Hebrew year in order. */
export function holidaysOf(year: number): readonly number[] {
  const days = known.get(year) ?? listHolidays(year);
  known.set(year, days);
  return days;
}

function listHolidays(year: number): number[] {
  const tishri = newYearDay(year);
  const nisan = newYearDay(year + 1) - NISAN_TO_NEW_YEAR;
  const independence = independenceDay(nisan + 34);
  return [
    tishri, // New Year
    tishri + 1,
    tishri + 9, // Day of Atonement
    tishri + 14, // Sukkot
    tishri + 21, // Shemini Atzeret
    nisan + 14, // Passover
    nisan + 20,
    remembranceOfTheShoah(nisan + 26),
    independence - 1, // Memorial Day
    independence,
    nisan + 64, // Shavuot, 6 Sivan
    ninthOfAv(nisan + 126),
  ];
}

/**
 * Returns 5 Iyar, moved so that neither it nor Memorial Day before it touches the Sabbath (law of 1949, as of 2004).
 */
function independenceDay(iyar5: number): number {
  switch (weekdayOf(iyar5)) {
    case FRIDAY:
      return iyar5 - 1;
    case SATURDAY:
      return iyar5 - 2;
    case MONDAY:
      return iyar5 + 1;
    default:
      return iyar5;
  }
}

/** Returns 27 Nisan, moved off Friday and Sunday (law of 1959, as of 1997). */
function remembranceOfTheShoah(nisan27: number): number {
  const weekday = weekdayOf(nisan27);
  return weekday === FRIDAY ? nisan27 - 1 : weekday === SUNDAY ? nisan27 + 1 : nisan27;
}

/** Returns the day of the fast of 9 Av: Sunday when 9 Av falls on a Sabbath. */
function ninthOfAv(av9: number): number {
  return weekdayOf(av9) === SATURDAY ? av9 + 1 : av9;
}
