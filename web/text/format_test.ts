import assert from "node:assert/strict";
import fc from "shared/testing/fast_check.ts";
import { countOf } from "./count.ts";
import { uploadSentence } from "../features/contacts/text/contacts.ts";
import { estimateWords, readyEstimate } from "../features/campaigns/text/estimate.ts";
import { formatAge, formatChange, formatDay, formatMoment, formatNumber, formatTime } from "./format.ts";

const SECOND = 1000, MINUTE = 60 * SECOND, HOUR = 60 * MINUTE, DAY = 24 * HOUR;

Deno.test("formatAge() has special words for one and two", () => {
  const ages: [number, string][] = [
    [0, "לפני שנייה"],
    [SECOND, "לפני שנייה"],
    [8 * SECOND, "לפני 8 שנ׳"],
    [MINUTE, "לפני דקה"],
    [2 * MINUTE, "לפני שתי דקות"],
    [3 * MINUTE, "לפני 3 דקות"],
    [HOUR, "לפני שעה"],
    [2 * HOUR, "לפני שעתיים"],
    [3 * HOUR, "לפני 3 שעות"],
    [DAY, "לפני יום"],
    [2 * DAY - 1, "לפני יום"],
    [2 * DAY, "לפני יומיים"],
    [3 * DAY, "לפני 3 ימים"],
    [7 * DAY, "לפני שבוע"],
    [14 * DAY, "לפני שבועיים"],
  ];
  for (const [age, text] of ages) assert.equal(formatAge(age), text);
});

Deno.test("formatAge() never says a bare one or two, and never a negative age", () => {
  fc.assert(fc.property(fc.integer({ min: -DAY, max: 5 * 365 * DAY }), (age) => {
    const text = formatAge(age);
    assert.doesNotMatch(text, /-|לפני 1 |לפני 2 (?!שנ׳)/);
  }));
});

Deno.test("formatNumber() groups by comma and formatChange() signs with a real minus", () => {
  assert.equal(formatNumber(12_480), "12,480");
  assert.equal(formatChange(35), "+35");
  assert.equal(formatChange(-3200), "\u22123,200");
  fc.assert(fc.property(fc.integer(), (value) => {
    assert.equal(Number(formatNumber(value).replaceAll(",", "").replace("\u2212", "-")), value);
  }));
});

Deno.test("formatMoment() counts days as Jerusalem does, on both sides of its clock change", () => {
  const now = Date.parse("2026-07-01T22:30:00Z"); // 01:30 on 2 July in Jerusalem
  assert.equal(formatTime(now), "01:30");
  assert.equal(formatDay(Date.parse("2026-07-01T20:00:00Z"), now), "אתמול");
  assert.equal(formatMoment(now - 10 * MINUTE, now), "היום ב־01:20");
  assert.equal(formatDay(Date.parse("2026-01-05T10:00:00Z"), now), "5.1.2026");
});

Deno.test("formatDay() uses the calendar for yesterday, also for days of 23 or 25 hours", () => {
  const at = (text: string) => Date.parse(text);
  // Friday 27 March 2026 has 23 hours, and Sunday 25 October 25.
  assert.equal(formatDay(at("2026-03-26T23:30:00+02:00"), at("2026-03-28T00:15:00+03:00")), "26.3.2026");
  assert.equal(formatDay(at("2026-03-27T12:00:00+03:00"), at("2026-03-28T00:15:00+03:00")), "אתמול");
  assert.equal(formatDay(at("2026-10-24T12:00:00+03:00"), at("2026-10-25T23:30:00+02:00")), "אתמול");
  assert.equal(formatDay(at("2026-10-25T00:10:00+03:00"), at("2026-10-25T23:30:00+02:00")), "היום");
});

Deno.test("estimateWords() writes minutes, then the time, the day and the date", () => {
  const now = Date.parse("2026-11-22T10:00:00+02:00"); // a Sunday
  const words = (afterMs: number, remaining = 1) => {
    const { label, value } = estimateWords({ endsAt: now + afterMs }, remaining, now);
    return `${label} ${value}`;
  };
  assert.equal(words(73 * MINUTE), "זמן משוער ~73 דקות");
  assert.equal(words(MINUTE + 1), "זמן משוער ~2 דקות");
  assert.equal(words(MINUTE), "זמן משוער כדקה");
  assert.equal(words(3 * SECOND), "זמן משוער כדקה");
  assert.equal(words(0), "זמן משוער בקרוב...");
  assert.equal(words(-MINUTE), "זמן משוער בקרוב...");
  assert.equal(words(MINUTE, 0), "זמן משוער בקרוב...");
  assert.equal(words(6 * HOUR + 40 * MINUTE), "יסתיים היום ב־16:40");
  assert.equal(words(DAY), "יסתיים מחר ב־10:00");
  assert.equal(words(3 * DAY), "יסתיים ביום רביעי");
  assert.equal(words(30 * DAY), "יסתיים ב־22.12.2026");
});

Deno.test("readyEstimate() says when a campaign would end, before it is sent", () => {
  const now = Date.parse("2026-11-22T10:00:00+02:00");
  const says = (afterMs: number) => readyEstimate({ endsAt: now + afterMs }, now);
  assert.equal(says(0), "אם יישלח עכשיו, יסתיים תוך כדקה.");
  assert.equal(says(12 * MINUTE), "אם יישלח עכשיו, יסתיים תוך ~12 דקות.");
  assert.equal(says(3 * DAY), "אם יישלח עכשיו, יסתיים ביום רביעי.");
});

Deno.test("countOf() counts in Hebrew", () => {
  assert.equal(countOf(1, "message"), "הודעה אחת");
  assert.equal(countOf(2, "recipient"), "שני נמענים");
  assert.equal(countOf(1240, "contact"), "1,240 אנשי קשר");
});

Deno.test("uploadSentence() states what was added and what was not", () => {
  assert.equal(
    uploadSentence({ total: 1240, duplicatesRemoved: 38, invalid: 12, suppressed: 4, withoutConsent: 0 }),
    "נוספו 1,240 מספרים. 38 חזרו על עצמם, 12 לא תקינים, 4 ביקשו הסרה.",
  );
  assert.equal(
    uploadSentence({ total: 0, duplicatesRemoved: 5, invalid: 0, suppressed: 0, withoutConsent: 0 }),
    "כל 5 המספרים כבר נמצאים בקמפיין. לא נוסף דבר.",
  );
  const allThere = (duplicatesRemoved: number) =>
    uploadSentence({ total: 0, duplicatesRemoved, invalid: 0, suppressed: 0, withoutConsent: 0 });
  assert.equal(allThere(1), "המספר כבר נמצא בקמפיין. לא נוסף דבר.");
  assert.equal(allThere(2), "שני המספרים כבר נמצאים בקמפיין. לא נוסף דבר.");
});
