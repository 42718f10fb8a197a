import assert from "node:assert/strict";
import fc from "shared/testing/fast_check.ts";
import { withoutNumbers } from "./without_numbers.ts";

Deno.test("withoutNumbers() removes numbers in any way of writing", () => {
  const between = fc.constantFrom(
    "",
    " ",
    "-",
    "–",
    "\u2011",
    "−",
    ".",
    "/",
    "\u200e",
    "\u00a0",
    ") (",
    "_",
    "’",
  );
  const zeros = fc.constantFrom("0".codePointAt(0)!, 0x0660, 0xff10);
  fc.assert(fc.property(fc.array(between, { minLength: 9, maxLength: 9 }), zeros, (gaps, zero) => {
    const digits = [..."0543710968"].map((digit) => String.fromCodePoint(zero + Number(digit)));
    const number = digits.map((digit, at) => digit + (gaps[at] ?? "")).join("");
    assert.equal(withoutNumbers(`התקשר ${number}, ביקש לחזור`), "התקשר •••, ביקש לחזור");
  }));
});

Deno.test("withoutNumbers() keeps hours, sums and short numbers", () => {
  for (const text of ["ביטול תורים ב־09:30", "1,200 נמענים", "סניף 12, קומה 3", ""]) {
    assert.equal(withoutNumbers(text), text);
  }
});

Deno.test("withoutNumbers() keeps dates, alone or with an hour, and masks a number beside one", () => {
  const dates = [
    "דוכן בכנס 12/03/2025",
    "טופס מיום 1.12.2024, נסרק",
    "2025-03-12",
    "01.03.2025-12.03.2025",
    "12/03/25 14:30",
    "ב־09:30 12-03-2025.",
  ];
  for (const text of dates) assert.equal(withoutNumbers(text), text);
  const masked = [
    ["12/03/2025, 054-371-0968", "12/03/2025, •••"],
    ["12/03/2025 054-371-0968", "•••"],
    ["+12/03/2025", "•••"],
    ["054/31/12/2025", "•••"],
    ["05/12/2025 14", "•••"],
    ["31/13/2025", "•••"],
    ["12/03/2525", "•••"],
    ["1/2/2025 3/4/2025", "•••"],
  ];
  for (const [text, left] of masked) assert.equal(withoutNumbers(text!), left, text);
});
