/**
 * The rows of a table on their way into a list: each number once, with the values of its row as JSON and with the keys
 * of these values. Plain cells of a file are copied as bytes; a text for each of them would take most of the import.
 */
import { cleanFieldValue, type Fields, MAX_FIELD_VALUE_CHARS } from "shared/contact_fields.ts";
import type { PhoneProblem } from "shared/phone.ts";
import { type ContactList, ContactListBuilder } from "../contacts/contact_list.ts";
import { orderOf } from "../contacts/sort_numbers.ts";
import type { YieldToEventLoop } from "../http/yield_to_event_loop.ts";
import { type Block, blocksOf, KeyEntries } from "../people/key_entries.ts";
import { ALEF, foldInto, KEY_BYTES } from "../people/value_keys.ts";

const encoder = new TextEncoder();
const decoder = new TextDecoder();
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const SPACE = 0x20;
const OPENING = 0x7b;
const CLOSING = 0x7d;
const ZERO = 0x30;
/** A row without values: {}. */
const EMPTY_ROW_BYTES = 2;
/** The first byte of a Hebrew letter in UTF-8, and the second ones of alef and tav. */
const HEBREW = 0xd7;
const FIRST_LETTER = 0x90;
const LAST_LETTER = 0xaa;
/** JSONB (sqlite.org/jsonb.html): an object, a text that needs no escapes as a key, and any text, with so many bytes of size. */
const OBJECT_4 = 0xec;
const TEXT_1 = 0xc7;
const TEXT_4 = 0xea;
const NULL = 0x00;
/** Digits of a number; shorter ones have zeros before them. */
const KEY_DIGITS = 15;
/** What a person of JSONB takes beside the values: the key and the head of the values. */
const PERSON_BYTES = 2 + KEY_DIGITS + 5;
/** The bytes that one value may take in JSON: each character escaped, and its quotes. */
const MOST_VALUE_BYTES = 6 * MAX_FIELD_VALUE_CHARS + 2;

export class ContactRows {
  readonly entries = new KeyEntries();
  readonly #names: Uint8Array[];
  readonly #mostRowBytes: number;
  readonly #list: ContactListBuilder;
  #json = new Uint8Array(64 * 1024);
  #at = 0;
  /** The end of the values of each row; they begin where those of the row before end. */
  #ends = new Uint32Array(1_024);
  #count = 0;

  /** `names` are cleaned; at most `maxRows` rows are read; `seed` is a random 32-bit integer. */
  constructor(readonly names: readonly string[], maxRows: number, seed: number) {
    this.#names = names.map((name) => encoder.encode(`${JSON.stringify(name)}:`));
    this.#mostRowBytes = this.#names.reduce((sum, name) => sum + name.length + MOST_VALUE_BYTES + 1, 2);
    this.#list = new ContactListBuilder(maxRows, seed);
  }

