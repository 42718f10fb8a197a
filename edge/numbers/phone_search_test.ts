import assert from "node:assert/strict";
import fc from "shared/testing/fast_check.ts";
import { phoneRanges } from "./phone_search.ts";

Deno.test("phoneRanges() holds exactly the numbers that begin with the digits", () => {
  const digits = fc.stringMatching(/^[1-9]\d{0,14}$/);
  const phone = fc.stringMatching(/^[1-9]\d{6,14}$/);
  fc.assert(
    fc.property(digits, phone, fc.boolean(), (q, other, own) => {
      const number = own ? (q + other).slice(0, Math.max(q.length, 7)) : other;
      const isInside = phoneRanges(q).some(({ first, last }) =>
        first <= Number(number) && Number(number) <= last
      );
      assert.equal(isInside, number.startsWith(q));
    }),
    { numRuns: 500 },
  );
});

Deno.test("phoneRanges() accepts a number in any common form", () => {
  const whole = phoneRanges("972543710968");
  for (const q of ["054-371-0968", "0543710968", "+972 54 371 0968", "00972-54-3710968", "(054) 371 0968"]) {
    assert.deepEqual(phoneRanges(q), whole, q);
  }
  assert.deepEqual(whole[0], { first: 972543710968, last: 972543710968 });
});

Deno.test("phoneRanges() accepts what a phone or a spreadsheet makes of a number", () => {
  const whole = phoneRanges("972520000003");
  for (
    const q of ["\u2068052-000-0003\u2069", "\u200e+972 52\u2011000\u20110003", "٠٥٢٠٠٠٠٠٠٣", '="0520000003"']
  ) {
    assert.deepEqual(phoneRanges(q), whole, q);
  }
  assert.deepEqual(phoneRanges("\u200e052"), phoneRanges("052"));
  const lostZero = phoneRanges("520000003");
  assert.deepEqual(
    lostZero.filter(({ first }) => first === 972520000003),
    [{ first: 972520000003, last: 972520000003 }],
  );
  assert.deepEqual(lostZero, lostZero.toSorted((a, b) => a.first - b.first));
  assert.ok(phoneRanges("+520000003").every(({ first }) => String(first).startsWith("52")));
});

Deno.test("phoneRanges() returns nothing for a text without digits or with more digits than a number", () => {
  assert.deepEqual(phoneRanges("דנה"), []);
  assert.deepEqual(phoneRanges("רחוב 97"), []);
  assert.deepEqual(phoneRanges("1".repeat(40)), []);
});
