/**
 * Reads XML in UTF-8 piece by piece, as a cursor over bytes: a sheet of 10 MB has ten million tokens, and a string for
 * each would cost more than all the rest. It knows what workbooks hold: elements, attributes, texts, CDATA, comments
 * and instructions.
 */
import { TableRefusal } from "./table_refusal.ts";

/** Longest tag, text or comment: a cell has at most 32,767 signs. An unfinished one is read again with each piece. */
const MAX_TOKEN_BYTES = 256 * 1024;
/** The deepest part of a workbook has some ten. */
const MAX_DEPTH = 64;
const MAX_ATTRIBUTES = 64;

const SPACE = 0x20;
const BANG = 0x21;
const DOUBLE_QUOTE = 0x22;
const QUOTE = 0x27;
const SLASH = 0x2f;
const COLON = 0x3a;
const LESS = 0x3c;
const EQUAL = 0x3d;
const GREATER = 0x3e;
const QUESTION = 0x3f;

const decoder = new TextDecoder();
const encoder = new TextEncoder();
const COMMENT = encoder.encode("<!--");
const COMMENT_END = encoder.encode("-->");
const CDATA = encoder.encode("<![CDATA[");
const CDATA_END = encoder.encode("]]>");
const INSTRUCTION_END = encoder.encode("?>");
/** The names of nearly all elements: no string is made for them. */
const COMMON_NAMES = ["c", "v", "t", "r", "f", "is", "si", "row", "rPr"].map((name) => ({
  name,
  bytes: encoder.encode(name),
}));

/** What next() found; `more` = the piece is used up. */
export type XmlToken = "open" | "close" | "text" | "more";

export class XmlScanner {
  /** The present element, without a prefix. */
  name = "";
  /** The bytes that the places below are in, until the next piece is added. */
  bytes = new Uint8Array(2 * MAX_TOKEN_BYTES);
  /** The text that was found, or the value that hasAttribute() found. */
  from = 0;
  to = 0;
  /** Whether that text may hold entities. */
  isRaw = false;
  #length = 0;
  #at = 0;
  /** Names of the open elements, with prefixes. */
  readonly #open: string[] = [];
  #isBegun = false;
  #hadRoot = false;
  /** True = the element that was just opened has no content: its end follows. */
  #closesNext = false;
  #attributesFrom = 0;
  #attributesTo = 0;
  #attributeCount = -1;
  /** Four places each: the name's beginning and end, the value's beginning and end. */
  readonly #attributes = new Int32Array(4 * MAX_ATTRIBUTES);

