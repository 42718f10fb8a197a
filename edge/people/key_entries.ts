/** Keys with the numbers that bear them: collected in any order, then sorted and cut into the blocks of a run. */
import { hexOf, KEY_BYTES } from "./value_keys.ts";

/** Bytes of a block, about: a search reads one block of each run. */
const BLOCK_BYTES = 16 * 1024;
const DIGITS = 2 ** 16;
const WORDS = KEY_BYTES / 2;
/** Length of the key, and number of phones. */
const HEAD_BYTES = 1 + 4;
const PHONE_BYTES = 8;

/** A part of a run, as it is stored. */
export interface Block {
  /** Its last key, in hex. */
  last: string;
  bytes: Uint8Array;
}

/** One key of a block, in hex, and the numbers that have it, ascending. */
export interface KeyGroup {
  key: string;
  phones: number[];
}

/** Keys with the index of their row, in the order in which they came. */
export class KeyEntries {
  count = 0;
  /** KEY_BYTES for each entry; a shorter key ends with zeros, which no value has. */
  keys = new Uint8Array(1_024 * KEY_BYTES);
  rows = new Uint32Array(1_024);

  /** Makes room for one more entry, and returns the place where its key begins. */
  open(): number {
    if (this.count === this.rows.length) {
      this.keys = grown(this.keys, new Uint8Array(this.keys.length * 2));
      this.rows = grown(this.rows, new Uint32Array(this.rows.length * 2));
    }
    return this.count * KEY_BYTES;
  }

  /** Keeps the entry whose key was written where open() said, up to `end`; an empty key is none. */
  close(row: number, end: number): void {
    const start = this.count * KEY_BYTES;
    if (end === start) return;
    for (let at = end; at < start + KEY_BYTES; at++) this.keys[at] = 0;
    this.rows[this.count++] = row;
  }

  /** Adds a key in hex. */
  add(row: number, hex: string): void {
    let at = this.open();
    for (let place = 0; place < hex.length; place += 2) {
      this.keys[at++] = parseInt(hex.slice(place, place + 2), 16);
    }
    this.close(row, at);
  }
}

/**
 * Returns the blocks of some of the entries: `chosen` are their places, in the order of their rows' numbers.
 *
 * @param phones the number of each row
 */
export function blocksOf(
  { keys, rows }: KeyEntries,
  chosen: Uint32Array,
  phones: Float64Array | readonly number[],
): Block[] {
  const { groups, groupOf, sizes } = groupsOfKeys(keys, chosen);
  const words = new Uint16Array(groups.length / 2);
  for (let at = 0; at < words.length; at++) words[at] = groups[2 * at]! << 8 | groups[2 * at + 1]!;
  const order = sortedOrder(words, WORDS);
  const starts = new Uint32Array(order.length);
  for (let at = 0, start = 0; at < order.length; at++) {
    starts[order[at]!] = start;
    start += sizes[order[at]!]!;
  }
  const ends = starts.slice();
  const sorted = new Float64Array(chosen.length);
  for (let entry = 0; entry < chosen.length; entry++) {
    const group = groupOf[entry]!;
    const phone = phones[rows[chosen[entry]!]!]!;
    const end = ends[group]!;
    // Two values of one contact may share a key.
    if (end > starts[group]! && sorted[end - 1] === phone) continue;
    sorted[end] = phone;
    ends[group] = end + 1;
  }
  const blocks: Block[] = [];
  const writer = new BlockWriter((block) => blocks.push(block));
  for (const group of order) {
    const first = group * KEY_BYTES;
    writer.write(groups, first, first + lengthOf(groups, first), sorted, starts[group]!, ends[group]!);
  }
  writer.end();
  return blocks;
}

/** Odd, and unknown to the author of a list, who therefore cannot make all its keys collide (multilinear hashing). */
const MULTIPLIERS = crypto.getRandomValues(new Int32Array(3)).map((random) => random | 1);

