import assert from "node:assert/strict";
import fc from "shared/testing/fast_check.ts";
import { isPublic, isWithin, parseAddress, parseNetwork } from "./public_address.ts";

/** Addresses that lead to this machine, its network, its cloud, to many, or to nobody. */
const REFUSED = [
  // This machine, however it is written.
  "127.0.0.1",
  "127.255.255.254",
  "0.0.0.0",
  "0.1.2.3",
  "::",
  "::1",
  "::ffff:127.0.0.1",
  "::ffff:7f00:1",
  "::127.0.0.1",
  "64:ff9b::127.0.0.1",
  "64:ff9b::7f00:1",
  "64:ff9b:1::1",
  "2002:7f00:1::",
  // Private networks.
  "10.0.0.1",
  "10.255.255.255",
  "172.16.0.1",
  "172.31.255.255",
  "192.168.0.1",
  "192.168.255.255",
  "::ffff:10.0.0.1",
  "::ffff:192.168.1.1",
  "64:ff9b::10.0.0.1",
  "2002:0a00:0001::",
  "fc00::1",
  "fd12:3456:789a::1",
  "fec0::1",
  // Link-local, and what clouds tell their machines.
  "169.254.0.1",
  "169.254.169.254",
  "169.254.170.2",
  "::ffff:169.254.169.254",
  "::ffff:a9fe:a9fe",
  "64:ff9b::a9fe:a9fe",
  "fd00:ec2::254",
  "fe80::1",
  "febf::1",
  "100.100.100.200",
  "168.63.129.16",
  "192.0.0.192",
  // Shared by a provider's customers.
  "100.64.0.1",
  "100.127.255.255",
  // Many at once.
  "224.0.0.1",
  "239.255.255.255",
  "255.255.255.255",
  "ff02::1",
  "ff0e::1",
  // Examples, measurements, tunnels, the future.
  "192.0.2.1",
  "198.51.100.1",
  "203.0.113.1",
  "198.18.0.1",
  "198.19.255.255",
  "192.88.99.1",
  "240.0.0.1",
  "2001::1",
  "2001:0:53aa:64c:0:0:0:1",
  "2001:10::1",
  "2001:db8::1",
  "2002:0808:0808::",
  "3fff::1",
  "100::1",
  "5f00::1",
  "4000::1",
];
const ALLOWED = [
  "8.8.8.8",
  "1.1.1.1",
  "9.255.255.255",
  "11.0.0.0",
  "100.63.255.255",
  "100.128.0.0",
  "172.15.255.255",
  "172.32.0.0",
  "192.167.255.255",
  "192.169.0.0",
  "169.253.255.255",
  "223.255.255.255",
  "::ffff:8.8.8.8",
  "64:ff9b::8.8.8.8",
  "2606:4700:4700::1111",
  "2a00:1450:4001:81b::200e",
  "2001:4860:4860::8888",
];

Deno.test("isPublic() refuses each address of the list, and no other", () => {
  for (const text of REFUSED) {
    const bits = parseAddress(text);
    assert.ok(bits !== null && !isPublic(bits), text);
  }
  for (const text of ALLOWED) assert.ok(isPublic(parseAddress(text)!), text);
});

Deno.test("an IPv4 address inside an IPv6 address is judged as itself", () => {
  const byte = fc.integer({ min: 0, max: 255 });
  fc.assert(fc.property(fc.tuple(byte, byte, byte, byte), (bytes) => {
    const text = bytes.join(".");
    const own = isPublic(parseAddress(text)!);
    assert.equal(isPublic(parseAddress(`::ffff:${text}`)!), own);
    assert.equal(isPublic(parseAddress(`64:ff9b::${text}`)!), own);
  }));
});

Deno.test("parseAddress() reads every form of one address alike, and nothing else", () => {
  for (
    const [one, other] of [["::1", "0:0:0:0:0:0:0:1"], ["1::", "1:0:0:0:0:0:0:0"], [
      "::ffff:1.2.3.4",
      "1.2.3.4",
    ]]
  ) {
    assert.equal(parseAddress(one!), parseAddress(other!));
  }
  const none = [
    ...["", "1.2.3", "1.2.3.4.5", "1.2.3.256", "01.2.3.4", "0x7f.0.0.1", "2130706433", "localhost"],
    ...[
      ":",
      ":::",
      "1::2::3",
      "1:2:3:4:5:6:7",
      "1:2:3:4:5:6:7:8:9",
      "fe80::1%eth0",
      "::ffff:1.2.3",
      "12345::",
      "[::1]",
    ],
  ];
  for (const text of none) assert.equal(parseAddress(text), null, text);
  fc.assert(fc.property(fc.string(), (text) => {
    parseAddress(text);
    parseNetwork(text);
  }));
});

Deno.test("parseNetwork() reads an operator's networks, whose whole prefix counts", () => {
  const networks = ["10.1.0.0/16", "fd00:1::/32", "127.0.0.1", "::1/128"].map((text) => parseNetwork(text)!);
  for (const text of ["10.1.255.255", "fd00:1::9", "127.0.0.1", "::ffff:127.0.0.1", "::1"]) {
    assert.ok(isWithin(parseAddress(text)!, networks), text);
  }
  for (const text of ["10.2.0.0", "fd00:2::1", "127.0.0.2", "::2", "::"]) {
    assert.ok(!isWithin(parseAddress(text)!, networks), text);
  }
  for (const text of ["10.0.0.0/33", "::/129", "10.0.0.0/", "/8", "10.0.0.0/8/8"]) {
    assert.equal(parseNetwork(text), null, text);
  }
});
