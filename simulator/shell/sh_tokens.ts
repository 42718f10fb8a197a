/** A piece of a shell word: literal text, a parameter, or a command that is replaced by its output. */
export type WordPart =
  | { kind: "text"; text: string; quoted: boolean }
  | { kind: "parameter"; name: string; trim?: Trim; fallback?: string; quoted: boolean }
  | { kind: "command"; source: string; quoted: boolean };

/** `${name%%pattern}` and its three relatives: which end is cut, and by how much. */
export interface Trim {
  operator: "%" | "%%" | "#" | "##";
  pattern: string;
}

export type Token =
  | { kind: "word"; parts: WordPart[] }
  | { kind: "operator"; text: string; descriptor?: number };

const OPERATORS = ["&&", "||", ">>", ">&", ";", "&", "|", "(", ")", "<", ">", "\n"];
const NAME = /^[A-Za-z_][A-Za-z0-9_]*|^[0-9?$#@*!]/;

/** Splits a command line as the phone's sh (mksh) does. Throws SyntaxError on an open quote or bracket. */
export function tokenise(source: string): Token[] {
  return new Tokeniser(source).run();
}

/** Returns the text of a word that is plain unquoted text, such as a reserved word; null for any other word. */
export function plainText(parts: WordPart[]): string | null {
  const [part] = parts;
  return parts.length === 1 && part?.kind === "text" && !part.quoted ? part.text : null;
}

class Tokeniser {
  #at = 0;
  readonly #source: string;

  constructor(source: string) {
    this.#source = source;
  }

  run(): Token[] {
    const tokens: Token[] = [];
    while (true) {
      this.#skipBlanks();
      if (this.#at >= this.#source.length) return tokens;
      const operator = this.#operator();
      tokens.push(operator ?? { kind: "word", parts: this.#word() });
    }
  }

  #skipBlanks(): void {
    while (this.#at < this.#source.length) {
      if (" \t\r".includes(this.#peek())) this.#at++;
      else if (this.#source.startsWith("\\\n", this.#at)) this.#at += 2;
      else if (this.#peek() === "#") {
        while (this.#at < this.#source.length && this.#peek() !== "\n") this.#at++;
      } else return;
    }
  }

  #operator(): Token | null {
    // A digit right before a redirection is its descriptor: 2>/dev/null.
    const descriptor = /^([0-9])(?=[<>])/.exec(this.#source.slice(this.#at, this.#at + 2))?.[1];
    const from = this.#at + (descriptor === undefined ? 0 : 1);
    const text = OPERATORS.find((operator) => this.#source.startsWith(operator, from));
    if (text === undefined) return null;
    this.#at = from + text.length;
    return descriptor === undefined
      ? { kind: "operator", text }
      : { kind: "operator", text, descriptor: Number(descriptor) };
  }

  #word(): WordPart[] {
    const parts: WordPart[] = [];
    while (this.#at < this.#source.length && !/[\s;&|()<>]/.test(this.#peek())) {
      const char = this.#peek();
      if (char === "'") parts.push({ kind: "text", text: this.#singleQuoted(), quoted: true });
      else if (char === '"') parts.push(...this.#doubleQuoted());
      else if (char === "$") parts.push(this.#dollar(false));
      else if (this.#source.startsWith("\\\n", this.#at)) this.#at += 2;
      else if (char === "\\") {
        parts.push({ kind: "text", text: this.#source[this.#at + 1] ?? "\\", quoted: true });
        this.#at += 2;
      } else parts.push({ kind: "text", text: this.#unquoted(), quoted: false });
    }
    return parts;
  }

  #unquoted(): string {
    const text = /^[^\s;&|()<>'"$\\]+/.exec(this.#source.slice(this.#at))![0];
    this.#at += text.length;
    return text;
  }

  #singleQuoted(): string {
    return this.#upTo("'", this.#at + 1);
  }

  #doubleQuoted(): WordPart[] {
    // Begin with an empty part: "" is a word, although an empty one.
    const parts: WordPart[] = [{ kind: "text", text: "", quoted: true }];
    let text = "";
    const flush = () => {
      if (text !== "") parts.push({ kind: "text", text, quoted: true });
      text = "";
    };
    for (this.#at++; this.#peek() !== '"';) {
      if (this.#at >= this.#source.length) throw new SyntaxError('Cannot read the command: " is not closed');
      if (this.#peek() === "\\" && /[$`"\\\n]/.test(this.#source[this.#at + 1] ?? "")) {
        if (this.#source[this.#at + 1] !== "\n") text += this.#source[this.#at + 1];
        this.#at += 2;
      } else if (this.#peek() === "$") {
        flush();
        parts.push(this.#dollar(true));
      } else {
        text += this.#peek();
        this.#at++;
      }
    }
    this.#at++;
    flush();
    return parts;
  }

  #dollar(quoted: boolean): WordPart {
    this.#at++;
    if (this.#peek() === "(") {
      return { kind: "command", source: this.#commandSource(), quoted };
    }
    if (this.#peek() === "{") return { ...parseBraces(this.#upTo("}", this.#at + 1)), quoted };
    const name = NAME.exec(this.#source.slice(this.#at))?.[0];
    if (name === undefined) return { kind: "text", text: "$", quoted };
    this.#at += name.length;
    return { kind: "parameter", name, quoted };
  }

  #commandSource(): string {
    const start = this.#at + 1;
    let depth = 0;
    for (; this.#at < this.#source.length; this.#at++) {
      const char = this.#peek();
      if (char === "\\") this.#at++;
      else if (char === "'" || char === '"') {
        // Brackets inside quotes do not count.
        if (char === "'") this.#singleQuoted();
        else this.#doubleQuoted();
        this.#at--;
      } else if (char === "(") depth++;
      else if (char === ")" && --depth === 0) return this.#source.slice(start, this.#at++);
    }
    throw new SyntaxError("Cannot read the command: $( is not closed");
  }

  #upTo(end: string, from: number): string {
    const to = this.#source.indexOf(end, from);
    if (to < 0) throw new SyntaxError(`Cannot read the command: ${end} is missing`);
    this.#at = to + end.length;
    return this.#source.slice(from, to);
  }

  #peek(): string {
    return this.#source[this.#at] ?? "";
  }
}

type Parameter = { kind: "parameter"; name: string; trim?: Trim; fallback?: string };

function parseBraces(inside: string): Parameter {
  const match = /^([A-Za-z_][A-Za-z0-9_]*|[0-9?$#@*!])(?:(%%|##|%|#|:-)([^]*))?$/.exec(inside);
  if (!match) throw new SyntaxError(`Cannot read the command: \${${inside}} is not supported`);
  const [, name = "", operator, argument = ""] = match;
  if (operator === undefined) return { kind: "parameter", name };
  if (operator === ":-") return { kind: "parameter", name, fallback: argument };
  return { kind: "parameter", name, trim: { operator: operator as Trim["operator"], pattern: argument } };
}
