import assert from "node:assert/strict";
import fc from "shared/testing/fast_check.ts";
import {
  encodeHexFrame,
  encodeRequest,
  encodeShellPacket,
  encodeSyncFrame,
  parseHex4,
  shellHeader,
  syncHeader,
  syncStat,
} from "./wire.ts";

const ascii = (bytes: Uint8Array) => new TextDecoder("latin1").decode(bytes);

Deno.test("encodeRequest() writes what adb 1.0.41 writes for host:version", () => {
  assert.equal(ascii(encodeRequest("host:version")), "000chost:version");
});

Deno.test("encodeRequest() counts bytes, not characters", () => {
  assert.equal(ascii(encodeRequest("shell:echo ש")).slice(0, 4), "000d");
});

Deno.test("encodeHexFrame() refuses a length beyond four hex digits", () => {
  assert.equal(encodeHexFrame("x".repeat(0xffff)).length, 4 + 0xffff);
  assert.throws(() => encodeHexFrame("x".repeat(0x10000)), RangeError);
});

Deno.test("parseHex4() undoes the length of every frame and refuses everything else", () => {
  fc.assert(fc.property(fc.string({ maxLength: 100 }), (text) => {
    const frame = encodeHexFrame(text);
    assert.equal(parseHex4(frame.subarray(0, 4)), frame.length - 4);
  }));
  for (const text of ["12", "12345", "00g0", "-001", " 0c "]) {
    assert.throws(() => parseHex4(new TextEncoder().encode(text)), SyntaxError);
  }
});

Deno.test('encodeShellPacket() writes the bytes of adbd: stdout "hi\\n", then exit 7', () => {
  assert.equal(encodeShellPacket(1, new TextEncoder().encode("hi\n")).toHex(), "010300000068690a");
  assert.equal(encodeShellPacket(3, new Uint8Array([7])).toHex(), "030100000007");
});

Deno.test("shellHeader decodes every packet it encodes, also in the middle of a buffer", () => {
  fc.assert(fc.property(fc.nat(255), fc.uint8Array({ maxLength: 300 }), (id, data) => {
    const shifted = new Uint8Array([9, 9, ...encodeShellPacket(id, data)]).subarray(2);
    assert.deepEqual(shellHeader.decode(shifted), { id, length: data.length });
  }));
});

Deno.test("encodeSyncFrame() writes id, little-endian length and payload", () => {
  assert.equal(ascii(encodeSyncFrame("RECV", new TextEncoder().encode("/a"))), "RECV\x02\0\0\0/a");
  assert.throws(() => syncHeader.decode(new Uint8Array(7)), RangeError);
});

Deno.test("syncStat decodes the answer for a directory", () => {
  const bytes = Uint8Array.fromHex("53544154f94100000010000000e1f505");
  assert.deepEqual(syncStat.decode(bytes), { id: "STAT", mode: 0o40771, size: 4096, mtime: 100_000_000 });
  assert.deepEqual(syncStat.encode(syncStat.decode(bytes)), bytes);
});
