/**
 * Checks a frame's bytes before any decoder builds a value from them. A full CBOR decoder (RFC 8949) can do work
 * that the frame's length does not limit: tags share values and build big numbers.
 */
/** Deepest nesting of arrays and maps; our deepest frame has four levels. */
export const MAX_FRAME_DEPTH = 8;
/** Most values, keys and containers together; the largest hello has 55,000. */
export const MAX_FRAME_ITEMS = 100_000;
/** Most fields of one map; settings have the most. */
export const MAX_FRAME_FIELDS = 64;
const MAX_FRAME_KEY_BYTES = 64;

const MAJOR = { unsigned: 0, negative: 1, bytes: 2, text: 3, array: 4, map: 5, tag: 6, simple: 7 } as const;
const SIMPLE = { false: 20, true: 21, null: 22, undefined: 23, float64: 27 } as const;
/** From this value of a head on, the argument follows in 1, 2, 4 or 8 bytes. */
const ARGUMENT_FOLLOWS = 24;
const EIGHT_BYTES = 27;

/**
 * Checks that the bytes are one value of the kinds that frames use: integers below 2^32, finite doubles, text,
 * arrays, maps with short unique names, false, true, null and undefined.
 *
 * @throws {SyntaxError} on tags, byte strings, longer integers, indefinite lengths, other simple values, counts or
 * lengths past the frame's end, nesting above MAX_FRAME_DEPTH, more than MAX_FRAME_ITEMS, and bytes after the
 * value
 */
export function checkFrameBytes(bytes: Uint8Array): void {
  const scan = new FrameScan(bytes);
  scan.value(0);
  if (scan.at !== bytes.length) refuse("bytes after its end");
}

function refuse(why: string): never {
  throw new SyntaxError(`Cannot accept frame's bytes: ${why}`);
}

class FrameScan {
  at = 0;
  readonly #bytes: Uint8Array;
  #items = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  /** Skips one value; `depth` is the number of containers around it. */
  value(depth: number): void {
    if (++this.#items > MAX_FRAME_ITEMS) refuse("too many items");
    const head = this.#byte();
    const info = head & 0x1f;
    switch (head >> 5) {
      case MAJOR.unsigned:
      case MAJOR.negative:
        this.#argument(info);
        return;
      case MAJOR.text:
        return this.#text(this.#length(info, 1));
      case MAJOR.array:
        return this.#array(this.#length(info, 1), depth + 1);
      case MAJOR.map:
        return this.#map(this.#length(info, 2), depth + 1);
      case MAJOR.simple:
        return this.#simple(info);
      case MAJOR.bytes:
        return refuse("a byte string");
      default:
        return refuse("a tag");
    }
  }

  #array(count: number, depth: number): void {
    if (depth > MAX_FRAME_DEPTH) refuse("too deep");
    for (let i = 0; i < count; i++) this.value(depth);
  }

  #map(count: number, depth: number): void {
    if (depth > MAX_FRAME_DEPTH) refuse("too deep");
    if (count > MAX_FRAME_FIELDS) refuse("too many fields");
    // Start and end of each name.
    const names: number[] = [];
    for (let i = 0; i < count; i++) {
      this.#name(names);
      this.value(depth);
    }
  }

  /** Skips a name, adds it to `names` and refuses a repeated one. */
  #name(names: number[]): void {
    this.#items++;
    const head = this.#byte();
    if (head >> 5 !== MAJOR.text) refuse("a name that is no text");
    const length = this.#length(head & 0x1f, 1);
    if (length > MAX_FRAME_KEY_BYTES) refuse("a long name");
    const from = this.at;
    const to = this.at += length;
    for (let i = from; i < to; i++) {
      const byte = this.#bytes[i]!;
      if (byte < 0x20 || byte > 0x7e) refuse("a name that is not plain ASCII");
    }
    for (let i = 0; i < names.length; i += 2) {
      if (this.#same(names[i]!, names[i + 1]!, from, to)) refuse("the same name twice");
    }
    names.push(from, to);
  }

  #same(from: number, to: number, otherFrom: number, otherTo: number): boolean {
    if (to - from !== otherTo - otherFrom) return false;
    for (let i = from, j = otherFrom; i < to; i++, j++) {
      if (this.#bytes[i] !== this.#bytes[j]) return false;
    }
    return true;
  }

  #simple(info: number): void {
    if (info === SIMPLE.float64) {
      const high = this.#byte();
      const next = this.#byte();
      // All exponent bits are set: infinity or NaN.
      if ((high & 0x7f) === 0x7f && (next & 0xf0) === 0xf0) refuse("a number that is not finite");
      return this.#skip(6);
    }
    if (info < SIMPLE.false || info > SIMPLE.undefined) refuse("another simple value");
  }

  /**
   * Skips text, which must be UTF-8: a decoder that reads a cut character past the text's end would see other
   * values than this check. Lone surrogates pass, because our encoder writes half a character unchanged.
   */
  #text(length: number): void {
    const bytes = this.#bytes;
    const end = this.at + length;
    let at = this.at;
    while (at < end) {
      const lead = bytes[at++]!;
      if (lead < 0x80) continue;
      const more = lead >= 0xc2 && lead <= 0xdf
        ? 1
        : lead >= 0xe0 && lead <= 0xef
        ? 2
        : lead >= 0xf0 && lead <= 0xf4
        ? 3
        : 0;
      if (more === 0 || at + more > end) refuse("text that is not UTF-8");
      const second = bytes[at]!;
      const isOverlong = (lead === 0xe0 && second < 0xa0) || (lead === 0xf0 && second < 0x90);
      if (isOverlong || (lead === 0xf4 && second > 0x8f)) refuse("text that is not UTF-8");
      for (let i = 0; i < more; i++) {
        if ((bytes[at++]! & 0xc0) !== 0x80) refuse("text that is not UTF-8");
      }
    }
    this.at = end;
  }

  /** Returns a length or count; each unit needs at least `leastBytes` of the remaining bytes. */
  #length(info: number, leastBytes: number): number {
    const length = this.#argument(info);
    if (length * leastBytes > this.#bytes.length - this.at) refuse("a length past its end");
    return length;
  }

  #argument(info: number): number {
    if (info < ARGUMENT_FOLLOWS) return info;
    if (info === EIGHT_BYTES) refuse("a 64-bit integer");
    if (info > EIGHT_BYTES) refuse("an indefinite length");
    let value = 0;
    for (let left = 1 << (info - ARGUMENT_FOLLOWS); left > 0; left--) value = value * 256 + this.#byte();
    return value;
  }

  #byte(): number {
    if (this.at >= this.#bytes.length) refuse("cut off");
    return this.#bytes[this.at++]!;
  }

  #skip(count: number): void {
    if (count > this.#bytes.length - this.at) refuse("cut off");
    this.at += count;
  }
}
