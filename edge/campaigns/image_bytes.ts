/** What the three image formats share: the result of cleaning, and how bytes are put together. */

export interface CleanImage {
  width: number;
  height: number;
  /** The picture itself, without metadata and without anything after its end. */
  bytes: Uint8Array<ArrayBuffer>;
}

/** Far more than any picture of 5 MB has: each costs time here, and again wherever it is shown. */
const MAX_PARTS = 10_000;

/** @throws {SyntaxError} when a picture is in more parts than any is */
export function boundParts(count: number): void {
  if (count > MAX_PARTS) throw new SyntaxError("Cannot read image: it is in too many parts");
}

/** Joins parts into one array. */
export function joinBytes(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const joined = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    joined.set(part, at);
    at += part.length;
  }
  return joined;
}

/** The `length` bytes from `at` as Latin-1 text: chunk names and signatures. */
export function asciiAt(bytes: Uint8Array, at: number, length: number): string {
  return String.fromCharCode(...bytes.subarray(at, at + length));
}