/**
 * Finds the different keys of the chosen entries: most values of a list are shared, and sorting takes longer than
 * looking up. Returns the keys behind one another, which of them each chosen entry has, and how often each is chosen.
 */
function groupsOfKeys(keys: Uint8Array, chosen: Uint32Array) {
  const whole = new Int32Array(keys.buffer, keys.byteOffset, keys.length / 4);
  const [one = 1, two = 1, three = 1] = MULTIPLIERS;
  const bits = Math.max(4, 33 - Math.clz32(chosen.length));
  const mask = 2 ** bits - 1;
  /** A group plus 1; 0 = free. */
  const slots = new Uint32Array(mask + 1);
  // A copy of the different keys is small enough for the processor's cache.
  const groups = new Int32Array(3 * chosen.length);
  const groupOf = new Uint32Array(chosen.length);
  const sizes = new Uint32Array(chosen.length);
  let count = 0;
  for (let entry = 0; entry < chosen.length; entry++) {
    const at = chosen[entry]! * 3;
    const a = whole[at]!;
    const b = whole[at + 1]!;
    const c = whole[at + 2]!;
    let slot = (Math.imul(a, one) + Math.imul(b, two) + Math.imul(c, three)) >>> (32 - bits);
    let group: number;
    while ((group = slots[slot]! - 1) >= 0) {
      if (groups[3 * group] === a && groups[3 * group + 1] === b && groups[3 * group + 2] === c) break;
      slot = slot + 1 & mask;
    }
    if (group < 0) {
      group = count++;
      slots[slot] = count;
      groups[3 * group] = a;
      groups[3 * group + 1] = b;
      groups[3 * group + 2] = c;
    }
    groupOf[entry] = group;
    sizes[group]!++;
  }
  return { groups: new Uint8Array(groups.buffer, 0, count * KEY_BYTES), groupOf, sizes };
}

/**
 * Returns the groups of a block in the order of their keys: all, or those from the key `from` on and before `to`, in
 * hex. A search looks at a block of each run, and wants few groups of it.
 */
export function groupsOf(bytes: Uint8Array, from = "", to?: string): KeyGroup[] {
  const groups: KeyGroup[] = [];
  const least = bytesOf(from);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let at = 0; at < bytes.length;) {
    const length = bytes[at]!;
    const count = view.getUint32(at + 1);
    const start = at + HEAD_BYTES;
    at = start + length;
    if (isBelow(bytes, start, length, least)) {
      at += PHONE_BYTES * count;
      continue;
    }
    const key = hexOf(bytes.subarray(start, at));
    if (to !== undefined && key >= to) break;
    const phones = Array.from({ length: count }, (_, index) => view.getFloat64(at + PHONE_BYTES * index));
    groups.push({ key, phones });
    at += PHONE_BYTES * count;
  }
  return groups;
}

/** Returns whether the key at `start` comes before another; a beginning of a key comes before it. */
function isBelow(bytes: Uint8Array, start: number, length: number, other: Uint8Array): boolean {
  const shared = Math.min(length, other.length);
  for (let at = 0; at < shared; at++) {
    if (bytes[start + at] !== other[at]) return bytes[start + at]! < other[at]!;
  }
  return length < other.length;
}

/** Returns the block without some numbers: itself when it has none of them, null when nothing else is in it. */
export function without(bytes: Uint8Array, gone: ReadonlySet<number>): Uint8Array | null {
  if (!holdsAny(bytes, gone)) return bytes;
  const blocks: Block[] = [];
  const writer = new BlockWriter((block) => blocks.push(block), Infinity);
  for (const { key, phones } of groupsOf(bytes)) {
    const left = phones.filter((phone) => !gone.has(phone));
    if (left.length === 0) continue;
    const whole = bytesOf(key);
    writer.write(whole, 0, whole.length, left);
  }
  writer.end();
  return blocks[0]?.bytes ?? null;
}