  /** Takes the next piece, of at most 64 kB; next() must have returned "more". @throws {TableRefusal} `broken_file` */
  add(piece: Uint8Array): void {
    const rest = this.#length - this.#at;
    if (rest > MAX_TOKEN_BYTES) throw broken();
    this.bytes.copyWithin(0, this.#at, this.#length);
    this.bytes.set(piece, rest);
    this.#length = rest + piece.length;
    this.#at = 0;
  }

  /** Ends the document. @throws {TableRefusal} `broken_file` when something is missing */
  end(): void {
    const isWhole = this.#open.length === 0 && this.#hadRoot && !this.#closesNext;
    if (!isWhole || !this.#isBlank(this.#at, this.#length)) throw broken();
  }

  /** Moves to the next token. @throws {TableRefusal} `broken_file` */
  next(): XmlToken {
    if (this.#closesNext) {
      this.#closesNext = false;
      this.#open.pop();
      return "close";
    }
    if (!this.#isBegun && !this.#skipMark()) return "more";
    const { bytes } = this;
    for (;;) {
      if (this.#at >= this.#length) return "more";
      if (bytes[this.#at] !== LESS) {
        const end = this.#find(LESS, this.#at, this.#length);
        if (end < 0) return "more";
        const from = this.#at;
        this.#at = end;
        if (this.#open.length > 0) return this.#foundText(from, end, false);
        if (!this.#isBlank(from, end)) throw broken();
      }
      if (this.#at + 1 >= this.#length) return "more";
      const sign = bytes[this.#at + 1];
      if (sign === SLASH) return this.#readClose();
      if (sign !== BANG && sign !== QUESTION) return this.#readOpen();
      const token = this.#readMarkup(sign);
      if (token !== null) return token;
    }
  }

  /** Returns the text or value that was found, with its entities read. */
  text(): string {
    const text = decoder.decode(this.bytes.subarray(this.from, this.to));
    return this.isRaw || !text.includes("&") ? text : readEntities(text);
  }

  /** Finds an attribute of the element that was opened, by its name with or without a prefix. */
  hasAttribute(name: string): boolean {
    if (this.#attributeCount < 0) this.#findAttributes();
    const places = this.#attributes;
    const { length } = name;
    for (let i = 0; i < 4 * this.#attributeCount; i += 4) {
      const nameFrom = places[i + 1]! - length;
      if (nameFrom < places[i]! || !this.#holds(name, nameFrom)) continue;
      if (nameFrom > places[i]! && this.bytes[nameFrom - 1] !== COLON) continue;
      this.from = places[i + 2]!;
      this.to = places[i + 3]!;
      this.isRaw = false;
      return true;
    }
    return false;
  }

  /** Returns an attribute as text. */
  attribute(name: string): string | undefined {
    return this.hasAttribute(name) ? this.text() : undefined;
  }

  #foundText(from: number, to: number, isRaw: boolean): "text" {
    this.from = from;
    this.to = to;
    this.isRaw = isRaw;
    return "text";
  }

  /** Skips a byte order mark; returns false while there is nothing to look at. */
  #skipMark(): boolean {
    if (this.#length < 3) return false;
    this.#isBegun = true;
    if (this.bytes[0] === 0xef && this.bytes[1] === 0xbb && this.bytes[2] === 0xbf) this.#at = 3;
    return true;
  }

  /** Skips a comment or an instruction, and returns null; finds the text of CDATA. */
  #readMarkup(sign: number): "text" | "more" | null {
    if (sign === QUESTION) return this.#skipTo(INSTRUCTION_END, 2);
    const at = this.#at;
    // Enough to tell a comment from CDATA.
    if (this.#length < at + CDATA.length) return "more";
    if (this.#begins(COMMENT, at)) return this.#skipTo(COMMENT_END, COMMENT.length);
    // A document type could define entities that grow without end. No program writes one into a workbook.
    if (!this.#begins(CDATA, at) || this.#open.length === 0) throw broken();
    const from = at + CDATA.length;
    const end = this.#findAll(CDATA_END, from);
    if (end < 0) return "more";
    this.#at = end + CDATA_END.length;
    return this.#foundText(from, end, true);
  }

  #skipTo(end: Uint8Array, after: number): "more" | null {
    const to = this.#findAll(end, this.#at + after);
    if (to < 0) return "more";
    this.#at = to + end.length;
    return null;
  }

  #readClose(): "close" | "more" {
    const open = this.#open.at(-1);
    if (open === undefined) throw broken();
    const nameFrom = this.#at + 2;
    let at = nameFrom + open.length;
    if (at >= this.#length) return "more";
    if (!this.#holds(open, nameFrom)) throw broken();
    while (at < this.#length && isSpace(this.bytes[at]!)) at++;
    if (at >= this.#length) return "more";
    if (this.bytes[at] !== GREATER) throw broken();
    this.#at = at + 1;
    this.#open.pop();
    this.name = withoutPrefix(open);
    return "close";
  }

  #readOpen(): "open" | "more" {
    const { bytes } = this;
    const end = this.#endOfTag(this.#at + 1);
    if (end < 0) return "more";
    const isEmpty = bytes[end - 1] === SLASH;
    const to = isEmpty ? end - 1 : end;
    const nameFrom = this.#at + 1;
    let nameTo = nameFrom;
    while (nameTo < to && !isSpace(bytes[nameTo]!)) nameTo++;
    const isSecondRoot = this.#open.length === 0 && this.#hadRoot;
    if (nameTo === nameFrom || isSecondRoot || this.#open.length === MAX_DEPTH) throw broken();
    const whole = this.#nameAt(nameFrom, nameTo);
    this.#hadRoot = true;
    this.#open.push(whole);
    this.name = withoutPrefix(whole);
    this.#closesNext = isEmpty;
    this.#attributesFrom = nameTo;
    this.#attributesTo = to;
    this.#attributeCount = -1;
    this.#at = end + 1;
    return "open";
  }

  #findAttributes(): void {
    const { bytes } = this;
    const to = this.#attributesTo;
    const places = this.#attributes;
    let next = 0;
    for (let at = this.#attributesFrom;;) {
      while (at < to && isSpace(bytes[at]!)) at++;
      if (at >= to) break;
      if (next === places.length) throw broken();
      places[next++] = at;
      while (at < to && bytes[at] !== EQUAL && !isSpace(bytes[at]!)) at++;
      places[next++] = at;
      while (at < to && isSpace(bytes[at]!)) at++;
      if (bytes[at++] !== EQUAL) throw broken();
      while (at < to && isSpace(bytes[at]!)) at++;
      const quote = bytes[at]!;
      if (quote !== QUOTE && quote !== DOUBLE_QUOTE) throw broken();
      const valueTo = this.#find(quote, at + 1, to);
      if (valueTo < 0) throw broken();
      places[next++] = at + 1;
      places[next++] = valueTo;
      at = valueTo + 1;
    }
    this.#attributeCount = next / 4;
  }

  /** Returns the place of the ">" that ends a tag, -1 when it is not there yet. Values of attributes may hold one. */
  #endOfTag(from: number): number {
    const { bytes } = this;
    for (let at = from; at < this.#length; at++) {
      const sign = bytes[at]!;
      if (sign === GREATER) return at;
      if (sign !== QUOTE && sign !== DOUBLE_QUOTE) continue;
      at = this.#find(sign, at + 1, this.#length);
      if (at < 0) return -1;
    }
    return -1;
  }

  #nameAt(from: number, to: number): string {
    for (const { name, bytes } of COMMON_NAMES) {
      if (bytes.length === to - from && this.#begins(bytes, from)) return name;
    }
    return decoder.decode(this.bytes.subarray(from, to));
  }

  /** Compares a Latin text; workbooks have no other names. */
  #holds(text: string, at: number): boolean {
    for (let i = 0; i < text.length; i++) if (this.bytes[at + i] !== text.charCodeAt(i)) return false;
    return true;
  }

  #begins(pattern: Uint8Array, at: number): boolean {
    for (let i = 0; i < pattern.length; i++) if (this.bytes[at + i] !== pattern[i]) return false;
    return true;
  }

  /** Short distances are the rule: a loop is faster than a call to the engine. */
  #find(sign: number, from: number, to: number): number {
    const { bytes } = this;
    for (let at = from; at < to; at++) if (bytes[at] === sign) return at;
    return -1;
  }

  #findAll(pattern: Uint8Array, from: number): number {
    const last = this.#length - pattern.length;
    for (let at = from; at <= last; at++) {
      if (this.bytes[at] === pattern[0] && this.#begins(pattern, at)) return at;
    }
    return -1;
  }

  #isBlank(from: number, to: number): boolean {
    for (let at = from; at < to; at++) if (!isSpace(this.bytes[at]!)) return false;
    return true;
  }
}

function withoutPrefix(name: string): string {
  if (name.length === 1) return name;
  return name.slice(name.indexOf(":") + 1);
}

function isSpace(sign: number): boolean {
  return sign === SPACE || (sign >= 0x09 && sign <= 0x0d);
}

const ENTITIES: Record<string, string> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };

function readEntities(text: string): string {
  return text.replace(/&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|([a-z]{2,4}));/gi, (all, decimal, hex, name) => {
    if (name !== undefined) return ENTITIES[name] ?? all;
    const code = decimal === undefined ? parseInt(hex, 16) : Number(decimal);
    return code <= 0x10ffff ? String.fromCodePoint(code) : all;
  });
}

function broken(): TableRefusal {
  return new TableRefusal("broken_file");
}
