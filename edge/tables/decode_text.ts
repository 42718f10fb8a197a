/**
 * Decodes a text file to UTF-8. It recognises, without a label, the encodings that Excel and similar programs write in
 * Israel.
 */
import { isUtf8 as isUtf8Text } from "node:buffer";
import type { YieldToEventLoop } from "../http/yield_to_event_loop.ts";

const SLICE_BYTES = 256 * 1024;
const SAMPLE_BYTES = 4096;
/** Fewer whole letters show nothing. */
const LEAST_LETTERS = 4;
/** Whole letters for each broken one. Hebrew in Windows-1255 has hardly any two bytes that are a letter of UTF-8. */
const LETTERS_A_BREAK = 9;

export interface DecodedText {
  /** In UTF-8, without a byte order mark. */
  text: Uint8Array;
  /** `damaged_utf_8` = U+FFFD replaces broken letters. */
  encoding: "utf_8" | "damaged_utf_8" | "utf_16" | "windows_1255";
}

/** Returns the text, or null when the bytes are no text (a workbook, an image). */
export async function decodeText(
  bytes: Uint8Array,
  yieldToEventLoop: YieldToEventLoop,
): Promise<DecodedText | null> {
  if (isOtherFile(bytes)) return null;
  const utf16 = utf16Label(bytes);
  if (utf16 !== null) return { text: await transcode(bytes, utf16, yieldToEventLoop), encoding: "utf_16" };
  if (bytes.includes(0)) return null;
  const isMarked = beginsWith(bytes, 0xef, 0xbb, 0xbf);
  if (await isUtf8(bytes, yieldToEventLoop)) {
    return { text: isMarked ? bytes.subarray(3) : bytes, encoding: "utf_8" };
  }
  if (isMarked || await isNearlyUtf8(bytes, yieldToEventLoop)) {
    return { text: await transcode(bytes, "utf-8", yieldToEventLoop), encoding: "damaged_utf_8" };
  }
  return { text: await transcode(bytes, "windows-1255", yieldToEventLoop), encoding: "windows_1255" };
}

/** Returns true for workbooks (ZIP, OLE2), PDF, gzip, and web pages that claim to be tables. */
function isOtherFile(bytes: Uint8Array): boolean {
  return beginsWith(bytes, 0x50, 0x4b, 0x03, 0x04) ||
    beginsWith(bytes, 0xd0, 0xcf, 0x11, 0xe0) ||
    beginsWith(bytes, 0x25, 0x50, 0x44, 0x46) ||
    beginsWith(bytes, 0x1f, 0x8b) ||
    /^\W*<(!doctype|html|table|\?xml)/i.test(new TextDecoder().decode(bytes.subarray(0, 64)));
}

/**
 * Returns the UTF-16 variant by its byte order mark. Without one, digits and separators show it by their zero bytes.
 */
function utf16Label(bytes: Uint8Array): "utf-16le" | "utf-16be" | null {
  if (beginsWith(bytes, 0xff, 0xfe)) return "utf-16le";
  if (beginsWith(bytes, 0xfe, 0xff)) return "utf-16be";
  const sample = bytes.subarray(0, SAMPLE_BYTES);
  let evenZeros = 0;
  let oddZeros = 0;
  for (let i = 0; i + 1 < sample.length; i += 2) {
    if (sample[i] === 0) evenZeros++;
    if (sample[i + 1] === 0) oddZeros++;
  }
  const many = sample.length / 10;
  if (oddZeros > many && evenZeros === 0) return "utf-16le";
  if (evenZeros > many && oddZeros === 0) return "utf-16be";
  return null;
}

async function isUtf8(bytes: Uint8Array, yieldToEventLoop: YieldToEventLoop): Promise<boolean> {
  // It makes no text, as a decoder would, and takes a third of the time.
  for (let at = 0; at < bytes.length;) {
    const end = endOfSlice(bytes, at + SLICE_BYTES);
    if (!isUtf8Text(bytes.subarray(at, end))) return false;
    at = end;
    await yieldToEventLoop();
  }
  return true;
}

/** Returns whether the text was UTF-8 before a few bytes of it were lost or changed. */
async function isNearlyUtf8(bytes: Uint8Array, yieldToEventLoop: YieldToEventLoop): Promise<boolean> {
  let letters = 0;
  let breaks = 0;
  for (let at = 0; at < bytes.length;) {
    for (const end = Math.min(at + SLICE_BYTES, bytes.length); at < end;) {
      if (bytes[at]! < 0x80) {
        at++;
        continue;
      }
      const length = lengthOfLetter(bytes, at);
      if (length > 0) letters++;
      else breaks++;
      at += length || 1;
    }
    await yieldToEventLoop();
  }
  return letters >= LEAST_LETTERS && letters >= LETTERS_A_BREAK * breaks;
}

/** Returns how many bytes the letter of UTF-8 has that begins here with 0x80 or more; 0 = none begins here. */
function lengthOfLetter(bytes: Uint8Array, at: number): number {
  const first = bytes[at]!;
  const length = first < 0xc2 || first > 0xf4 ? 0 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
  for (let next = 1; next < length; next++) {
    if ((bytes[at + next]! & 0xc0) !== 0x80) return 0;
  }
  return length;
}

/** Returns the place up to `most` that cuts no character of UTF-8 in two. */
function endOfSlice(bytes: Uint8Array, most: number): number {
  if (most >= bytes.length) return bytes.length;
  let end = most;
  while (most - end < 3 && (bytes[end]! & 0xc0) === 0x80) end--;
  return end;
}

async function transcode(
  bytes: Uint8Array,
  label: string,
  yieldToEventLoop: YieldToEventLoop,
): Promise<Uint8Array> {
  const decoder = new TextDecoder(label);
  const encoder = new TextEncoder();
  const slices: Uint8Array[] = [];
  for (let at = 0; at < bytes.length; at += SLICE_BYTES) {
    const end = at + SLICE_BYTES;
    slices.push(encoder.encode(decoder.decode(bytes.subarray(at, end), { stream: end < bytes.length })));
    await yieldToEventLoop();
  }
  const text = new Uint8Array(slices.reduce((length, slice) => length + slice.length, 0));
  let at = 0;
  for (const slice of slices) {
    text.set(slice, at);
    at += slice.length;
  }
  return text;
}

function beginsWith(bytes: Uint8Array, ...magic: number[]): boolean {
  return magic.every((byte, index) => bytes[index] === byte);
}
