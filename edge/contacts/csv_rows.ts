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

/** Fields of a row that are kept; the phone column is among them. */
export const MAX_COLUMNS = 500;
/** A quote that is not closed within so many bytes is an ordinary character. */
const MAX_QUOTED_BYTES = 64 * 1024;

export class CsvRows {
  /** Of the present row, as a spreadsheet counts them: from 1, empty ones too. */
  row = 0;
  /** Fields of the present row. */
  fieldCount = 0;
  /** Whether the present row was read to its end; else next() goes on with it. */
  isWhole = true;
  readonly bytes: Uint8Array;
  readonly #delimiter: number;
  readonly #starts = new Uint32Array(MAX_COLUMNS);
  readonly #ends = new Uint32Array(MAX_COLUMNS);
  #at: number;
  #rowStart = 0;
  /** Where the row's last field so far ends. */
  #rowEnd = 0;
  /** Where the field begins that is being read; -1 = between two. */
  #fieldStart = -1;

  constructor(bytes: Uint8Array, { delimiter, skippedBytes }: CsvShape) {
    this.bytes = bytes;
    this.#delimiter = delimiter;
    this.#at = skippedBytes;
    if (skippedBytes > 0) this.row = 1;
  }

  /**
   * Moves to the next row, or on in one that is not whole; false behind the last. Reads some `maxBytes` at most, so that
   * a row of megabytes stops nobody.
   */
  next(maxBytes = Infinity): boolean {
    const { bytes } = this;
    if (this.isWhole) {
      if (this.#at >= bytes.length) return false;
      this.row++;
      this.fieldCount = 0;
      this.#rowStart = this.#at;
    }
    this.isWhole = this.#readFields(this.#at + maxBytes);
    if (!this.isWhole) return true;
    if (bytes[this.#at] === CR && bytes[this.#at + 1] === LF) this.#at++;
    this.#at++;
    return true;
  }

  /** Whether the present row holds nothing but separators and spaces. */
  get isBlank(): boolean {
    for (let i = this.#rowStart; i < this.#rowEnd; i++) {
      const byte = this.bytes[i]!;
      if (byte !== this.#delimiter && byte !== 0x20 && byte !== 0x09 && byte !== QUOTE) return false;
    }
    return true;
  }

  /** Where the bytes of a field lie, its quotes with them; an empty stretch when the row is shorter. */
  start(field: number): number {
    return field < this.fieldCount && field < MAX_COLUMNS ? this.#starts[field]! : 0;
  }

  end(field: number): number {
    return field < this.fieldCount && field < MAX_COLUMNS ? this.#ends[field]! : 0;
  }

  /** The text of a field; "" when the row is shorter. Reads its first `maxBytes`; a letter that they cut is lost. */
  text(field: number, maxBytes = Infinity): string {
    const start = this.start(field);
    const end = this.end(field);
    const raw = decoder.decode(this.bytes.subarray(start, Math.min(end, start + maxBytes)));
    if (end - start > maxBytes) {
      const isQuoted = raw.startsWith('"') && this.bytes[end - 1] === QUOTE;
      return isQuoted ? raw.slice(1).replaceAll('""', '"') : raw;
    }
    return /^".*"$/s.test(raw) && raw.length > 1 ? raw.slice(1, -1).replaceAll('""', '"') : raw;
  }

  /** Notes the fields of the row from `#at` on; false when `limit` came before the row's end. */
  #readFields(limit: number): boolean {
    const { bytes } = this;
    const delimiter = this.#delimiter;
    let at = this.#at;
    for (;;) {
      if (this.#fieldStart < 0) {
        this.#fieldStart = at;
        if (bytes[at] === QUOTE) at = behindQuotes(bytes, at);
      }
      const end = Math.min(bytes.length, limit);
      while (at < end) {
        const byte = bytes[at]!;
        if (byte === delimiter || byte === LF || byte === CR) break;
        at++;
      }
      this.#at = at;
      if (at >= end && at < bytes.length) return false;
      this.#note(this.#fieldStart, at);
      this.#fieldStart = -1;
      if (at >= bytes.length || bytes[at] !== delimiter) return true;
      this.#at = ++at;
    }
  }

  #note(start: number, end: number): void {
    if (this.fieldCount < MAX_COLUMNS) {
      this.#starts[this.fieldCount] = start;
      this.#ends[this.fieldCount] = end;
    }
    this.#rowEnd = end;
    this.fieldCount++;
  }
}

/** Behind the closing quote of the one at `open`; a quote that is not closed is an ordinary character. */
function behindQuotes(bytes: Uint8Array, open: number): number {
  const last = open + MAX_QUOTED_BYTES;
  for (let at = open + 1; (at = bytes.indexOf(QUOTE, at)) !== -1 && at <= last; at += 2) {
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
