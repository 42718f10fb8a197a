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
  assert.ok(!isIn("2001:db8::1", "0.0.0.0/0"), "the other family");
  assert.ok(isIn("203.0.113.7", "::ffff:203.0.113.7"));
  assert.ok(!isIn("unknown", "0.0.0.0/0"));
});

Deno.test("isInRange() compares all bits of an IPv6 address, in any of its forms", () => {
  assert.ok(isIn("2001:db8:0:1::5", "2001:db8::/32"));
  assert.ok(isIn("2001:0DB8:0:1:0:0:0:5", "2001:db8:0:1::5"));
  assert.ok(!isIn("2001:db8:0:1::6", "2001:db8:0:1::5"), "a neighbour in the same /64");
  assert.ok(isIn("2001:db8:0:1::6", "2001:db8:0:1::/64"));
  assert.ok(isIn("::1", "::1"));
  assert.ok(!isIn("::2", "::1"));
  assert.ok(isIn("::ffff:cb00:7107", "203.0.113.0/24"), "an IPv4 address in IPv6");
  assert.ok(!isIn("::ffff:cb00:7107", "::/0"), "which is of the other family");
  assert.ok(!isIn("2001:db9::1", "2001:db8::/32"));
});
