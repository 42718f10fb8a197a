/** Reads a JSON body with one long text while it arrives: parsing it whole would block every other request. */
import type { YieldToEventLoop } from "./yield_to_event_loop.ts";
import { HttpError } from "./http_error.ts";

export interface LongTextBounds {
  /** The member of the outermost object with the text. */
  member: string;
  /** Bound of the text in UTF-8 bytes, without escapes. */
  maxTextBytes: number;
  /** Bound of everything except that text; a run of spaces counts as one. */
  maxOtherBytes: number;
  yieldToEventLoop: YieldToEventLoop;
}

export interface LongText {
  /** UTF-8; null when the member is missing or is not a text. */
  text: Uint8Array | null;
  /** The rest of the body, parsed; the member is "" in it when it was read as `text`. */
  rest: unknown;
}

/** Bytes between two checks of the clock. */
const SLICE_BYTES = 64 * 1024;

/**
 * Reads a body to its end.
 *
 * @throws {HttpError} `body_too_large` beyond a bound; `invalid_input` when it is not JSON or breaks off; what the
 * body's own stream throws
 */
export async function readLongText(
  body: ReadableStream<Uint8Array> | null,
  bounds: LongTextBounds,
): Promise<LongText> {
  const scan = new LongTextScan(bounds);
  const reader = body?.getReader();
  try {
    for (let chunk = await reader?.read(); chunk?.value !== undefined; chunk = await reader?.read()) {
      for (let at = 0; at < chunk.value.length; at += SLICE_BYTES) {
        scan.take(chunk.value.subarray(at, at + SLICE_BYTES));
        await bounds.yieldToEventLoop();
      }
    }
  } catch (cause) {
    // Nothing reads on, so the sender need not send the rest.
    reader?.cancel(cause).catch(() => {});
    if (cause instanceof HttpError) throw cause;
    throw noJson("the body broke off", cause);
  }
  return scan.finish();
}

