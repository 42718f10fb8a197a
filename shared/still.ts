/** Pictures of a phone's screen: the limits that edge, agent and screens share. */

/** Most phones to see after one reason. */
export const MAX_LOOK_DEVICES = 12;
/** Least time between two pictures of one phone. */
export const STILL_EVERY_MS = 3_000;
/** Longest picture. A full screen of photographs at 1440 × 3200 is about 6 MB as PNG. */
export const MAX_STILL_BYTES = 8 * 1024 * 1024;
/** Bytes of a part; its frame has a third more, and is a sixteenth of the longest frame. */
export const STILL_PART_BYTES = 48 * 1024;
export const STILL_PART_CHARS = STILL_PART_BYTES / 3 * 4;
/** Largest side of a screen, and most pixels: a tablet's or a foldable's. Each pixel takes a browser four bytes. */
const MAX_STILL_SIDE = 5_120;
const MAX_STILL_PIXELS = 10_000_000;
/** Chunks that are not the picture: profiles, times, texts. A profile of colours has less than a kilobyte. */
const MOST_OTHER_CHUNKS = 32;
const MOST_OTHER_BYTES = 4_096;
/** Frames of an animation would be more pictures than one. */
const ANIMATION = new Set(["acTL", "fcTL", "fdAT"]);

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
 * Returns the size of a picture in pixels. Returns null when the bytes are no whole PNG of one still picture, or its
 * sides are beyond a phone's. Reads the heads of its chunks only.
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
  return isScreen && isOnePicture(view, end) ? { width, height } : null;
}

/** True when the chunks between the first and the last are one picture's, and little else. */
function isOnePicture(view: DataView, end: number): boolean {
  let others = 0;
  let hasPicture = false;
  let at = PNG_HEAD.length + 17;
  while (at + 12 <= end) {
    const length = view.getUint32(at);
    const name = String.fromCharCode(...[4, 5, 6, 7].map((place) => view.getUint8(at + place)));
    if (name === "IDAT") hasPicture = true;
    else {
      // A small first letter: a reader may leave the chunk out.
      const isKnown = name === "PLTE" || /^[a-z][A-Za-z]{3}$/.test(name);
      if (!isKnown || ANIMATION.has(name) || length > MOST_OTHER_BYTES) return false;
      if (++others > MOST_OTHER_CHUNKS) return false;
    }
    at += 12 + length;
  }
  return hasPicture && at === end;
}
