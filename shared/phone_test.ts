import assert from "node:assert/strict";
import { formatPhone, maskPhone, phoneFromText, phoneToText } from "./phone.ts";

Deno.test("formatPhone() groups Israeli numbers in local form and others internationally", () => {
  assert.equal(formatPhone("+972543710968"), "054-371-0968");
  assert.equal(formatPhone("+972770000000"), "077-000-0000");
  assert.equal(formatPhone("+97246010042"), "04-601-0042");
  assert.equal(formatPhone("+9721800123456"), "+972 18 0012 3456");
  assert.equal(formatPhone("+442079460958"), "+44 20 7946 0958");
  assert.equal(formatPhone("+16502530000"), "+1 650 253 0000");
  assert.equal(formatPhone("+33612345678"), "+33 612 345 678");
  assert.equal(formatPhone("+35312345678"), "+353 1234 5678");
});

Deno.test("maskPhone() leaves enough to recognise a number and too little to call it", () => {
  assert.equal(maskPhone("+972543710968"), "054-•••-0968");
  assert.equal(maskPhone("+97246010042"), "04-•••-0042");
  assert.equal(maskPhone("+442079460958"), "+44 ••• 0958");
});

Deno.test("phoneToText() and phoneFromText() are each other's reverse", () => {
  assert.equal(phoneToText(972543710968), "+972543710968");
  assert.equal(phoneFromText("+972543710968"), 972543710968);
  assert.equal(phoneFromText("+999999999999999"), 999_999_999_999_999);
  for (const text of ["", "972543710968", "+0972543710968", "+12345", "+1234567890123456"]) {
    assert.throws(() => phoneFromText(text), TypeError, text);
  }
});
