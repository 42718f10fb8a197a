/** PNG (W3C PNG, third edition): keeps the chunks that decide the pixels; drops text, EXIF, time and trailers. */
import { crc32 } from "node:zlib";
import { asciiAt, boundParts, type CleanImage, joinBytes } from "./image_bytes.ts";

const SIGNATURE = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a);
const KEPT = ["IHDR", "PLTE", "IDAT", "IEND", "tRNS", "gAMA", "cHRM", "sRGB", "iCCP", "sBIT", "cICP"];

/**
 * Cleans a PNG without inflating it; an animation becomes its still picture. Of several colour profiles it keeps the
 * first, because the format allows one.
 *
 * @throws {SyntaxError} when the bytes are no whole PNG
 */
export function cleanPng(bytes: Uint8Array): CleanImage {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const kept: Uint8Array[] = [SIGNATURE];
  let size: { width: number; height: number } | null = null;
  let hasData = false;
  let hasProfile = false;
  let at = SIGNATURE.length;
  for (let parts = 1;; parts++) {
    boundParts(parts);
    if (at + 12 > bytes.length) throw new SyntaxError("Cannot read PNG: it ends before its end chunk");
    const length = view.getUint32(at);
    const end = at + 12 + length;
    if (end > bytes.length) throw new SyntaxError("Cannot read PNG: a chunk is cut");
    const name = asciiAt(bytes, at + 4, 4);
    if ((name === "IHDR") !== (size === null)) throw new SyntaxError("Cannot read PNG: bad order of chunks");
    if (name === "IHDR") {
      if (length !== 13) throw new SyntaxError("Cannot read PNG: bad header");
      size = { width: view.getUint32(at + 8), height: view.getUint32(at + 12) };
    }
    if (KEPT.includes(name)) {
      if (crc32(bytes.subarray(at + 4, end - 4)) !== view.getUint32(end - 4)) {
        throw new SyntaxError(`Cannot read PNG: chunk "${name}" is damaged`);
      }
      if (name !== "iCCP" || !hasProfile) kept.push(bytes.subarray(at, end));
    } else if (!isAncillary(name)) {
      throw new SyntaxError("Cannot read PNG: a chunk no reader knows");
    }
    hasData ||= name === "IDAT";
    hasProfile ||= name === "iCCP";
    at = end;
    if (name === "IEND") break;
  }
  if (size === null || !hasData) throw new SyntaxError("Cannot read PNG: no picture in it");
  return { ...size, bytes: joinBytes(kept) };
}

/** A lower-case first letter marks an optional chunk. */
function isAncillary(name: string): boolean {
  return /^[a-z][A-Za-z]{3}$/.test(name);
}
