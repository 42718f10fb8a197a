import assert from "node:assert/strict";
import { formatPhone } from "./phone.ts";

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
