/** Shared by the three image formats: the result of cleaning, and joining bytes. */

export interface CleanImage {
  width: number;
  height: number;
  /** The picture itself, without metadata and without bytes after its end. */
  bytes: Uint8Array<ArrayBuffer>;
}

/** Far more than a real picture of 5 MB has. Each part costs time here and in every program that shows the picture. */
const MAX_PARTS = 10_000;

/** @throws {SyntaxError} when a picture has more parts than any real one */
export function boundParts(count: number): void {
  if (count > MAX_PARTS) throw new SyntaxError("Cannot read image: it is in too many parts");
}

export function joinBytes(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const joined = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    joined.set(part, at);
    at += part.length;
  }
  return joined;
}

/** Returns `length` bytes from `at` as Latin-1 text: chunk names and signatures. */
export function asciiAt(bytes: Uint8Array, at: number, length: number): string {
  return String.fromCharCode(...bytes.subarray(at, at + length));
}
