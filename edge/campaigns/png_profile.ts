/** The colour profile of a PNG: the only compressed part that cleanPng() keeps, except the pixels. */
import { inflateSync } from "node:zlib";
import { asciiAt, joinBytes } from "./image_bytes.ts";

/** Printer profiles are the largest, some 2 MB. */
const MAX_PROFILE_BYTES = 4 * 1024 * 1024;

/**
 * Returns whether the profile decompresses within its limit; true for a PNG without one. A hostile profile takes long:
 * call it in the Worker.
 *
 * @param png with valid chunks, as cleanPng() returns it
 */
export function profileOpens(png: Uint8Array): boolean {
  const found = findProfile(png);
  if (found === null) return true;
  // The body is a name, a zero, the method 0, and the profile. Viewers inflate it.
  const body = png.subarray(found.start + 8, found.end - 4);
  try {
    inflateSync(body.subarray(body.indexOf(0) + 2), { maxOutputLength: MAX_PROFILE_BYTES });
    return true;
  } catch {
    return false;
  }
}

export function withoutProfile(png: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  const found = findProfile(png);
  return found === null ? png : joinBytes([png.subarray(0, found.start), png.subarray(found.end)]);
}

function findProfile(png: Uint8Array): { start: number; end: number } | null {
  const view = new DataView(png.buffer, png.byteOffset, png.byteLength);
  for (let start = 8; start + 12 <= png.length;) {
    const end = start + 12 + view.getUint32(start);
    if (asciiAt(png, start + 4, 4) === "iCCP") return { start, end };
    start = end;
  }
  return null;
}
