/** WebP (RFC 9649): keeps the still picture and its colour profile; drops EXIF, XMP, unknown chunks and trailers. */
import { asciiAt, boundParts, type CleanImage, joinBytes } from "./image_bytes.ts";

const KEPT = ["VP8X", "ICCP", "ALPH", "VP8 ", "VP8L"];
/** VP8X flags to clear: EXIF 0x08, XMP 0x04, animation 0x02. */
const DROPPED_FLAGS = 0x0e;
const PICTURES = ["VP8 ", "VP8L"];

/**
 * Cleans a WebP.
 *
 * @throws {SyntaxError} when the bytes are no whole still WebP
 */
export function cleanWebp(bytes: Uint8Array): CleanImage {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const end = 8 + view.getUint32(4, true);
  if (end > bytes.length) throw new SyntaxError("Cannot read WebP: it is cut");
  const kept: Uint8Array[] = [];
  let size: { width: number; height: number } | null = null;
  let canvas: { width: number; height: number } | null = null;
  let at = 12;
  for (let parts = 1; at + 8 <= end; parts++) {
    boundParts(parts);
    const name = asciiAt(bytes, at, 4);
    const length = view.getUint32(at + 4, true);
    const next = at + 8 + length + (length & 1); // chunks are padded to an even length
    if (next > end) throw new SyntaxError("Cannot read WebP: a chunk is cut");
    if (name === "ANIM" || name === "ANMF") throw new SyntaxError("Cannot read WebP: it is animated");
    if (KEPT.includes(name)) {
      const chunk = bytes.slice(at, next);
      if (PICTURES.includes(name)) {
        if (size !== null) throw new SyntaxError("Cannot read WebP: two pictures in it");
        const frame = bytes.subarray(at + 8, next);
        size = name === "VP8 " ? lossySize(frame) : losslessSize(frame);
      }
      if (name === "VP8X") {
        chunk[8] = (chunk[8] ?? 0) & ~DROPPED_FLAGS;
        canvas = { width: uint24(chunk, 12) + 1, height: uint24(chunk, 15) + 1 };
      }
      kept.push(chunk);
    }
    at = next;
  }
  if (size === null) throw new SyntaxError("Cannot read WebP: no picture in it");
  if (canvas && (canvas.width !== size.width || canvas.height !== size.height)) {
    throw new SyntaxError("Cannot read WebP: the picture is not the size it claims");
  }
  const body = joinBytes(kept);
  const header = new Uint8Array(12);
  header.set(new TextEncoder().encode("RIFF\0\0\0\0WEBP"));
  new DataView(header.buffer).setUint32(4, body.length + 4, true);
  return { ...size, bytes: joinBytes([header, body]) };
}

/**
 * Reads the size in the key frame's header (RFC 6386 section 9.1); the two upper bits of each value are a scaling hint.
 */
function lossySize(frame: Uint8Array): { width: number; height: number } {
  const hasStartCode = frame[3] === 0x9d && frame[4] === 0x01 && frame[5] === 0x2a;
  if (frame.length < 10 || !hasStartCode) throw new SyntaxError("Cannot read WebP: bad frame header");
  const view = new DataView(frame.buffer, frame.byteOffset);
  return { width: view.getUint16(6, true) & 0x3fff, height: view.getUint16(8, true) & 0x3fff };
}

function losslessSize(frame: Uint8Array): { width: number; height: number } {
  if (frame.length < 5 || frame[0] !== 0x2f) throw new SyntaxError("Cannot read WebP: bad frame header");
  const packed = new DataView(frame.buffer, frame.byteOffset).getUint32(1, true);
  return { width: (packed & 0x3fff) + 1, height: ((packed >>> 14) & 0x3fff) + 1 };
}

function uint24(bytes: Uint8Array, at: number): number {
  return (bytes[at] ?? 0) | (bytes[at + 1] ?? 0) << 8 | (bytes[at + 2] ?? 0) << 16;
}
