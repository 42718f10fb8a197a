/** CSV over UTF-8 bytes (RFC 4180, read leniently): a cursor that decodes only the fields its caller reads. */

const QUOTE = 0x22;
const CR = 0x0d;
const LF = 0x0a;
const DELIMITERS = [",", ";", "\t", "|"].map((delimiter) => delimiter.charCodeAt(0));
/** Rows read to find the delimiter. */
const SAMPLE_ROWS = 20;
const SAMPLE_BYTES = 64 * 1024;

const decoder = new TextDecoder();

/** The delimiter of a file, and where its rows begin. */
export interface CsvShape {
  delimiter: number;
  /** Bytes before the first row: Excel's line "sep=;". */
  skippedBytes: number;
}

/** Finds the delimiter: comma, semicolon, tab or bar. A first line "sep=" overrides the search. */
export function detectCsvShape(bytes: Uint8Array): CsvShape {
  const declared = /^sep=(.)\r?\n/.exec(decoder.decode(bytes.subarray(0, 8)));
  if (declared) return { delimiter: declared[1]!.charCodeAt(0), skippedBytes: declared[0].length };
  return { delimiter: likeliestDelimiter(bytes), skippedBytes: 0 };
}

/** Fields kept of each row. The phone column must be among them. */
export const MAX_COLUMNS = 500;
/** A quote that does not close within this many bytes is an ordinary character. */
const MAX_QUOTED_BYTES = 64 * 1024;

export class CsvRows {
  /** The present row, counted as spreadsheets do: from 1, including empty rows. */
  row = 0;
  /** Fields of the present row. */
  fieldCount = 0;
  /** True after the present row was read to its end; otherwise next() continues it. */
  isWhole = true;
  readonly bytes: Uint8Array;
  readonly #delimiter: number;
  readonly #starts = new Uint32Array(MAX_COLUMNS);
  readonly #ends = new Uint32Array(MAX_COLUMNS);
  #at: number;
  #rowStart = 0;
  /** The end of the last field read so far. */
  #rowEnd = 0;
  /** Of a row of several pieces: the place up to which it is known to be blank; -1 = it is not. */
  #blankTo = 0;
  /** The start of the field being read; -1 = between two fields. */
  #fieldStart = -1;

  constructor(bytes: Uint8Array, { delimiter, skippedBytes }: CsvShape) {
    this.bytes = bytes;
    this.#delimiter = delimiter;
    this.#at = skippedBytes;
    if (skippedBytes > 0) this.row = 1;
  }

  /**
   * Moves to the next row, or continues a row that is not whole; returns false after the last. Reads about `maxBytes`
   * at most, so that a row of megabytes blocks nothing else.
   */
  next(maxBytes = Infinity): boolean {
    const { bytes } = this;
    if (this.isWhole) {
      if (this.#at >= bytes.length) return false;
      this.row++;
      this.fieldCount = 0;
      this.#rowStart = this.#blankTo = this.#at;
    }
    this.isWhole = this.#readFields(this.#at + maxBytes);
    if (!this.isWhole) {
      this.#lookForBlank(this.#at);
      return true;
    }
    if (bytes[this.#at] === CR && bytes[this.#at + 1] === LF) this.#at++;
    this.#at++;
    return true;
  }

  /** Where the present row begins. */
  get rowStart(): number {
    return this.#rowStart;
  }

  /** Goes to a place where a row begins; next() then reads that row, and `row` no longer counts. */
  seek(place: number): void {
    this.#at = place;
    this.#fieldStart = -1;
    this.isWhole = true;
  }

  /** True when the present row holds only separators and spaces. */
  get isBlank(): boolean {
    this.#lookForBlank(this.#rowEnd);
    return this.#blankTo >= 0;
  }

  /** A row of megabytes is looked at piece by piece. */
  #lookForBlank(to: number): void {
    if (this.#blankTo < 0) return;
    for (let i = this.#blankTo; i < to; i++) {
      const byte = this.bytes[i]!;
      if (byte !== this.#delimiter && byte !== 0x20 && byte !== 0x09 && byte !== QUOTE) {
        this.#blankTo = -1;
        return;
      }
    }
    this.#blankTo = Math.max(this.#blankTo, to);
  }

  /** Returns the byte range of a field, including its quotes; an empty range when the row is shorter. */
  start(field: number): number {
    return field < this.fieldCount && field < MAX_COLUMNS ? this.#starts[field]! : 0;
  }

  end(field: number): number {
    return field < this.fieldCount && field < MAX_COLUMNS ? this.#ends[field]! : 0;
  }

  /**
   * Returns the text of a field, from its first `maxBytes`; "" when the row is shorter. It drops a character that the
   * limit cuts.
   */
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

  /** Records the fields of the row from `#at` on; returns false when `limit` came before the row's end. */
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

/**
 * Returns the place after the closing quote of the one at `open`. A quote that never closes is an ordinary character.
 */
function behindQuotes(bytes: Uint8Array, open: number): number {
  const last = open + MAX_QUOTED_BYTES;
  for (let at = open + 1; (at = bytes.indexOf(QUOTE, at)) !== -1 && at <= last; at += 2) {
    if (bytes[at + 1] !== QUOTE) return at + 1;
  }
  return open;
}

/**
 * Returns the delimiter that splits most of the first rows into the same number of fields; the comma if none splits
 * any.
 */
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
