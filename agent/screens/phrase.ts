/** Phrases of a screen file: plain words, with `*` for a bounded gap. A file can bring no regular expression. */

/** Most characters that a `*` stands for. It never stands for the end of a line. */
export const GAP_CHARS = 80;

export interface Phrase {
  /** The words between the gaps, plain. */
  parts: readonly string[];
  /** The whole text must be the phrase, not only a part of it. */
  isWhole: boolean;
}

/**
 * Returns a text as phrases are compared with it: lower case, single blanks, one kind of apostrophe, no marks of
 * direction, no Arabic vowel signs. Lines stay lines.
 */
export function plainWords(text: string): string {
  return text.replace(/[\p{Cf}\u064b-\u0652\u0640]/gu, "").replace(/[’ʼ]/g, "'").replace(/[^\S\n]+/g, " ")
    .toLowerCase().trim();
}

/** Makes a phrase of a file's words. */
export function phraseOf(words: string, { isWhole = false }: { isWhole?: boolean } = {}): Phrase {
  return { parts: words.split("*").map(partWords), isWhole };
}

/** Blanks beside a gap belong to the phrase, so a part is not trimmed. */
function partWords(part: string): string {
  const plain = plainWords(part);
  return plain === "" ? "" : `${/^\s/.test(part) ? " " : ""}${plain}${/\s$/.test(part) ? " " : ""}`;
}

/**
 * Returns whether plain words hold the phrase. Takes time linear in the text: each part is searched once from left to
 * right, and of the ends of the part before only the nearest can be within the gap.
 */
export function holdsPhrase(plain: string, { parts, isWhole }: Phrase): boolean {
  const [first, ...rest] = parts as [string, ...string[]];
  if (rest.length === 0) return isWhole ? plain === first : plain.includes(first);
  let ends = isWhole ? (plain.startsWith(first) ? [first.length] : []) : endsOf(plain, first);
  for (const part of rest) {
    if (ends.length === 0) return false;
    ends = endsAfter(plain, part, ends);
  }
  return isWhole ? ends.at(-1) === plain.length : ends.length > 0;
}

function endsOf(plain: string, part: string): number[] {
  const ends: number[] = [];
  for (let at = plain.indexOf(part); at >= 0; at = plain.indexOf(part, at + 1)) ends.push(at + part.length);
  return ends;
}

/** Returns the ends of `part` that begin at most a gap after one of `before` (ascending), on the same line. */
function endsAfter(plain: string, part: string, before: readonly number[]): number[] {
  const ends: number[] = [];
  let nearest = 0;
  for (let at = plain.indexOf(part, before[0]); at >= 0; at = plain.indexOf(part, at + 1)) {
    while (nearest + 1 < before.length && before[nearest + 1]! <= at) nearest++;
    const from = before[nearest]!;
    if (at - from <= GAP_CHARS && !plain.slice(from, at).includes("\n")) ends.push(at + part.length);
  }
  return ends;
}
