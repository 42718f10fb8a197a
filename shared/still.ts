/** Pictures of a phone's screen: the limits that edge, agent and screens share. */

/** Least time between two pictures of one phone. */
export const STILL_EVERY_MS = 3_000;
/** Longest picture. A full screen of photographs at 1440 × 3200 is about 6 MB as PNG. */
export const MAX_STILL_BYTES = 8 * 1024 * 1024;
/** Bytes of a part; its frame has a third more, and is a sixteenth of the longest frame. */
export const STILL_PART_BYTES = 48 * 1024;
export const STILL_PART_CHARS = STILL_PART_BYTES / 3 * 4;
/** Largest side of a screen. A longer one would make a small file large in the memory of a browser. */
const MAX_STILL_SIDE = 8_192;
const MAX_STILL_PIXELS = 32_000_000;

/**
 * Why there is no picture: away = the phone cannot be reached; failed = it gave none in time, or the picture is no
 * longer there; not_png = its answer is no picture; too_large = the picture is over the limit; busy = a message is being
 * sent, or too many pictures are under way.
 */
export const NO_STILL_REASONS = ["away", "failed", "not_png", "too_large", "busy"] as const;
export type NoStillReason = (typeof NO_STILL_REASONS)[number];

const PNG_HEAD = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52];
/** `IEND` is the last chunk: length 0, name, CRC. */
const PNG_END = [0, 0, 0, 0, 0x49, 0x45, 0x4e, 0x44, 0xae, 0x42, 0x60, 0x82];

export interface StillSize {
  width: number;
  height: number;
}

/**
 * Returns the size of a picture in pixels. Returns null when the bytes are no whole PNG, or its sides are beyond a
 * phone's. Reads its first and its last chunk only.
 */
export function stillSize(bytes: Uint8Array): StillSize | null {
  if (bytes.length < PNG_HEAD.length + 17 + PNG_END.length) return null;
  if (PNG_HEAD.some((byte, at) => bytes[at] !== byte)) return null;
  const end = bytes.length - PNG_END.length;
  if (PNG_END.some((byte, at) => bytes[end + at] !== byte)) return null;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const width = view.getUint32(PNG_HEAD.length);
  const height = view.getUint32(PNG_HEAD.length + 4);
  const isScreen = width > 0 && height > 0 && Math.max(width, height) <= MAX_STILL_SIDE &&
    width * height <= MAX_STILL_PIXELS;
  return isScreen ? { width, height } : null;
}
