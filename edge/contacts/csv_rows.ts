/** CSV over UTF-8 bytes (RFC 4180, read leniently): a cursor that makes no text of fields nobody asks for. */

const QUOTE = 0x22;
const CR = 0x0d;
const LF = 0x0a;
const DELIMITERS = [",", ";", "\t"].map((delimiter) => delimiter.charCodeAt(0));
/** What is looked at to find the delimiter. */
const SAMPLE_ROWS = 20;
const SAMPLE_BYTES = 64 * 1024;

const decoder = new TextDecoder();

/** How a file is cut, and where its rows begin. */
export interface CsvShape {
  delimiter: number;
  /** Bytes before the first row: Excel's line "sep=;". */
  skippedBytes: number;
}

/** Finds the delimiter: comma, semicolon or tab, unless a first line names it. */
export function detectCsvShape(bytes: Uint8Array): CsvShape {
  const declared = /^sep=(.)\r?\n/.exec(decoder.decode(bytes.subarray(0, 8)));
  if (declared) return { delimiter: declared[1]!.charCodeAt(0), skippedBytes: declared[0].length };
  return { delimiter: likeliestDelimiter(bytes), skippedBytes: 0 };
}

export class CsvRows {
  /** Of the present row, as a spreadsheet counts them: from 1, empty ones too. */
  row = 0;
  /** Fields of the present row. */
  fieldCount = 0;
  readonly bytes: Uint8Array;
  readonly #delimiter: number;
  #starts = new Uint32Array(64);
  #ends = new Uint32Array(64);
  #at: number;

  constructor(bytes: Uint8Array, { delimiter, skippedBytes }: CsvShape) {
    this.bytes = bytes;
    this.#delimiter = delimiter;
    this.#at = skippedBytes;
    if (skippedBytes > 0) this.row = 1;
  }

  /** Moves to the next row; false behind the last. */
  next(): boolean {
    const { bytes } = this;
    if (this.#at >= bytes.length) return false;
    this.row++;
    this.fieldCount = 0;
    this.#at = this.#readFields(this.#at);
    if (bytes[this.#at] === CR && bytes[this.#at + 1] === LF) this.#at++;
    this.#at++;
    return true;
  }

  /** Whether the present row holds nothing but separators and spaces. */
  get isBlank(): boolean {
    for (let i = this.#starts[0]!; i < this.#ends[this.fieldCount - 1]!; i++) {
      const byte = this.bytes[i]!;
      if (byte !== this.#delimiter && byte !== 0x20 && byte !== 0x09 && byte !== QUOTE) return false;
    }
    return true;
  }

  /** Where the bytes of a field lie, its quotes with them; an empty stretch when the row is shorter. */
  start(field: number): number {
    return field < this.fieldCount ? this.#starts[field]! : 0;
  }

  end(field: number): number {
    return field < this.fieldCount ? this.#ends[field]! : 0;
  }

  /** The text of a field; "" when the row is shorter. */
  text(field: number): string {
    const raw = decoder.decode(this.bytes.subarray(this.start(field), this.end(field)));
    return /^".*"$/s.test(raw) && raw.length > 1 ? raw.slice(1, -1).replaceAll('""', '"') : raw;
  }

  /** Notes the fields of the row that begins at `at`; answers where it ends. */
  #readFields(at: number): number {
    const { bytes } = this;
    const delimiter = this.#delimiter;
    for (;;) {
      const start = at;
      if (bytes[at] === QUOTE) at = behindQuotes(bytes, at);
      while (at < bytes.length) {
        const byte = bytes[at]!;
        if (byte === delimiter || byte === LF || byte === CR) break;
        at++;
      }
      this.#note(start, at);
      if (at >= bytes.length || bytes[at] !== delimiter) return at;
      at++;
    }
  }

  #note(start: number, end: number): void {
    if (this.fieldCount === this.#starts.length) {
      this.#starts = doubled(this.#starts);
      this.#ends = doubled(this.#ends);
    }
    this.#starts[this.fieldCount] = start;
    this.#ends[this.fieldCount] = end;
    this.fieldCount++;
  }
}

/** Behind the closing quote of the one at `open`; a quote that is never closed is an ordinary character. */
function behindQuotes(bytes: Uint8Array, open: number): number {
  for (let at = open + 1; (at = bytes.indexOf(QUOTE, at)) !== -1; at += 2) {
    if (bytes[at + 1] !== QUOTE) return at + 1;
  }
  return open;
}

/** The one that cuts most of the first rows into equally many fields; the comma when none cuts any. */
function likeliestDelimiter(bytes: Uint8Array): number {
  let best = { delimiter: DELIMITERS[0]!, rows: 0 };
  for (const delimiter of DELIMITERS) {
    const rowsByFields = new Map<number, number>();
    const sample = new CsvRows(bytes.subarray(0, SAMPLE_BYTES), { delimiter, skippedBytes: 0 });
    for (let i = 0; i < SAMPLE_ROWS && sample.next(); i++) {
      rowsByFields.set(sample.fieldCount, (rowsByFields.get(sample.fieldCount) ?? 0) + 1);
    }
    rowsByFields.delete(1);
    const rows = Math.max(0, ...rowsByFields.values());
    if (rows > best.rows) best = { delimiter, rows };
  }
  return best.delimiter;
}

function doubled(numbers: Uint32Array): Uint32Array<ArrayBuffer> {
  const longer = new Uint32Array(numbers.length * 2);
  longer.set(numbers);
  return longer;
}