  /** Begins the row of a number; false = the number was read before, and its row is left out. */
  open(phone: number): boolean {
    if (!this.#list.add(phone)) return false;
    if (this.#at + this.#mostRowBytes > this.#json.length) {
      const bigger = new Uint8Array(2 * this.#json.length + this.#mostRowBytes);
      bigger.set(this.#json.subarray(0, this.#at));
      this.#json = bigger;
    }
    this.#json[this.#at++] = OPENING;
    return true;
  }

  /** Adds the value of a field to the open row, as a text. */
  addText(field: number, text: string): void {
    const value = cleanFieldValue(text);
    if (value === "") return;
    this.#name(field);
    this.#at += encoder.encodeInto(JSON.stringify(value), this.#json.subarray(this.#at)).written;
    const start = this.entries.open();
    this.entries.close(this.#count, foldInto(value, this.entries.keys, start, KEY_BYTES));
  }

  /** Adds the value of a field to the open row, as a cell of UTF-8 bytes that may be quoted. */
  addCell(field: number, bytes: Uint8Array, from: number, to: number): void {
    if (to - from >= 2 && bytes[from] === QUOTE && bytes[to - 1] === QUOTE) {
      from++;
      to--;
    }
    if (to === from || this.#addPlain(field, bytes, from, to)) return;
    const text = decoder.decode(bytes.subarray(from, Math.min(to, from + MOST_VALUE_BYTES * 2)));
    this.addText(field, text.replaceAll('""', '"'));
  }

  /**
   * Adds a cell that needs neither cleaning nor escapes, in one pass over its bytes: ASCII and Hebrew letters, no
   * quotes, and no space at its ends or beside another. Returns false and adds nothing when it is another.
   */
  #addPlain(field: number, bytes: Uint8Array, from: number, to: number): boolean {
    // A character takes two bytes at most.
    if (to - from > MAX_FIELD_VALUE_CHARS) return false;
    const opened = this.#at;
    this.#name(field);
    let key = this.entries.open();
    const keyEnd = key + KEY_BYTES;
    const { keys } = this.entries;
    const json = this.#json;
    let at = this.#at;
    json[at++] = QUOTE;
    let before = SPACE;
    for (let place = from; place < to; place++) {
      const byte = bytes[place]!;
      if (byte < 0x80) {
        const isPlain = byte >= SPACE && byte !== 0x7f && byte !== QUOTE && byte !== BACKSLASH &&
          (byte !== SPACE || before !== SPACE);
        if (!isPlain) {
          this.#at = opened;
          return false;
        }
        json[at++] = byte;
        if (key < keyEnd) keys[key++] = byte >= 0x41 && byte <= 0x5a ? byte + 0x20 : byte;
      } else {
        const next = bytes[++place]!;
        if (byte !== HEBREW || next < FIRST_LETTER || next > LAST_LETTER || place >= to) {
          this.#at = opened;
          return false;
        }
        json[at++] = byte;
        json[at++] = next;
        if (key < keyEnd) keys[key++] = ALEF + next - FIRST_LETTER;
      }
      before = byte;
    }
    if (before === SPACE) {
      this.#at = opened;
      return false;
    }
    json[at++] = QUOTE;
    this.#at = at;
    this.entries.close(this.#count, key);
    return true;
  }

  /** Ends the open row. */
  close(): void {
    if (this.#json[this.#at - 1] === COMMA) this.#at--;
    this.#json[this.#at++] = CLOSING;
    if (this.#count === this.#ends.length) {
      const bigger = new Uint32Array(2 * this.#ends.length);
      bigger.set(this.#ends);
      this.#ends = bigger;
    }
    this.#ends[this.#count++] = this.#at;
  }

  reject(row: number, text: string, problem: PhoneProblem): void {
    this.#list.reject(row, this.#list.keepsRejected ? text : "", problem);
  }

  /** Returns the rows in the order of their numbers. */
  async finish(yieldToEventLoop: YieldToEventLoop): Promise<SortedRows> {
    const list = this.#list.finish();
    const order = await orderOf(list.phones, yieldToEventLoop);
    await yieldToEventLoop();
    return new SortedRows(this.names, list, order, this.entries, this.#json, this.#ends);
  }

  #name(field: number): void {
    const name = this.#names[field]!;
    if (this.#json[this.#at - 1] !== OPENING && this.#json[this.#at - 1] !== COMMA) {
      this.#json[this.#at++] = COMMA;
    }
    // A copy of some bytes by set() takes longer.
    let at = this.#at;
    for (let byte = 0; byte < name.length; byte++) this.#json[at++] = name[byte]!;
    this.#at = at;
  }
}

/** The rows of a table in the order of their numbers, so that each transaction writes neighbouring pages. */
export class SortedRows {
  /** The first entry of each row: entries came in the order of the rows. */
  readonly #firstEntry: Uint32Array;
  /** Row by place. */
  readonly #order: Uint32Array;

  constructor(
    readonly names: readonly string[],
    readonly list: ContactList,
    order: Uint32Array,
    readonly entries: KeyEntries,
    readonly json: Uint8Array,
    readonly ends: Uint32Array,
  ) {
    const { phones } = list;
    this.#order = order;
    this.#firstEntry = new Uint32Array(phones.length + 1);
    for (let entry = 0; entry < entries.count; entry++) this.#firstEntry[entries.rows[entry]! + 1]!++;
    for (let row = 0; row < phones.length; row++) this.#firstEntry[row + 1]! += this.#firstEntry[row]!;
  }

  get length(): number {
    return this.list.phones.length;
  }

  /** Whether a row has a value. */
  get hasFields(): boolean {
    return this.entries.count > 0;
  }

  phoneAt(place: number): number {
    return this.list.phones[this.#order[place]!]!;
  }

  /** Returns the place of a number among some rows that include it. */
  placeOf(phone: number, from: number, to: number): number {
    while (to - from > 1) {
      const middle = (from + to) >>> 1;
      if (this.phoneAt(middle) <= phone) from = middle;
      else to = middle;
    }
    return from;
  }

  /** Returns the numbers of some rows, ascending. */
  phones(from: number, to: number): Float64Array {
    const some = new Float64Array(to - from);
    for (let at = 0; at < some.length; at++) some[at] = this.phoneAt(from + at);
    return some;
  }

  /** Returns the values of a row. */
  fieldsAt(place: number): Fields {
    const row = this.#order[place]!;
    return JSON.parse(decoder.decode(this.json.subarray(this.#startOf(row), this.ends[row])));
  }

  /**
   * Returns some rows as an object of JSONB: the values by the number, as a text of JSON; null when it has none. SQLite
   * reads it in a fifth of the time that JSON takes. `leavesOut` chooses among the rows.
   */
  peopleOf(from: number, to: number, leavesOut: (phone: number) => boolean): Uint8Array {
    let most = 5;
    for (let place = from; place < to; place++) {
      const row = this.#order[place]!;
      most += PERSON_BYTES + this.ends[row]! - this.#startOf(row);
    }
    const people = new Uint8Array(most);
    const view = new DataView(people.buffer);
    const { json } = this;
    let at = 5;
    for (let place = from; place < to; place++) {
      const row = this.#order[place]!;
      const phone = this.list.phones[row]!;
      if (leavesOut(phone)) continue;
      people[at++] = TEXT_1;
      people[at++] = KEY_DIGITS;
      at = writeNumber(phone, people, at);
      const start = this.#startOf(row);
      const end = this.ends[row]!;
      if (end - start === EMPTY_ROW_BYTES) {
        people[at++] = NULL;
        continue;
      }
      people[at++] = TEXT_4;
      view.setUint32(at, end - start);
      at += 4;
      // For so few bytes set() takes longer.
      for (let byte = start; byte < end; byte++) people[at++] = json[byte]!;
    }
    people[0] = OBJECT_4;
    view.setUint32(1, at - 5);
    return people.subarray(0, at);
  }

  /** Returns the blocks that index the values of some rows. `leavesOut` chooses among them. */
  blocksOf(from: number, to: number, leavesOut: (phone: number) => boolean): Block[] {
    let most = 0;
    for (let place = from; place < to; place++) {
      const row = this.#order[place]!;
      most += this.#firstEntry[row + 1]! - this.#firstEntry[row]!;
    }
    const chosen = new Uint32Array(most);
    let count = 0;
    for (let place = from; place < to; place++) {
      const row = this.#order[place]!;
      if (leavesOut(this.list.phones[row]!)) continue;
      for (let entry = this.#firstEntry[row]!; entry < this.#firstEntry[row + 1]!; entry++) {
        chosen[count++] = entry;
      }
    }
    return blocksOf(this.entries, chosen.subarray(0, count), this.list.phones);
  }

  #startOf(row: number): number {
    return row === 0 ? 0 : this.ends[row - 1]!;
  }
}

/** Returns numbers without values as rows. */
export async function rowsOfNumbers(
  list: ContactList,
  yieldToEventLoop: YieldToEventLoop,
): Promise<SortedRows> {
  const order = await orderOf(list.phones, yieldToEventLoop);
  return new SortedRows([], list, order, new KeyEntries(), new Uint8Array(), new Uint32Array(order.length));
}

/** Splits a number into two integers below 2^31, which the engine divides fast. */
const CUT = 1_000_000_000;
const CUT_DIGITS = 9;

/** Writes a number with zeros before it, KEY_DIGITS long, and returns the place behind it. */
function writeNumber(value: number, to: Uint8Array, at: number): number {
  const high = (value / CUT) | 0;
  writeDigits(high, to, at, KEY_DIGITS - CUT_DIGITS);
  writeDigits(value - high * CUT, to, at + KEY_DIGITS - CUT_DIGITS, CUT_DIGITS);
  return at + KEY_DIGITS;
}

function writeDigits(value: number, to: Uint8Array, at: number, digits: number): void {
  let rest = value | 0;
  for (let place = at + digits - 1; place >= at; place--) {
    const shorter = (rest / 10) | 0;
    to[place] = ZERO + rest - 10 * shorter;
    rest = shorter;
  }
}
