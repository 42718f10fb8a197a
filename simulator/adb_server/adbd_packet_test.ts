import assert from "node:assert/strict";
import fc from "shared/testing/fast_check.ts";
import { ByteReader } from "../../agent/adb/byte_reader.ts";
import { ADBD_COMMANDS, encodePacket, readPacket, VERSION_SKIP_CHECKSUM } from "./adbd_packet.ts";

function readerOf(bytes: Uint8Array): ByteReader {
  let at = 0;
  return new ByteReader({
    read(into) {
      const part = bytes.subarray(at, at + into.length);
      into.set(part);
      at += part.length;
      return Promise.resolve(part.length === 0 ? null : part.length);
    },
  });
}

const u32 = fc.integer({ min: 0, max: 0xffff_ffff });
const packets = fc.record({
  command: fc.constantFrom(...ADBD_COMMANDS),
  arg0: u32,
  arg1: u32,
  data: fc.uint8Array({ maxLength: 5_000 }),
});

Deno.test("readPacket() gives back what encodePacket() took, with and without checksums", async () => {
  await fc.assert(
    fc.asyncProperty(packets, fc.constantFrom(undefined, VERSION_SKIP_CHECKSUM), async (given, version) => {
      // A greeting holds the version in which it is written.
      const packet = given.command === "CNXN" ? { ...given, arg0: version ?? 0x01000000 } : { ...given };
      assert.deepEqual(await readPacket(readerOf(encodePacket(packet, version)), version), packet);
    }),
  );
});

Deno.test("encodePacket() writes a header as AOSP's protocol.txt has it", () => {
  const data = new TextEncoder().encode("host::\0");
  const bytes = encodePacket({ command: "CNXN", arg0: 0x01000000, arg1: 4096, data });
  assert.equal(
    bytes.subarray(0, 24).toHex(),
    "434e584e" + "00000001" + "00100000" + "07000000" + "32020000" + "bcb1a7b1",
  );
});

Deno.test("readPacket() refuses bytes that are not a packet", async () => {
  const good = encodePacket({ command: "WRTE", arg0: 1, arg1: 2, data: new Uint8Array([1, 2, 3]) });
  const broken = (at: number) => good.with(at, good[at]! ^ 1);
  for (const at of [0, 15, 16, 20, 26]) await assert.rejects(readPacket(readerOf(broken(at))), RangeError);
  await assert.rejects(readPacket(readerOf(good.subarray(0, 25))), { name: "EndOfStreamError" });
});
