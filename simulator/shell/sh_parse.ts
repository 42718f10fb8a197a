import { plainText, type Token, tokenise, type WordPart } from "./sh_tokens.ts";

/**
 * The meaning of a command line for the phone's sh, as far as the simulator supports it: no loops, functions or
 * arithmetic.
 */
export type ShNode =
  | { kind: "simple"; assignments: Assignment[]; words: WordPart[][]; redirects: Redirect[] }
  | { kind: "if"; branches: { test: ShNode; body: ShNode }[]; otherwise: ShNode | null }
  | { kind: "subshell"; body: ShNode }
  | { kind: "not"; body: ShNode }
  | { kind: "pipe"; stages: ShNode[] }
  | { kind: "and" | "or"; left: ShNode; right: ShNode }
  | { kind: "list"; nodes: ShNode[] };

export interface Assignment {
  name: string;
  value: WordPart[];
}

export interface Redirect {
  descriptor: number;
  operator: "<" | ">" | ">>" | ">&";
  target: WordPart[];
}

const MAX_DEPTH = 50;
const RESERVED = new Set(["if", "then", "elif", "else", "fi", "{", "}", "!"]);
const UNSUPPORTED = new Set(["for", "while", "until", "case", "function"]);

/** Reads a whole command line. Throws SyntaxError with the unexpected part. */
export function parseSh(source: string): ShNode {
  const parser = new Parser(tokenise(source));
  return parser.whole();
}

class Parser {
  #at = 0;
  #depth = 0;
  readonly #tokens: Token[];

  constructor(tokens: Token[]) {
    this.#tokens = tokens;
  }

  whole(): ShNode {
    const node = this.#list([]);
    if (this.#at < this.#tokens.length) throw this.#unexpected();
    return node;
  }

  #list(until: string[]): ShNode {
    if (++this.#depth > MAX_DEPTH) throw new SyntaxError("Cannot read the command: nested too deeply");
    const nodes: ShNode[] = [];
    while (true) {
      while (this.#takeOperator(";", "&", "\n"));
      if (this.#at >= this.#tokens.length || until.includes(this.#reserved() ?? this.#operator() ?? "")) {
        break;
      }
      nodes.push(this.#andOr());
      if (!this.#takeOperator(";", "&", "\n")) break;
    }
    this.#depth--;
    return { kind: "list", nodes };
  }

  #andOr(): ShNode {
    let left = this.#pipeline();
    while (true) {
      const operator = this.#takeOperator("&&", "||");
      if (!operator) return left;
      while (this.#takeOperator("\n"));
      left = { kind: operator === "&&" ? "and" : "or", left, right: this.#pipeline() };
    }
  }

  #pipeline(): ShNode {
    const negated = this.#takeReserved("!");
    const stages = [this.#command()];
    while (this.#takeOperator("|")) stages.push(this.#command());
    const node: ShNode = stages.length === 1 ? stages[0]! : { kind: "pipe", stages };
    return negated ? { kind: "not", body: node } : node;
  }

  #command(): ShNode {
    if (this.#takeReserved("if")) return this.#if();
    if (this.#takeReserved("{")) return this.#closed("}");
    if (this.#takeOperator("(")) return { kind: "subshell", body: this.#closed(")") };
    return this.#simple();
  }

  #if(): ShNode {
    const branches: { test: ShNode; body: ShNode }[] = [];
    do {
      const test = this.#list(["then"]);
      this.#expectReserved("then");
      branches.push({ test, body: this.#list(["elif", "else", "fi"]) });
    } while (this.#takeReserved("elif"));
    const otherwise = this.#takeReserved("else") ? this.#list(["fi"]) : null;
    this.#expectReserved("fi");
    return { kind: "if", branches, otherwise };
  }

  #closed(end: ")" | "}"): ShNode {
    const body = this.#list([end]);
    if (end === ")" ? !this.#takeOperator(")") : !this.#takeReserved("}")) throw this.#unexpected();
    return body;
  }

  #simple(): ShNode {
    const assignments: Assignment[] = [];
    const words: WordPart[][] = [];
    const redirects: Redirect[] = [];
    while (this.#at < this.#tokens.length) {
      const token = this.#tokens[this.#at]!;
      if (token.kind === "operator") {
        if (!/^(<|>|>>|>&)$/.test(token.text)) break;
        redirects.push(this.#redirect(token));
        continue;
      }
      if (words.length === 0 && assignments.length === 0 && this.#reserved() !== null) break;
      this.#at++;
      const assignment = words.length === 0 ? assignmentOf(token.parts) : null;
      if (assignment) assignments.push(assignment);
      else words.push(token.parts);
    }
    if (assignments.length + words.length + redirects.length === 0) throw this.#unexpected();
    const name = words[0] && plainText(words[0]);
    if (name && UNSUPPORTED.has(name)) {
      throw new SyntaxError(`Cannot read the command: ${name} is not supported`);
    }
    return { kind: "simple", assignments, words, redirects };
  }

  #redirect(token: Token & { kind: "operator" }): Redirect {
    this.#at++;
    const target = this.#tokens[this.#at++];
    if (target?.kind !== "word") throw this.#unexpected();
    const operator = token.text as Redirect["operator"];
    return { operator, descriptor: token.descriptor ?? (operator === "<" ? 0 : 1), target: target.parts };
  }

  #reserved(): string | null {
    const token = this.#tokens[this.#at];
    const text = token?.kind === "word" ? plainText(token.parts) : null;
    return text !== null && RESERVED.has(text) ? text : null;
  }

  #operator(): string | null {
    const token = this.#tokens[this.#at];
    return token?.kind === "operator" ? token.text : null;
  }

  #takeReserved(word: string): boolean {
    if (this.#reserved() !== word) return false;
    this.#at++;
    return true;
  }

  #expectReserved(word: string): void {
    if (!this.#takeReserved(word)) throw this.#unexpected();
  }

  #takeOperator(...texts: string[]): string | null {
    const text = this.#operator();
    if (text === null || !texts.includes(text)) return null;
    this.#at++;
    return text;
  }

  #unexpected(): SyntaxError {
    const what = this.#reserved() ?? this.#operator();
    return new SyntaxError(`syntax error: ${what === null ? "unexpected end" : `'${what}' unexpected`}`);
  }
}

function assignmentOf(parts: WordPart[]): Assignment | null {
  const [first, ...rest] = parts;
  if (first?.kind !== "text" || first.quoted) return null;
  const match = /^([A-Za-z_][A-Za-z0-9_]*)=([^]*)$/.exec(first.text);
  if (!match) return null;
  return { name: match[1]!, value: [{ kind: "text", text: match[2]!, quoted: false }, ...rest] };
}
