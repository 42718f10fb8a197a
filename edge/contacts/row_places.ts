/**
 * The place of each number's row in its file: open addressing with a fixed size, twelve bytes a slot. A `Map` of a
 * million takes five times the memory.
 */
export class RowPlaces {
  readonly #phones: Float64Array;
  readonly #places: Uint32Array;
  readonly #mask: number;
  readonly #multiplier: number;

  /** Holds at most `maxSize` numbers; `seed` is unknown to the author of the file. */
  constructor(maxSize: number, seed: number) {
    let slots = 16;
    while (slots < maxSize * 1.5) slots *= 2;
    this.#phones = new Float64Array(slots);
    this.#places = new Uint32Array(slots);
    this.#mask = slots - 1;
    this.#multiplier = seed | 1;
  }

  /** Adds a number that is new. */
  add(phone: number, place: number): void {
    let at = this.#slotOf(phone);
    while (this.#phones[at] !== 0) at = (at + 1) & this.#mask;
    this.#phones[at] = phone;
    this.#places[at] = place;
  }

  /** Returns the place of a number's row, -1 when it was not added. */
  of(phone: number): number {
    for (let at = this.#slotOf(phone);; at = (at + 1) & this.#mask) {
      if (this.#phones[at] === phone) return this.#places[at]!;
      if (this.#phones[at] === 0) return -1;
    }
  }

  #slotOf(phone: number): number {
    let hash = Math.imul((phone >>> 0) ^ Math.imul(phone / 2 ** 32, 0x9e3779b1), this.#multiplier);
    hash ^= hash >>> 15;
    return hash & this.#mask;
  }
}
