import assert from "node:assert/strict";
import fc from "shared/testing/fast_check.ts";
import { readDay, writeDay } from "./day.ts";

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
    ]
  ) {
    assert.equal(readDay(typed), "2026-02-01", typed);
  }
});

Deno.test("readDay() refuses what is not a day of the calendar", () => {
  for (const typed of ["", "1.2", "1.2.26", "31.2.2026", "29.2.2026", "0.1.2026", "1.13.2026", "אתמול"]) {
    assert.equal(readDay(typed), undefined, typed);
  }
  assert.equal(readDay("29.2.2028"), "2028-02-29");
});

Deno.test("readDay() reads what writeDay() wrote", () => {
  const day = fc.date({ min: new Date("1000-01-01"), max: new Date("9999-12-31"), noInvalidDate: true });
  fc.assert(fc.property(day, (date) => {
    const iso = date.toISOString().slice(0, 10);
    assert.equal(readDay(writeDay(iso)), iso);
  }));
});
