/**
 * JPEG (ITU T.81): keeps the parts that decide the pixels; drops EXIF, XMP, IPTC, comments, thumbnails and trailers.
 */
import { asciiAt, boundParts, type CleanImage, joinBytes } from "./image_bytes.ts";

const SOI = 0xd8;
const EOI = 0xd9;
const SOS = 0xda;
/** Baseline, extended and progressive Huffman; phones decode no other process. */
const FRAME_MARKERS = [0xc0, 0xc1, 0xc2];
/** Huffman tables, quantisation tables, restart interval. */
const TABLE_MARKERS = [0xc4, 0xdb, 0xdd];
/** Encoders make about ten. A viewer processes the whole picture for each scan. */
const MAX_SCANS = 100;
const APP0 = 0xe0;
const APP1 = 0xe1;
const APP2 = 0xe2;
const APP14 = 0xee;

/**
 * Cleans a JPEG. Of EXIF it keeps only the orientation, in a new segment: without it an upright photo would appear on
 * its side.
 *
 * @throws {SyntaxError} when the bytes are no whole JPEG that phones can show
 */
export function cleanJpeg(bytes: Uint8Array): CleanImage {
  const kept: Uint8Array[] = [Uint8Array.of(0xff, SOI)];
  let size: { width: number; height: number } | null = null;
  let orientation = 1;
  let scans = 0;
  let at = 2;
  for (let parts = 1;; parts++) {
    boundParts(parts);
    const marker = markerAt(bytes, at);
    at = marker.end;
    if (marker.code === EOI) break;
    const length = uint16(bytes, at);
    const end = at + length;
    if (length < 2 || end > bytes.length) throw new SyntaxError("Cannot read JPEG: a segment is cut");
    const body = bytes.subarray(at + 2, end);
    if (FRAME_MARKERS.includes(marker.code)) {
      if (size !== null || body.length < 6) throw new SyntaxError("Cannot read JPEG: bad frame header");
      size = { height: uint16(body, 1), width: uint16(body, 3) };
    }
    if (marker.code === APP1) orientation = orientationOf(body) ?? orientation;
    const clean = cleanSegment(marker.code, body);
    if (clean !== null) kept.push(segment(marker.code, clean));
    at = end;
    if (marker.code === SOS) {
      if (size === null) throw new SyntaxError("Cannot read JPEG: a scan before its frame");
      const scanEnd = endOfScan(bytes, at);
      kept.push(bytes.subarray(at, scanEnd));
      at = scanEnd;
      scans += 1;
      if (scans > MAX_SCANS) throw new SyntaxError("Cannot read JPEG: too many scans");
    }
  }
  if (size === null || scans === 0) throw new SyntaxError("Cannot read JPEG: no picture in it");
  const afterJfif = kept[1]?.[1] === APP0 ? 2 : 1;
  if (orientation !== 1) kept.splice(afterJfif, 0, segment(APP1, orientationOnly(orientation)));
  kept.push(Uint8Array.of(0xff, EOI));
  return { ...size, bytes: joinBytes(kept) };
}

/** Returns the body to keep, or null for a segment that does not decide the pixels. */
function cleanSegment(code: number, body: Uint8Array): Uint8Array | null {
  if (FRAME_MARKERS.includes(code) || TABLE_MARKERS.includes(code) || code === SOS) return body;
  if (code === APP0 && asciiAt(body, 0, 5) === "JFIF\0" && body.length >= 14) {
    const header = body.slice(0, 14);
    // The last two bytes are the size of a thumbnail. A thumbnail may show areas cropped from the picture.
    header.set([0, 0], 12);
    return header;
  }
  if (code === APP2 && asciiAt(body, 0, 12) === "ICC_PROFILE\0") return body;
  // Distinguishes YCCK from CMYK; without it the colours are inverted.
  if (code === APP14 && asciiAt(body, 0, 5) === "Adobe") return body.subarray(0, 12);
  const isOtherApp = code >= 0xe0 && code <= 0xef;
  if (isOtherApp || code === 0xfe) return null;
  throw new SyntaxError(`Cannot read JPEG: unexpected marker 0x${code.toString(16)}`);
}

function markerAt(bytes: Uint8Array, at: number): { code: number; end: number } {
  if (bytes[at] !== 0xff) throw new SyntaxError("Cannot read JPEG: a marker is missing");
  let end = at;
  while (bytes[end] === 0xff) end += 1; // any number of fill bytes may precede the code
  const code = bytes[end];
  if (code === undefined) throw new SyntaxError("Cannot read JPEG: it ends before its end marker");
  return { code, end: end + 1 };
}

/**
 * Returns where the entropy-coded bytes end: at a marker that is neither a stuffed zero nor a restart. A scan may
 * contain only stuffed zeros. Calling indexOf() for each took six times as long as this loop.
 */
function endOfScan(bytes: Uint8Array, start: number): number {
  for (let at = start; at < bytes.length; at++) {
    if (bytes[at] !== 0xff) continue;
    const next = bytes[at + 1];
    const isData = next === 0 || (next !== undefined && next >= 0xd0 && next <= 0xd7);
    if (!isData) return at;
    at++;
  }
  throw new SyntaxError("Cannot read JPEG: the scan is cut");
}

/** Returns the orientation tag (0x0112) of IFD0, if it has one of the eight values. */
function orientationOf(body: Uint8Array): number | null {
  if (asciiAt(body, 0, 6) !== "Exif\0\0" || body.length < 14) return null;
  const tiff = body.subarray(6);
  const view = new DataView(tiff.buffer, tiff.byteOffset, tiff.byteLength);
  const order = asciiAt(tiff, 0, 2);
  if (order !== "II" && order !== "MM") return null;
  const isLittle = order === "II";
  const ifd = view.getUint32(4, isLittle);
  if (ifd + 2 > tiff.length) return null;
  const entries = view.getUint16(ifd, isLittle);
  for (let entry = 0; entry < entries; entry++) {
    const at = ifd + 2 + entry * 12;
    if (at + 12 > tiff.length) return null;
    if (view.getUint16(at, isLittle) !== 0x0112) continue;
    const value = view.getUint16(at + 8, isLittle);
    return value >= 1 && value <= 8 ? value : null;
  }
  return null;
}

/** Returns an EXIF block with one entry. */
function orientationOnly(orientation: number): Uint8Array {
  const body = new Uint8Array(32);
  body.set(new TextEncoder().encode("Exif\0\0MM"));
  const view = new DataView(body.buffer, 6);
  view.setUint16(2, 42);
  view.setUint32(4, 8); // IFD0 follows the header
  view.setUint16(8, 1); // one entry
  view.setUint16(10, 0x0112);
  view.setUint16(12, 3); // of type SHORT
  view.setUint32(14, 1);
  view.setUint16(18, orientation);
  return body;
}

function segment(code: number, body: Uint8Array): Uint8Array {
  const length = body.length + 2;
  return joinBytes([Uint8Array.of(0xff, code, length >> 8, length & 0xff), body]);
}

function uint16(bytes: Uint8Array, at: number): number {
  const high = bytes[at];
  const low = bytes[at + 1];
  if (high === undefined || low === undefined) throw new SyntaxError("Cannot read JPEG: it is cut");
  return (high << 8) | low;
}
