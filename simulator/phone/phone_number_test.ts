import assert from "node:assert/strict";
import { displayNumber, numberOf } from "./phone_number.ts";

Deno.test("displayNumber() groups as the app does and keeps the number left to right", () => {
  assert.equal(displayNumber("972501234567"), "\u202a+972 50-123-4567\u202c");
  assert.equal(displayNumber("97231234567"), "\u202a+972 3-123-4567\u202c");
  assert.equal(displayNumber("12125550123").replace(/\D/g, ""), "12125550123");
});

Deno.test("numberOf() takes digits, a plus and a jid, and nothing else", () => {
  for (const text of ["972501234567", "+972501234567", "972501234567@s.whatsapp.net"]) {
    assert.equal(numberOf(text), "972501234567");
  }
  for (const text of ["", "0501234567", "123", "97250123456a", "9".repeat(16), "972501234567@g.us"]) {
    assert.equal(numberOf(text), null);
  }
});
