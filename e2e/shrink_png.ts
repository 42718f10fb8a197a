/** Reduces a screenshot: screens have few colours, so a palette of 256 shows them unchanged. */
import { Buffer } from "node:buffer";
import { crc32, deflateSync, inflateSync } from "node:zlib";

const SIGNATURE = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];
const COLOURS = 256;

/**
 * Returns the picture as an indexed PNG: its most frequent colours stay, every other becomes the nearest of them.
 *
 * @throws {Error} when `png` is not 8-bit RGB without interlacing, as Chromium writes it
 */
export function shrinkPng(png: Uint8Array): Uint8Array {
  const { width, height, data } = read(Buffer.from(png));
  const pixels = unfilter(data, width, height);
  const indexOf = paletteOf(pixels);
  const rows = Buffer.alloc((width + 1) * height);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      rows[y * (width + 1) + 1 + x] = indexOf.index(pixels.readUIntBE((y * width + x) * 3, 3));
    }
  }
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 3, 0, 0, 0], 8);
  const image = deflateSync(rows, { level: 9 });
  return Buffer.concat([
    Buffer.from(SIGNATURE),
    ...[["IHDR", header], ["PLTE", indexOf.palette], ["IDAT", image], ["IEND", Buffer.alloc(0)]].map((part) =>
      chunk(part[0] as string, part[1] as Buffer)
    ),
  ]);
}

function read(png: Buffer): { width: number; height: number; data: Buffer } {
  const parts: Buffer[] = [];
  for (let at = SIGNATURE.length; at < png.length;) {
    const length = png.readUInt32BE(at);
    if (png.toString("latin1", at + 4, at + 8) === "IDAT") parts.push(png.subarray(at + 8, at + 8 + length));
    at += length + 12;
  }
  const [depth, colour, , , interlaced] = png.subarray(24, 29);
  if (depth !== 8 || colour !== 2 || interlaced !== 0) {
    throw new Error(`Cannot shrink PNG: colour type ${colour} of ${depth} bits`);
  }
  return {
    width: png.readUInt32BE(16),
    height: png.readUInt32BE(20),
    data: inflateSync(Buffer.concat(parts)),
  };
}

/** Reverses the filter of each row: https://www.w3.org/TR/png-3/#9Filters. */
function unfilter(data: Buffer, width: number, height: number): Buffer {
  const stride = width * 3;
  const pixels = Buffer.alloc(stride * height);
  for (let y = 0; y < height; y++) {
    const filter = data[y * (stride + 1)];
    for (let x = 0; x < stride; x++) {
      const left = x < 3 ? 0 : pixels[y * stride + x - 3]!;
      const up = y === 0 ? 0 : pixels[(y - 1) * stride + x]!;
      const corner = x < 3 || y === 0 ? 0 : pixels[(y - 1) * stride + x - 3]!;
      const added = [0, left, up, (left + up) >> 1, paeth(left, up, corner)][filter!]!;
      pixels[y * stride + x] = data[y * (stride + 1) + 1 + x]! + added;
    }
  }
  return pixels;
}

function paeth(left: number, up: number, corner: number): number {
  const [byLeft, byUp, byCorner] = [
    Math.abs(up - corner),
    Math.abs(left - corner),
    Math.abs(left + up - 2 * corner),
  ];
  if (byLeft! <= byUp! && byLeft! <= byCorner!) return left;
  return byUp! <= byCorner! ? up : corner;
}

function paletteOf(pixels: Buffer): { palette: Buffer; index(colour: number): number } {
  const counts = new Map<number, number>();
  for (let at = 0; at < pixels.length; at += 3) {
    const colour = pixels.readUIntBE(at, 3);
    counts.set(colour, (counts.get(colour) ?? 0) + 1);
  }
  const kept = [...counts].sort((a, b) => b[1] - a[1]).slice(0, COLOURS).map(([colour]) => colour);
  const palette = Buffer.alloc(kept.length * 3);
  kept.forEach((colour, index) => palette.writeUIntBE(colour, index * 3, 3));
  const known = new Map(kept.map((colour, index) => [colour, index]));
  return {
    palette,
    index(colour) {
      const index = known.get(colour) ?? nearest(kept, colour);
      known.set(colour, index);
      return index;
    },
  };
}

function nearest(kept: readonly number[], colour: number): number {
  const distances = kept.map((other) =>
    [16, 8, 0].reduce((sum, shift) => sum + (((other >> shift) & 255) - ((colour >> shift) & 255)) ** 2, 0)
  );
  return distances.indexOf(Math.min(...distances));
}

function chunk(name: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(name, "latin1"), data]);
  const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  check.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, check]);
}
