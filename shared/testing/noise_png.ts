/** Returns a whole PNG of a length in bytes whose picture is noise: two pictures differ by their seeds. */
export function noisePng(length: number, seed = 7): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(length).map((_, at) => (at * 31 + seed) % 251);
  bytes.set([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52]);
  bytes.set([0, 0, 4, 0, 0, 0, 8, 0, 8, 6, 0, 0, 0], 16);
  new DataView(bytes.buffer).setUint32(33, length - 57);
  bytes.set([0x49, 0x44, 0x41, 0x54], 37);
  bytes.set([0, 0, 0, 0, 0x49, 0x45, 0x4e, 0x44, 0xae, 0x42, 0x60, 0x82], length - 12);
  return bytes;
}