function noJson(detail: string, cause?: unknown): HttpError {
  return new HttpError("invalid_input", { detail, cause });
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COLON = 0x3a;
const SPACE = 0x20;
/** The character of an escape, by the byte after its backslash; 0 = no such escape (RFC 8259, section 7). */
const ESCAPED = new Uint8Array(256);
for (
  const [name, meant] of Object.entries({
    '"': '"',
    "\\": "\\",
    "/": "/",
    b: "\b",
    f: "\f",
    n: "\n",
    r: "\r",
    t: "\t",
  })
) {
  ESCAPED[name.charCodeAt(0)] = meant.charCodeAt(0);
}
const REPLACEMENT = 0xfffd;
/** Marker bits of a character's first UTF-8 byte, by the number of following bytes. */
const LEADS = [0, 0xc0, 0xe0, 0xf0];

/** Where the next byte belongs. */
type Place = "structure" | "string" | "text";

class LongTextScan {
  readonly #member: Uint8Array;
  readonly #maxTextBytes: number;
  #place: Place = "structure";
  readonly #rest: Bytes;
  #text: Bytes | null = null;
  #depth = 0;
  /** The last byte of the structure that is not a space. */
  #before = 0;
  /** The beginning in `#rest` of the current or last string, and the end of the last one. */
  #stringAt = 0;
  #stringEnd = 0;
  /** -1 = outside an escape, 0 = after a backslash, 1 to 4 = missing hexadecimal digits. */
  #escape = -1;
  #unit = 0;
  /** The first half of a character written as two escapes. */
  #high = 0;

  constructor({ member, maxTextBytes, maxOtherBytes }: LongTextBounds) {
    this.#member = new TextEncoder().encode(`"${member}"`);
    this.#maxTextBytes = maxTextBytes;
    this.#rest = new Bytes(maxOtherBytes);
  }

  take(slice: Uint8Array): void {
    for (let at = 0; at < slice.length;) {
      if (this.#place === "text") at = this.#takeText(slice, at);
      else if (this.#place === "string") this.#takeString(slice[at++]!);
      else this.#takeStructure(slice[at++]!);
    }
  }

  finish(): LongText {
    if (this.#place !== "structure") throw noJson("the body is no JSON");
    try {
      const rest: unknown = JSON.parse(new TextDecoder().decode(this.#rest.taken()));
      return { text: this.#text?.taken() ?? null, rest };
    } catch (cause) {
      throw noJson("the body is no JSON", cause);
    }
  }

  #takeStructure(byte: number): void {
    if (byte === SPACE || byte === 0x09 || byte === 0x0a || byte === 0x0d) {
      // Keep one space: without it "1 2" would become a number.
      if (this.#rest.last() !== SPACE) this.#rest.push(SPACE);
      return;
    }
    if (byte === QUOTE) {
      if (this.#depth === 1 && this.#before === COLON && this.#isMember()) {
        this.#rest.push(QUOTE);
        this.#rest.push(QUOTE);
        // Of members with the same name the last one counts, as in JSON.parse(); a body may repeat it thousands of
        // times.
        this.#text ??= new Bytes(this.#maxTextBytes);
        this.#text.length = 0;
        this.#place = "text";
      } else {
        this.#stringAt = this.#rest.length;
        this.#rest.push(QUOTE);
        this.#place = "string";
      }
    } else {
      if (byte === 0x7b || byte === 0x5b) this.#depth++;
      if (byte === 0x7d || byte === 0x5d) this.#depth--;
      this.#rest.push(byte);
    }
    this.#before = byte;
  }

  #takeString(byte: number): void {
    this.#rest.push(byte);
    if (this.#escape === 0) this.#escape = -1;
    else if (byte === BACKSLASH) this.#escape = 0;
    else if (byte === QUOTE) {
      this.#place = "structure";
      this.#stringEnd = this.#rest.length;
    }
  }

  /** Returns whether the last string is the member's name. */
  #isMember(): boolean {
    const name = this.#rest.taken().subarray(this.#stringAt, this.#stringEnd);
    return name.length === this.#member.length && name.every((byte, index) => byte === this.#member[index]);
  }

  /** Takes text from `at` to its end or the slice's end; returns the position after it. */
  #takeText(slice: Uint8Array, at: number): number {
    const text = this.#text!;
    if (this.#escape >= 0) {
      this.#takeEscape(text, slice[at]!);
      return at + 1;
    }
    let end = at;
    while (end < slice.length && slice[end] !== QUOTE && slice[end] !== BACKSLASH && slice[end]! >= SPACE) {
      end++;
    }
    if (end > at) {
      this.#endHigh(text);
      text.append(slice.subarray(at, end));
    }
    if (end === slice.length) return end;
    if (slice[end]! < SPACE) throw noJson("the body is no JSON");
    if (slice[end] === BACKSLASH) this.#escape = 0;
    else {
      this.#endHigh(text);
      this.#place = "structure";
    }
    return end + 1;
  }

  #takeEscape(text: Bytes, byte: number): void {
    if (this.#escape > 0) {
      const digit = hexDigit(byte);
      if (digit < 0) throw noJson("the body is no JSON");
      this.#unit = this.#unit << 4 | digit;
      if (--this.#escape > 0) return;
      this.#escape = -1;
      this.#addUnit(text, this.#unit);
    } else if (byte === 0x75 /* u */) {
      this.#escape = 4;
      this.#unit = 0;
    } else {
      const meant = ESCAPED[byte]!;
      if (meant === 0) throw noJson("the body is no JSON");
      this.#escape = -1;
      this.#endHigh(text);
      text.push(meant);
    }
  }

  #addUnit(text: Bytes, unit: number): void {
    const isLow = unit >= 0xdc00 && unit <= 0xdfff;
    if (isLow && this.#high !== 0) {
      text.pushSign(0x10000 + ((this.#high & 0x3ff) << 10 | (unit & 0x3ff)));
      this.#high = 0;
      return;
    }
    this.#endHigh(text);
    if (unit >= 0xd800 && unit <= 0xdbff) this.#high = unit;
    else text.pushSign(isLow ? REPLACEMENT : unit);
  }

  /** Replaces the first half of a character whose second half is missing. */
  #endHigh(text: Bytes): void {
    if (this.#high === 0) return;
    this.#high = 0;
    text.pushSign(REPLACEMENT);
  }
}

function hexDigit(byte: number): number {
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30;
  const letter = byte | 0x20;
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : -1;
}

/** Appends bytes up to a bound. */
class Bytes {
  length = 0;
  readonly #maxBytes: number;
  #bytes = new Uint8Array(1024);

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  last(): number {
    return this.length === 0 ? -1 : this.#bytes[this.length - 1]!;
  }

  taken(): Uint8Array {
    return this.#bytes.subarray(0, this.length);
  }

  push(byte: number): void {
    this.#makeRoom(1);
    this.#bytes[this.length++] = byte;
  }

  append(bytes: Uint8Array): void {
    this.#makeRoom(bytes.length);
    this.#bytes.set(bytes, this.length);
    this.length += bytes.length;
  }

  /** Adds a character in UTF-8. */
  pushSign(codePoint: number): void {
    if (codePoint < 0x80) return this.push(codePoint);
    const more = codePoint < 0x800 ? 1 : codePoint < 0x10000 ? 2 : 3;
    this.push(LEADS[more]! | codePoint >> (6 * more));
    for (let left = more - 1; left >= 0; left--) this.push(0x80 | codePoint >> (6 * left) & 0x3f);
  }

  #makeRoom(count: number): void {
    const needed = this.length + count;
    if (needed > this.#maxBytes) throw new HttpError("body_too_large", { text: "הבקשה גדולה מדי." });
    if (needed <= this.#bytes.length) return;
    const longer = new Uint8Array(Math.min(this.#maxBytes, Math.max(needed, 2 * this.#bytes.length)));
    longer.set(this.taken());
    this.#bytes = longer;
  }
}
