import assert from "node:assert/strict";
import fc from "shared/testing/fast_check.ts";
import { DAY, readDay, writeDay } from "./day.ts";

Deno.test("readDay() reads a day as people write it, day before month", () => {
  for (
    const typed of [
      "1.2.2026",
      "01/02/2026",
      " 1-2-2026 ",
      "01.02.2026",
      "\u200f1.2.2026",
      "1 2 2026",
      "1,2,2026",
      "2026-02-01",
      "1.2.26",
      "1/2/26",
      "1. 2. 2026",
      "1 בפברואר 2026",
      "1 פברואר, 2026",
      "1 ב־פברואר 26",
    ]
  ) {
    assert.equal(readDay(typed), "2026-02-01", typed);
  }
});

Deno.test("readDay() refuses what is not a day of the calendar", () => {
  for (
    const typed of [
      "",
      "1.2",
      "1.2.126",
      "1 בינואש 2026",
      "31 באפריל 2026",
      "31.2.2026",
      "29.2.2026",
      "0.1.2026",
      "1.13.2026",
      "אתמול",
    ]
  ) {
    assert.equal(readDay(typed), undefined, typed);
  }
  assert.equal(readDay("29.2.2028"), "2028-02-29");
});

Deno.test("readDay() knows today and yesterday where it is given today, also over the end of a year", () => {
  assert.equal(readDay("היום", "2026-03-01"), "2026-03-01");
  assert.equal(readDay("אתמול", "2026-03-01"), "2026-02-28");
  assert.equal(readDay("אתמול", "2026-01-01"), "2025-12-31");
});

Deno.test("the example of a day is in the past", () => {
  assert.ok(readDay(DAY.example)! < "2026-01-01");
});

Deno.test("readDay() reads what writeDay() wrote", () => {
  const day = fc.date({ min: new Date("1000-01-01"), max: new Date("9999-12-31"), noInvalidDate: true });
  fc.assert(fc.property(day, (date) => {
    const iso = date.toISOString().slice(0, 10);
    assert.equal(readDay(writeDay(iso)), iso);
  }));
});
