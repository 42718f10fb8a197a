/** The numbers of one upload: each once, in list order, eight bytes each. */
import type { PhoneProblem } from "shared/phone.ts";
import type { EdgeContext } from "../context.ts";

/** A row without a valid number. */
export interface RejectedRow {
  /** Counted as spreadsheets do, from 1. */
  row: number;
  text: string;
  problem: PhoneProblem;
}

/** The column of a file that holds the numbers. */
export interface ReadColumn {
  /** From 1. */
  no: number;
  /** Its heading; null when the first row holds a number. */
  name: string | null;
}

export interface ContactList {
  phones: Float64Array;
  /** Repeated numbers: occurrences after the first one. */
  duplicates: number;
  /** Rows without a valid number. */
  invalid: number;
  invalidByProblem: Partial<Record<PhoneProblem, number>>;
  /** The first REJECTED_KEPT rows without a valid number. */
  rejected: RejectedRow[];
  /** Absent for text without columns. */
  column?: ReadColumn;
  /** True = letters of the file were broken. */
  isDamaged?: true;
}

const REJECTED_KEPT = 10_000;
const TEXT_KEPT = 80;
/** +972 5x with nine digits after the country code: most lists contain little else. */
const FIRST_MOBILE = 972_500_000_000;
const MOBILES = 100_000_000;
/** +972 2 to +972 9 with eight digits after the country code. */
const FIRST_LANDLINE = 97_220_000_000;
const LANDLINES = 80_000_000;

/** Returns a new seed of a list. */
export function seedOf(ctx: Pick<EdgeContext, "randomBytes">): number {
  return new DataView(ctx.randomBytes(4).buffer).getInt32(0);
}

export class ContactListBuilder {
  readonly #phones: Float64Array;
  readonly #known: KnownPhones;
  #count = 0;
  #duplicates = 0;
  #invalid = 0;
  readonly #invalidByProblem: Partial<Record<PhoneProblem, number>> = {};
  readonly #rejected: RejectedRow[] = [];

  /** Accepts at most `maxPhones` numbers; `seed` is a random 32-bit integer. */
  constructor(maxPhones: number, seed: number) {
    this.#phones = new Float64Array(maxPhones);
    this.#known = new KnownPhones(maxPhones, seed);
  }

  /** Returns whether the number is new; a repeated one is only counted. */
  add(phone: number): boolean {
    const isNew = this.#known.add(phone);
    if (isNew) this.#phones[this.#count++] = phone;
    else this.#duplicates++;
    return isNew;
  }

  /** Whether reject() will keep the text of another row. It keeps the first REJECTED_KEPT. */
  get keepsRejected(): boolean {
    return this.#rejected.length < REJECTED_KEPT;
  }

  reject(row: number, text: string, problem: PhoneProblem): void {
    this.#invalid++;
    this.#invalidByProblem[problem] = (this.#invalidByProblem[problem] ?? 0) + 1;
    if (this.keepsRejected) {
      this.#rejected.push({ row, text: text.trim().slice(0, TEXT_KEPT), problem });
    }
  }

  finish(): ContactList {
    return {
      phones: this.#phones.subarray(0, this.#count),
      duplicates: this.#duplicates,
      invalid: this.#invalid,
      invalidByProblem: this.#invalidByProblem,
      rejected: this.#rejected,
    };
  }
}

/** The numbers seen so far: one bit for each possible Israeli number of the usual lengths, a set for all others. */
class KnownPhones {
  readonly #mobiles = new NumberBits(FIRST_MOBILE, MOBILES);
  readonly #landlines = new NumberBits(FIRST_LANDLINE, LANDLINES);
  readonly #maxOthers: number;
  readonly #seed: number;
  #others: PhoneSet | undefined;

  constructor(maxOthers: number, seed: number) {
    this.#maxOthers = maxOthers;
    this.#seed = seed;
  }

  /** Returns true when the number is new. */
  add(phone: number): boolean {
    if (this.#mobiles.takes(phone)) return this.#mobiles.add(phone);
    if (this.#landlines.takes(phone)) return this.#landlines.add(phone);
    this.#others ??= new PhoneSet(this.#maxOthers, this.#seed);
    return this.#others.add(phone);
  }
}

/** A set of integers from `first` on, one bit each. Only the written parts of its bits use memory. */
class NumberBits {
  readonly #first: number;
  readonly #count: number;
  readonly #words: Uint32Array;

  constructor(first: number, count: number) {
    this.#first = first;
    this.#count = count;
    this.#words = new Uint32Array(count / 32);
  }

  /** Returns whether the set is for such numbers. */
  takes(value: number): boolean {
    return value >= this.#first && value < this.#first + this.#count;
  }

  /** Returns true when the number is new. */
  add(value: number): boolean {
    const at = value - this.#first;
    const word = this.#words[at >>> 5]!;
    const bit = 1 << (at & 31);
    this.#words[at >>> 5] = word | bit;
    return (word & bit) === 0;
  }
}

/**
 * A set of positive numbers below 2^53 with open addressing and a fixed size. A `Set` of a million takes four times the
 * memory and blocks the loop for 100 ms when it grows.
 */
class PhoneSet {
  readonly #slots: Float64Array;
  readonly #mask: number;
  readonly #multiplier: number;

  constructor(maxSize: number, seed: number) {
    let slots = 16;
    while (slots < maxSize * 1.5) slots *= 2;
    this.#slots = new Float64Array(slots);
    this.#mask = slots - 1;
    // Odd, and unknown to the author of a list, who therefore cannot make all its numbers collide.
    this.#multiplier = seed | 1;
  }

  /** Returns true when the number is new. */
  add(value: number): boolean {
    let hash = Math.imul((value >>> 0) ^ Math.imul(value / 2 ** 32, 0x9e3779b1), this.#multiplier);
    hash ^= hash >>> 15;
    let at = hash & this.#mask;
    while (this.#slots[at] !== 0) {
      if (this.#slots[at] === value) return false;
      at = (at + 1) & this.#mask;
    }
    this.#slots[at] = value;
    return true;
  }
}
