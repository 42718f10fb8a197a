import assert from "node:assert/strict";
import { MAX_FRAME_BYTES } from "./agent_protocol.ts";
import { STILL_PART_CHARS, stillSize } from "./still.ts";

const ONE_PIXEL = Uint8Array.fromBase64(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGNgYGBgAAAABQABpfZFQAAAAABJRU5ErkJggg==",
);

/** Returns the picture with other sides in its head. */
function withSides(width: number, height: number): Uint8Array {
  const bytes = ONE_PIXEL.slice();
  const view = new DataView(bytes.buffer);
  view.setUint32(16, width);
  view.setUint32(20, height);
  return bytes;
}

Deno.test("stillSize() reads the sides of a picture", () => {
  assert.deepEqual(stillSize(ONE_PIXEL), { width: 1, height: 1 });
  assert.deepEqual(stillSize(withSides(1440, 3200)), { width: 1440, height: 3200 });
});

/** Returns the picture with another chunk before its own. */
function withChunk(name: string, length: number, times = 1): Uint8Array {
  const chunk = new Uint8Array(12 + length);
  new DataView(chunk.buffer).setUint32(0, length);
  chunk.set(new TextEncoder().encode(name), 4);
  const chunks = Array.from({ length: times }, () => [...chunk]).flat();
  return new Uint8Array([...ONE_PIXEL.subarray(0, 33), ...chunks, ...ONE_PIXEL.subarray(33)]);
}

Deno.test("stillSize() allows the small chunks of a phone's picture", () => {
  for (const name of ["sRGB", "sBIT", "iCCP", "PLTE", "tEXt"]) {
    assert.deepEqual(stillSize(withChunk(name, 400)), { width: 1, height: 1 }, name);
  }
});

const REFUSED: Record<string, Uint8Array> = {
  "nothing": new Uint8Array(0),
  "a text": new TextEncoder().encode("<html>".repeat(20)),
  "another picture": new Uint8Array(200).fill(0xff),
  "a picture without its end": ONE_PIXEL.subarray(0, -1),
  "a picture with something after its end": new Uint8Array([...ONE_PIXEL, 0]),
  "a picture without a width": withSides(0, 5),
  "a picture that is too wide": withSides(5_121, 10),
  "a line": withSides(1, 100_000),
  "an animation": withChunk("acTL", 8),
  "frames of an animation": withChunk("fdAT", 8),
  "a large profile": withChunk("iCCP", 5_000),
  "a great many texts": withChunk("zTXt", 40, 33),
  "an unknown chunk that a reader must know": withChunk("ABCD", 4),
  "a chunk that is longer than the picture": withChunk("tEXt", 8).map((byte, at) => at === 33 ? 0xff : byte),
  "a picture with too many pixels": withSides(5_000, 5_000),
  "a head alone": ONE_PIXEL.subarray(0, 33),
};

for (const [name, bytes] of Object.entries(REFUSED)) {
  Deno.test(`stillSize() refuses ${name}`, () => assert.equal(stillSize(bytes), null));
}

Deno.test("a part fits into a frame many times", () => {
  assert.ok(STILL_PART_CHARS * 15 < MAX_FRAME_BYTES);
});