/** Looks through a block without taking it apart: a removal looks through whole runs. */
function holdsAny(bytes: Uint8Array, phones: ReadonlySet<number>): boolean {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let at = 0; at < bytes.length;) {
    const count = view.getUint32(at + 1);
    at += HEAD_BYTES + bytes[at]!;
    for (const end = at + PHONE_BYTES * count; at < end; at += PHONE_BYTES) {
      if (phones.has(view.getFloat64(at))) return true;
    }
  }
  return false;
}

/**
 * Returns the order of entries of `stride` words each, the first the weightiest; equal ones keep their order (radix
 * sort, Knuth 5.2.5). A word that all entries share costs one pass over them.
 */
export function sortedOrder(words: Uint16Array, stride: number): Uint32Array {
  const count = words.length / stride;
  let order = Uint32Array.from({ length: count }, (_, entry) => entry);
  let other = new Uint32Array(count);
  const places = new Uint32Array(DIGITS + 1);
  for (let word = stride - 1; word >= 0; word--) {
    places.fill(0);
    for (let at = word; at < words.length; at += stride) places[words[at]! + 1]!++;
    if (count === 0 || places[words[word]! + 1] === count) continue;
    for (let digit = 0; digit < DIGITS; digit++) places[digit + 1]! += places[digit]!;
    for (let at = 0; at < count; at++) {
      const entry = order[at]!;
      other[places[words[entry * stride + word]!]!++] = entry;
    }
    [order, other] = [other, order];
  }
  return order;
}

class BlockWriter {
  #bytes = new Uint8Array(2 * BLOCK_BYTES);
  #view = new DataView(this.#bytes.buffer);
  #at = 0;
  /** Where the last group begins. */
  #lastGroup = 0;

  constructor(readonly done: (block: Block) => void, readonly blockBytes = BLOCK_BYTES) {}

  /**
   * Writes the key at `from` to `to` of some bytes with its numbers, those from `first` to before `last`; many numbers
   * go on in the next block.
   */
  write(
    key: Uint8Array,
    from: number,
    to: number,
    phones: Float64Array | readonly number[],
    first = 0,
    last = phones.length,
  ): void {
    const most = this.blockBytes === Infinity ? Infinity : this.blockBytes / PHONE_BYTES;
    for (let written = first; written < last;) {
      const count = Math.min(most, last - written);
      this.#room(HEAD_BYTES + to - from + PHONE_BYTES * count);
      this.#lastGroup = this.#at;
      const bytes = this.#bytes;
      const view = this.#view;
      let at = this.#at;
      bytes[at] = to - from;
      view.setUint32(at + 1, count);
      at += HEAD_BYTES;
      for (let byte = from; byte < to; byte++) bytes[at++] = key[byte]!;
      for (const end = written + count; written < end; written++, at += PHONE_BYTES) {
        view.setFloat64(at, phones[written]!);
      }
      this.#at = at;
      if (at >= this.blockBytes) this.end();
    }
  }

  end(): void {
    if (this.#at === 0) return;
    const key = this.#lastGroup + HEAD_BYTES;
    const last = hexOf(this.#bytes.subarray(key, key + this.#bytes[this.#lastGroup]!));
    this.done({ last, bytes: this.#bytes.slice(0, this.#at) });
    this.#at = 0;
  }

  #room(bytes: number): void {
    if (this.#at + bytes <= this.#bytes.length) return;
    this.#bytes = grown(this.#bytes, new Uint8Array(Math.max(2 * this.#bytes.length, this.#at + bytes)));
    this.#view = new DataView(this.#bytes.buffer);
  }
}

function lengthOf(keys: Uint8Array, start: number): number {
  let length = KEY_BYTES;
  while (length > 0 && keys[start + length - 1] === 0) length--;
  return length;
}

function bytesOf(hex: string): Uint8Array {
  return Uint8Array.from({ length: hex.length / 2 }, (_, at) => parseInt(hex.slice(2 * at, 2 * at + 2), 16));
}

function grown<T extends Uint8Array | Uint32Array>(old: T, bigger: T): T {
  bigger.set(old);
  return bigger;
}
