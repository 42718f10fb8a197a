import assert from "node:assert/strict";
import { isInRange, parseRange } from "./address_range.ts";

const isIn = (address: string, range: string) => isInRange(address, parseRange(range)!);

Deno.test("parseRange() refuses what is no address and no network", () => {
  const wrong = [
    "",
    "x",
    "1.2.3",
    "1.2.3.256",
    "01.2.3.4",
    "1.2.3.4/33",
    "1.2.3.4/",
    "::1::",
    "1:2:3",
    "g::",
    "::/129",
  ];
  for (const text of [...wrong, "1.2.3.4/-1", "1.2.3.4 ", "1:2:3:4:5:6:7:8:9"]) {
    assert.equal(parseRange(text), null, text);
  }
});

Deno.test("isInRange() compares the leading bits of one family", () => {
  assert.ok(isIn("203.0.113.7", "203.0.113.7"));
  assert.ok(!isIn("203.0.113.8", "203.0.113.7"));
  assert.ok(isIn("203.0.113.255", "203.0.113.0/24"));
  assert.ok(!isIn("203.0.114.0", "203.0.113.0/24"));
  assert.ok(isIn("198.51.100.1", "0.0.0.0/0"));
  assert.ok(!isIn("2001:db8:0:1", "0.0.0.0/0"), "the other family");
  assert.ok(isIn("203.0.113.7", "::ffff:203.0.113.7"));
  assert.ok(!isIn("unknown", "0.0.0.0/0"));
});

Deno.test("isInRange() knows an IPv6 address by its first four groups, as callers are kept", () => {
  assert.ok(isIn("2001:db8:0:1", "2001:db8::/32"));
  assert.ok(isIn("2001:db8:0:1", "2001:db8:0:1::5"), "one address stands for its /64");
  assert.ok(!isIn("2001:db8:0:2", "2001:db8:0:1::5"));
  assert.ok(isIn("0:0:0:0", "::1"));
  assert.ok(!isIn("2001:db9:0:1", "2001:db8::/32"));
});
