import assert from "node:assert/strict";
import fc from "shared/testing/fast_check.ts";
import { Encoder } from "cbor-x";
import { MAX_OPEN_ROWS, MAX_SITE_ACCOUNTS, MAX_SITE_DEVICES } from "./agent_protocol.ts";
import { encodeFrame } from "./cbor.ts";
import { checkFrameBytes, MAX_FRAME_DEPTH, MAX_FRAME_FIELDS, MAX_FRAME_ITEMS } from "./frame_bytes.ts";
import { AGENT_FRAMES, EDGE_FRAMES } from "./testing/example_frames.ts";

const hex = (text: string) =>
  Uint8Array.from(text.replaceAll(" ", "").match(/../g) ?? [], (byte) => parseInt(byte, 16));
const array = (count: number, item: string) =>
  new Uint8Array([
    0x9a,
    count >>> 24,
    count >>> 16,
    count >>> 8,
    count,
    ...Array(count).fill(hex(item)).flatMap((it) => [...it]),
  ]);

/** Each frame with the reason for its refusal. */
const REFUSED: Record<string, [why: string, bytes: Uint8Array]> = {
  "nothing": ["cut off", hex("")],
  "bytes after the value": ["bytes after its end", hex("01 00")],
  "a tag": ["a tag", hex("c1 00")],
  "a big number": ["a tag", hex("c2 42 01 00")],
  "a decimal fraction": ["a tag", hex("c4 82 00 01")],
  "a shared value": ["a tag", hex("d8 1c 80")],
  "an object of a class": ["a tag", hex("d8 1b 82 61 61 80")],
  "a byte string": ["a byte string", hex("42 01 02")],
  "a 64-bit integer": ["a 64-bit integer", hex("1b 00 00 00 00 00 00 00 01")],
  "a negative 64-bit integer": ["a 64-bit integer", hex("3b 00 00 00 00 00 00 00 01")],
  "a text with a 64-bit length": ["a 64-bit integer", hex("7b 00 00 00 00 00 00 00 01 61")],
  "an array without a length": ["an indefinite length", hex("9f 01 ff")],
  "a map without a length": ["an indefinite length", hex("bf ff")],
  "a text without a length": ["an indefinite length", hex("7f 61 61 ff")],
  "a reserved length": ["an indefinite length", hex("1c")],
  "a half": ["another simple value", hex("f9 3c 00")],
  "a single": ["another simple value", hex("fa 3f 80 00 00")],
  "a simple value of nobody": ["another simple value", hex("e0")],
  "a simple value in two bytes": ["another simple value", hex("f8 ff")],
  "an end of nothing": ["another simple value", hex("ff")],
  "an infinity": ["a number that is not finite", hex("fb 7f f0 00 00 00 00 00 00")],
  "not a number": ["a number that is not finite", hex("fb ff f8 00 00 00 00 00 00")],
  "a double cut off": ["cut off", hex("fb 3f f0 00")],
  "an integer cut off": ["cut off", hex("1a 00 01")],
  "a text past the end": ["a length past its end", hex("63 61 61")],
  "an array past the end": ["a length past its end", hex("9a 7f ff ff ff 01")],
  "a map past the end": ["a length past its end", hex("a2 61 61 01")],
  "text cut within a sign": ["text that is not UTF-8", hex("82 62 61 d7 61 90")],
  "text that begins within a sign": ["text that is not UTF-8", hex("61 90")],
  "an overlong sign": ["text that is not UTF-8", hex("62 c0 80")],
  "an overlong sign of three bytes": ["text that is not UTF-8", hex("63 e0 80 80")],
  "a sign past the last": ["text that is not UTF-8", hex("64 f4 90 80 80")],
  "the same name twice": ["the same name twice", hex("a2 61 61 01 61 61 02")],
  "a number for a name": ["a name that is no text", hex("a1 01 02")],
  "an array for a name": ["a name that is no text", hex("a1 80 02")],
  "a name of other letters": ["a name that is not plain ASCII", hex("a1 62 d7 90 02")],
  "a long name": ["a long name", new Uint8Array([0xa1, 0x78, 65, ...Array(65).fill(0x61), 0])],
  "too deep": ["too deep", new Uint8Array([...Array(MAX_FRAME_DEPTH).fill(0x81), 0xa0])],
  "many fields": [
    "too many fields",
    encodeFrame(Object.fromEntries(Array.from({ length: MAX_FRAME_FIELDS + 1 }, (_, i) => [`k${i}`, 0]))),
  ],
  "many items": ["too many items", array(MAX_FRAME_ITEMS, "f6")],
};
for (const [name, [why, bytes]] of Object.entries(REFUSED)) {
  Deno.test(`checkFrameBytes() refuses ${name}`, () => {
    assert.throws(() => checkFrameBytes(bytes), new SyntaxError(`Cannot accept frame's bytes: ${why}`));
  });
}

Deno.test("checkFrameBytes() passes a frame of each type that edges and agents send", () => {
  for (const frame of [...AGENT_FRAMES, ...EDGE_FRAMES]) checkFrameBytes(encodeFrame(frame));
});

Deno.test("checkFrameBytes() passes the largest frames that the schemas accept", () => {
  const row = { token: "0".repeat(32), campaign: 1, phone: "+972543710968", attempt: 1, at: "tapping" };
  checkFrameBytes(encodeFrame({ type: "hello", open: Array(MAX_OPEN_ROWS).fill(row) }));
  const device = Object.fromEntries(Array.from({ length: 9 }, (_, i) => [`d${i}`, 1_795_000_000_123]));
  const account = Object.fromEntries(Array.from({ length: 7 }, (_, i) => [`a${i}`, 1_795_000_000_123]));
  checkFrameBytes(encodeFrame({
    type: "inventory",
    devices: Array(MAX_SITE_DEVICES).fill({ ...device, addresses: Array(10).fill("usb:1") }),
    accounts: Array(MAX_SITE_ACCOUNTS).fill(account),
  }));
});

Deno.test("checkFrameBytes() passes all that the encoder writes for texts, numbers and lists, half a character included", () => {
  const text = fc.string({ unit: "binary" });
  const frame = fc.object({
    key: fc.stringMatching(/^[a-z]\w{0,20}$/),
    values: [
      text,
      text.map((text) => text + "\ud83d"),
      fc.integer({ min: -(2 ** 32), max: 2 ** 32 - 1 }),
      fc.constantFrom(1_795_000_000_123, 0.1, -0, null, undefined, true, false),
    ],
    maxDepth: 4,
    withNullPrototype: false,
  });
  fc.assert(fc.property(frame, (frame) => checkFrameBytes(encodeFrame(frame as Record<string, unknown>))));
});

Deno.test("checkFrameBytes() refuses bytes whose end the decoder would find elsewhere", () => {
  const decoder = new Encoder({ useRecords: false, mapsAsObjects: true, tagUint8Array: false });
  const start = encodeFrame({ type: "x", text: "שלום 🙂", items: [1, -2, 0.5, null, true, { a: "ב" }] });
  let passed = 0;
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.nat(start.length - 1), fc.nat(255)), { maxLength: 3 }), (changes) => {
      const bytes = start.slice();
      for (const [index, value] of changes) bytes[index] = value;
      try {
        checkFrameBytes(bytes);
      } catch {
        return;
      }
      passed++;
      decoder.decode(bytes);
    }),
    { numRuns: 20_000 },
  );
  assert.ok(passed > 1000, `only ${passed} passed`);
});
