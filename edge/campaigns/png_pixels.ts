/** Checks that a PNG's pixels can be decoded: valid chunks may hold data that expands to nothing, or without end. */
import { createInflate } from "node:zlib";
import { Buffer } from "node:buffer";
import { asciiAt } from "./image_bytes.ts";

/** By the header's colour type: samples per pixel and the allowed bit depths (PNG, table 11.1). */
const SAMPLES: Record<number, { count: number; depths: readonly number[] }> = {
  0: { count: 1, depths: [1, 2, 4, 8, 16] },
  2: { count: 3, depths: [8, 16] },
  3: { count: 1, depths: [1, 2, 4, 8] },
  4: { count: 2, depths: [8, 16] },
  6: { count: 4, depths: [8, 16] },
};
const PALETTE_COLOUR = 3;
/** Adam7 (PNG, table 8.1): the start of each pass, and the distance between its pixels. */
const PASSES = [[0, 0, 8, 8], [4, 0, 8, 8], [0, 4, 4, 8], [2, 0, 4, 4], [0, 2, 2, 4], [1, 0, 2, 2], [
  0,
  1,
  1,
  2,
]];
const LAST_FILTER = 4;
/** Compressed bytes per step. At the maximum ratio of about 1000:1 they become a few megabytes. */
const SLICE_BYTES = 4 * 1024;

/** Rows of one length. The byte before each row names its filter. */
interface Rows {
  count: number;
  bytes: number;
}

/**
 * Decompresses the pixel data and discards the result.
 *
 * @param png with valid chunks, as cleanPng() returns it
 * @throws {SyntaxError} when the header is invalid, or the data are damaged, too long or too short
 */
export async function checkPngPixels(png: Uint8Array): Promise<void> {
  const data: Uint8Array[] = [];
  let rows: Rows[] = [];
  let hasPalette = false;
  let needsPalette = false;
  const view = new DataView(png.buffer, png.byteOffset, png.byteLength);
  for (let at = 8; at + 12 <= png.length;) {
    const body = png.subarray(at + 8, at + 8 + view.getUint32(at));
    const name = asciiAt(png, at + 4, 4);
    if (name === "IHDR") {
      rows = rowsOf(view.getUint32(at + 8), view.getUint32(at + 12), body);
      needsPalette = body[9] === PALETTE_COLOUR;
    } else if (name === "PLTE") hasPalette = true;
    else if (name === "IDAT") data.push(body);
    at += 12 + body.length;
  }
  if (needsPalette && !hasPalette) throw new SyntaxError("Cannot read PNG: it has no palette");
  await openAll(data, new RowCheck(rows));
}

function rowsOf(width: number, height: number, header: Uint8Array): Rows[] {
  const [depth = 0, colour = 0, compression, filter, interlace] = header.subarray(8);
  const samples = SAMPLES[colour];
  if (!samples?.depths.includes(depth) || compression !== 0 || filter !== 0) {
    throw new SyntaxError("Cannot read PNG: its header names no kind of picture");
  }
  const bits = samples.count * depth;
  const bytesOf = (pixels: number) => Math.ceil(pixels * bits / 8);
  if (interlace === 0) return [{ count: height, bytes: bytesOf(width) }];
  if (interlace !== 1) throw new SyntaxError("Cannot read PNG: its header names no kind of picture");
  return PASSES.map(([left, top, across, down]) => ({
    count: Math.ceil(Math.max(0, height - top!) / down!),
    bytes: bytesOf(Math.ceil(Math.max(0, width - left!) / across!)),
  })).filter(({ count, bytes }) => count > 0 && bytes > 0);
}

/** Counts rows as their bytes arrive, and checks each row's filter. */
class RowCheck {
  readonly #rows: Rows[];
  /** Missing rows of the present length, and missing bytes of the present row. */
  #rowsLeft = 0;
  #bytesLeft = 0;
  #next = 0;

  constructor(rows: Rows[]) {
    this.#rows = rows;
  }

  take(bytes: Uint8Array): void {
    for (let at = 0; at < bytes.length;) {
      if (this.#bytesLeft === 0) {
        this.#startRow(bytes[at++]!);
        continue;
      }
      const step = Math.min(this.#bytesLeft, bytes.length - at);
      this.#bytesLeft -= step;
      at += step;
    }
  }

  finish(): void {
    if (this.#bytesLeft > 0 || this.#rowsLeft > 0 || this.#next < this.#rows.length) {
      throw new SyntaxError("Cannot read PNG: it has fewer pixels than it says");
    }
  }

  #startRow(filter: number): void {
    if (filter > LAST_FILTER) throw new SyntaxError("Cannot read PNG: a row of no known filter");
    if (this.#rowsLeft === 0) {
      const rows = this.#rows[this.#next++];
      if (rows === undefined) throw new SyntaxError("Cannot read PNG: it has more pixels than it says");
      this.#rowsLeft = rows.count;
    }
    this.#rowsLeft--;
    this.#bytesLeft = this.#rows[this.#next - 1]!.bytes;
  }
}

/** Decompresses one slice at a time, and checks its output before the next slice. */
async function openAll(data: Uint8Array[], check: RowCheck): Promise<void> {
  const inflate = createInflate();
  const whole = (async () => {
    for await (const opened of inflate) check.take(opened);
    check.finish();
  })();
  whole.catch(() => inflate.destroy());
  try {
    for (const body of data) {
      for (let at = 0; at < body.length && !inflate.destroyed; at += SLICE_BYTES) {
        const slice = Buffer.from(body.subarray(at, at + SLICE_BYTES));
        await new Promise<void>((resolve) => {
          inflate.once("close", resolve);
          inflate.write(slice, () => {
            inflate.off("close", resolve);
            resolve();
          });
        });
      }
    }
    if (!inflate.destroyed) inflate.end();
    await whole;
  } catch (cause) {
    if (cause instanceof SyntaxError) throw cause;
    throw new SyntaxError("Cannot read PNG: its data are damaged", { cause });
  } finally {
    inflate.destroy();
  }
}
