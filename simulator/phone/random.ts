/** Returns numbers in [0, 1) that are the same for the same seed text, so that a run can be repeated. */
export type Random = () => number;

/** Makes a separate stream for each seed text (mulberry32 over an FNV-1a hash). */
export function seededRandom(seed: string): Random {
  let state = hashText(seed);
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Returns one fixed number in [0, 1) for a text: for the traits of a phone or the fate of a number. */
export function fixedFraction(text: string): number {
  return seededRandom(text)();
}

function hashText(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return hash | 0;
}
