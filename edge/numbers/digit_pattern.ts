/**
 * Regular expressions over digits, limited to what libphonenumber's metadata uses: digits, `\d`, classes, groups, `|`,
 * `?`, `{n}` and `{n,m}`. Each digit replaces a pattern by its derivative, the part still to match (Brzozowski 1964).
 * Equal patterns are one object, so a set of patterns identifies a state.
 */
export interface DigitPattern {
  readonly id: number;
  /** True when the number may end here. */
  readonly matchesEnd: boolean;
  /** Returns the part still to match after `digit`. */
  after(digit: number): DigitPattern;
}

const known = new Map<string, DigitPattern>();

/** Matches nothing, not even an empty text. */
export const NOTHING: DigitPattern = pattern("nothing", false, () => NOTHING);
const END: DigitPattern = pattern("end", true, () => NOTHING);
const ALL_DIGITS = 0b11_1111_1111;
const ANY_DIGIT = digitOf(ALL_DIGITS);

/** Parses `source`, which must match a whole number. @throws {SyntaxError} for unknown syntax */
export function parseDigitPattern(source: string): DigitPattern {
  let at = 0;
  const whole = alternatives();
  if (at !== source.length) throw unknown();
  return whole;

  function alternatives(): DigitPattern {
    let result = sequence();
    while (source[at] === "|") {
      at++;
      result = either(result, sequence());
    }
    return result;
  }

  function sequence(): DigitPattern {
    const parts: DigitPattern[] = [];
    while (at < source.length && source[at] !== "|" && source[at] !== ")") parts.push(repeated(atom()));
    return parts.reduceRight((rest, part) => chain(part, rest), END);
  }

  function atom(): DigitPattern {
    const char = source[at++]!;
    if (/\d/.test(char)) return digitOf(1 << Number(char));
    if (char === "\\" && source[at++] === "d") return ANY_DIGIT;
    if (char === "[") return digitClass();
    if (char !== "(") throw unknown();
    if (source.startsWith("?:", at)) at += 2;
    const group = alternatives();
    if (source[at++] !== ")") throw unknown();
    return group;
  }

  function digitClass(): DigitPattern {
    const content = /^[\d-]+(?=\])/.exec(source.slice(at))?.[0];
    if (content === undefined) throw unknown();
    at += content.length + 1;
    let digits = 0;
    for (const [, first, last] of content.matchAll(/(\d)(?:-(\d))?/g)) {
      for (let digit = Number(first); digit <= Number(last ?? first); digit++) digits |= 1 << digit;
    }
    return digitOf(digits);
  }

  function repeated(part: DigitPattern): DigitPattern {
    const [text, least, most] = /^(?:\?|\{(\d+)(?:,(\d+))?\})/.exec(source.slice(at)) ?? ["", "1"];
    at += text.length;
    const times = Number(least ?? 0);
    const optional = text === "?" ? 1 : Number(most ?? times) - times;
    let result = END;
    for (let i = 0; i < optional; i++) result = either(END, chain(part, result));
    for (let i = 0; i < times; i++) result = chain(part, result);
    return result;
  }

  function unknown(): SyntaxError {
    return new SyntaxError(`Cannot read digit pattern "${source}" at ${at}`);
  }
}

/** Returns a pattern for any number of one of these lengths. */
export function anyOfLength(lengths: readonly number[]): DigitPattern {
  return lengths
    .map((length) =>
      Array<DigitPattern>(length).fill(ANY_DIGIT).reduce((rest, digit) => chain(digit, rest), END)
    )
    .reduce(either, NOTHING);
}

/** Returns a pattern for any number of up to `most` digits with the beginning `prefix`. */
export function beginsWith(prefix: DigitPattern, most: number): DigitPattern {
  let rest = END;
  for (let i = 0; i < most; i++) rest = either(END, chain(ANY_DIGIT, rest));
  return chain(prefix, rest);
}

function digitOf(digits: number): DigitPattern {
  return pattern(`digit ${digits}`, false, (digit) => (digits >> digit) & 1 ? END : NOTHING);
}

function chain(first: DigitPattern, rest: DigitPattern): DigitPattern {
  if (first === NOTHING || rest === NOTHING) return NOTHING;
  if (first === END) return rest;
  if (rest === END) return first;
  return pattern(`chain ${first.id} ${rest.id}`, first.matchesEnd && rest.matchesEnd, (digit) => {
    const inFirst = chain(first.after(digit), rest);
    return first.matchesEnd ? either(inFirst, rest.after(digit)) : inFirst;
  });
}

function either(a: DigitPattern, b: DigitPattern): DigitPattern {
  if (a === b || b === NOTHING) return a;
  if (a === NOTHING) return b;
  // Use one order only, so that "a or b" and "b or a" are one object.
  const [low, high] = a.id < b.id ? [a, b] : [b, a];
  return pattern(
    `either ${low.id} ${high.id}`,
    low.matchesEnd || high.matchesEnd,
    (digit) => either(low.after(digit), high.after(digit)),
  );
}

function pattern(name: string, matchesEnd: boolean, derive: (digit: number) => DigitPattern): DigitPattern {
  const same = known.get(name);
  if (same !== undefined) return same;
  const derived: DigitPattern[] = [];
  const made = { id: known.size, matchesEnd, after: (digit: number) => derived[digit] ??= derive(digit) };
  known.set(name, made);
  return made;
}
