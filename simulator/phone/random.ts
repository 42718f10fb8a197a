import { mulberry32, type Random } from "shared/random.ts";

/** Makes a separate stream for each seed text. */
export function seededRandom(seed: string): Random {
  return mulberry32(hashText(seed));
}

/** Returns one fixed number in [0, 1) for a text: for the traits of a phone or the fate of a number. */
export function fixedFraction(text: string): number {
  return seededRandom(text)();
}

/** FNV-1a. */
function hashText(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return hash | 0;
}
