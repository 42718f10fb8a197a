/** Writes rows as CSV, byte by byte, that detectCsvShape() reads back as they were, whatever the cells hold. */

const FIRST_BYTES = 256 * 1024;
/** The rows from which detectCsvShape() learns the separator: they are made equally long. */
const FIRST_ROWS = 20;
const TAB = 0x09;
const LF = 0x0a;
const CR = 0x0d;
const QUOTE = 0x22;
const COMMA = 0x2c;
const SEMICOLON = 0x3b;
const BAR = 0x7c;
/** The beginning of "sep=;", with which Excel names the separator. */
const S = 0x73;

export class CsvWriter {
  #bytes = new Uint8Array(FIRST_BYTES);
  #length = 0;
  readonly #maxBytes: number;
  /** Rows written so far; the next is one more. */
  rows = 0;
  #fields = 0;
  /** Of the first rows. */
  readonly #fieldsOf: number[] = [];
  readonly #endsOf: number[] = [];

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** Fields of the present row so far. */
  get fields(): number {
    return this.#fields;
  }

  /** Adds a field of the present row. Returns false, and adds nothing, when the limit is passed. */
  add(bytes: Uint8Array, from = 0, to = bytes.length): boolean {
    if (!this.#hasRoom(2 * (to - from) + 3)) return false;
    if (this.#fields++ > 0) this.#bytes[this.#length++] = COMMA;
    let length = this.#length;
    const target = this.#bytes;
    const start = length;
    let isPlain = bytes[from] !== S;
    for (let at = from; at < to; at++) {
      const byte = bytes[at]!;
      target[length++] = byte;
      if (
        byte === COMMA || byte === QUOTE || byte === SEMICOLON || byte === TAB || byte === BAR ||
        byte === LF || byte === CR
      ) {
        isPlain = false;
      }
    }
    this.#length = isPlain ? length : this.#quote(bytes, from, to, start);
    return true;
  }

  /** Ends the present row. Returns false when the limit is passed. */
  endRow(): boolean {
    if (!this.#hasRoom(1)) return false;
    if (this.rows < FIRST_ROWS) {
      this.#fieldsOf.push(this.#fields);
      this.#endsOf.push(this.#length);
    }
    this.#bytes[this.#length++] = LF;
    this.#fields = 0;
    this.rows++;
    return true;
  }

  finish(): Uint8Array<ArrayBuffer> {
    const width = Math.max(1, ...this.#fieldsOf);
    const missing = this.#fieldsOf.map((fields) => width - Math.max(1, fields));
    const whole = new Uint8Array(this.#length + missing.reduce((sum, commas) => sum + commas, 0));
    let from = 0;
    let at = 0;
    this.#endsOf.forEach((end, row) => {
      whole.set(this.#bytes.subarray(from, end), at);
      at += end - from;
      whole.fill(COMMA, at, at + missing[row]!);
      at += missing[row]!;
      from = end;
    });
    whole.set(this.#bytes.subarray(from, this.#length), at);
    return whole;
  }

  #quote(bytes: Uint8Array, from: number, to: number, start: number): number {
    let length = start;
    this.#bytes[length++] = QUOTE;
    for (let at = from; at < to; at++) {
      if (bytes[at] === QUOTE) this.#bytes[length++] = QUOTE;
      this.#bytes[length++] = bytes[at]!;
    }
    this.#bytes[length++] = QUOTE;
    return length;
  }

  #hasRoom(bytes: number): boolean {
    const needed = this.#length + bytes;
    if (needed <= this.#bytes.length) return true;
    if (needed > this.#maxBytes) return false;
    const larger = new Uint8Array(Math.min(this.#maxBytes, Math.max(2 * this.#bytes.length, needed)));
    larger.set(this.#bytes.subarray(0, this.#length));
    this.#bytes = larger;
    return true;
  }
}
