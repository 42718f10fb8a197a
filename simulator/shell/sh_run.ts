import { concatBytes } from "../../agent/adb/wire.ts";
import { parseSh, type Redirect, type ShNode } from "./sh_parse.ts";
import type { Trim, WordPart } from "./sh_tokens.ts";
import { patternRegExp } from "../phone/file_pattern.ts";
import type { ShCall, ShCommand } from "../phone/sh_call.ts";

/** The parts of the phone that its sh uses. */
export interface ShHost {
  command(name: string): ShCommand | undefined;
  /** Returns null when there is no such file. */
  readFile(path: string): Uint8Array | null;
  writeFile(path: string, bytes: Uint8Array): void;
  /** Returns the paths that match a pattern with * and ?. */
  glob(pattern: string): string[];
}

export interface ShResult {
  stdout: Uint8Array;
  stderr: Uint8Array;
  exitCode: number;
}

/** Runs a command line as the phone's sh would. Throws only what a command itself throws. */
export async function runSh(source: string, host: ShHost): Promise<ShResult> {
  const stdout: Uint8Array[] = [];
  const stderr: Uint8Array[] = [];
  const run = new Run(host, new Map(), {
    stdin: EMPTY,
    out: (d) => stdout.push(d),
    err: (d) => stderr.push(d),
  });
  const exitCode = await run.source(source);
  return { stdout: concatBytes(stdout), stderr: concatBytes(stderr), exitCode };
}

interface Streams {
  stdin: Uint8Array;
  out(data: Uint8Array): void;
  err(data: Uint8Array): void;
}

class Exit {
  constructor(readonly code: number) {}
}

const EMPTY = new Uint8Array(0);
const encoder = new TextEncoder();

class Run {
  #status = 0;

  constructor(readonly host: ShHost, readonly variables: Map<string, string>, readonly streams: Streams) {}

  async source(source: string): Promise<number> {
    let node: ShNode;
    try {
      node = parseSh(source);
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error;
      this.streams.err(encoder.encode(`/system/bin/sh: ${error.message}\n`));
      return 2;
    }
    try {
      return await this.#node(node, this.streams);
    } catch (exit) {
      if (exit instanceof Exit) return exit.code;
      throw exit;
    }
  }

  async #node(node: ShNode, streams: Streams): Promise<number> {
    switch (node.kind) {
      case "list":
        for (const child of node.nodes) this.#status = await this.#node(child, streams);
        return this.#status;
      case "and":
      case "or":
        this.#status = await this.#node(node.left, streams);
        if ((this.#status === 0) !== (node.kind === "and")) return this.#status;
        return await this.#node(node.right, streams);
      case "not":
        return (await this.#node(node.body, streams)) === 0 ? 1 : 0;
      case "if":
        return await this.#if(node, streams);
      case "subshell":
        return await this.#subshell(streams, (run) => run.#node(node.body, streams));
      case "pipe":
        return await this.#pipe(node.stages, streams);
      case "simple":
        return await this.#simple(node, streams);
    }
  }

  async #if(node: ShNode & { kind: "if" }, streams: Streams): Promise<number> {
    for (const { test, body } of node.branches) {
      if ((await this.#node(test, streams)) === 0) return await this.#node(body, streams);
    }
    return node.otherwise ? await this.#node(node.otherwise, streams) : 0;
  }

  async #subshell(streams: Streams, use: (run: Run) => Promise<number>): Promise<number> {
    try {
      return await use(new Run(this.host, new Map(this.variables), streams));
    } catch (exit) {
      if (exit instanceof Exit) return exit.code;
      throw exit;
    }
  }

  async #pipe(stages: ShNode[], streams: Streams): Promise<number> {
    let stdin = streams.stdin;
    let status = 0;
    for (const [index, stage] of stages.entries()) {
      const chunks: Uint8Array[] = [];
      const last = index === stages.length - 1;
      const inner = {
        stdin,
        err: streams.err,
        out: last ? streams.out : (data: Uint8Array) => void chunks.push(data),
      };
      status = await this.#subshell(inner, (run) => run.#node(stage, inner));
      stdin = concatBytes(chunks);
    }
    return status;
  }

  async #simple(node: ShNode & { kind: "simple" }, outer: Streams): Promise<number> {
    const fields: string[] = [];
    for (const word of node.words) fields.push(...await this.#fields(word));
    const [name, ...args] = fields;
    for (const { name: variable, value } of node.assignments) {
      this.variables.set(variable, await this.#text(value));
    }
    const redirected = await this.#redirect(node.redirects, outer);
    if (typeof redirected === "string") {
      outer.err(encoder.encode(`/system/bin/sh: can't open ${redirected}: No such file or directory\n`));
      return 1;
    }
    const { streams, finish } = redirected;
    let status = 0;
    if (name === "exit") throw new Exit(args[0] === undefined ? this.#status : Number(args[0]) & 0xff);
    if (name !== undefined) {
      const command = this.host.command(name);
      const call: ShCall = {
        args,
        stdin: streams.stdin,
        variables: this.variables,
        out: (data) => streams.out(typeof data === "string" ? encoder.encode(data) : data),
        err: (text) => streams.err(encoder.encode(text)),
      };
      if (command) status = await command(call);
      else {
        call.err(`/system/bin/sh: ${name}: inaccessible or not found\n`);
        status = 127;
      }
    }
    finish();
    return status;
  }

  /** Returns the streams of a command, or the path that cannot be read. */
  async #redirect(
    redirects: Redirect[],
    outer: Streams,
  ): Promise<string | { streams: Streams; finish(): void }> {
    const streams = { ...outer };
    const writes: (() => void)[] = [];
    for (const { operator, descriptor, target } of redirects) {
      const path = await this.#text(target);
      if (operator === "<") {
        const bytes = path === "/dev/null" ? EMPTY : this.host.readFile(path);
        if (!bytes) return path;
        streams.stdin = bytes;
      } else if (operator === ">&") {
        if (descriptor === 2) streams.err = streams.out;
        else streams.out = streams.err;
      } else {
        const chunks = operator === ">>" ? [this.host.readFile(path) ?? EMPTY] : [];
        if (path !== "/dev/null") writes.push(() => this.host.writeFile(path, concatBytes(chunks)));
        const write = (data: Uint8Array) => void chunks.push(data);
        if (descriptor === 2) streams.err = write;
        else streams.out = write;
      }
    }
    return { streams, finish: () => writes.forEach((write) => write()) };
  }

  async #text(parts: WordPart[]): Promise<string> {
    let text = "";
    for (const part of parts) text += await this.#part(part);
    return text;
  }

  /**
   * Returns a word as arguments. Unquoted expansions split at blanks, an unquoted pattern becomes the matching paths.
   */
  async #fields(parts: WordPart[]): Promise<string[]> {
    const fields: string[] = [];
    let current: string | null = null;
    let isPattern = false;
    for (const part of parts) {
      const text = await this.#part(part);
      if (part.quoted || part.kind === "text") {
        current = (current ?? "") + text;
        if (!part.quoted && part.kind === "text" && /[*?]/.test(text)) isPattern = true;
        continue;
      }
      const pieces = text.split(/[ \t\n]+/);
      current = (current ?? "") + pieces[0];
      for (const piece of pieces.slice(1)) {
        if (current !== "") fields.push(current!);
        current = piece;
      }
      if (current === "") current = null;
    }
    if (current !== null) fields.push(current);
    if (!isPattern) return fields;
    return fields.flatMap((field) => {
      const paths = this.host.glob(field);
      return paths.length > 0 ? paths : [field];
    });
  }

  async #part(part: WordPart): Promise<string> {
    if (part.kind === "text") return part.text;
    if (part.kind === "command") return await this.#substitute(part.source);
    const value = part.name === "?" ? String(this.#status) : this.variables.get(part.name) ?? "";
    if (part.fallback !== undefined && value === "") return part.fallback;
    return part.trim ? trimmed(value, part.trim) : value;
  }

  async #substitute(source: string): Promise<string> {
    const chunks: Uint8Array[] = [];
    const streams = { ...this.streams, out: (data: Uint8Array) => void chunks.push(data) };
    await new Run(this.host, new Map(this.variables), streams).source(source);
    return new TextDecoder().decode(concatBytes(chunks)).replace(/\n+$/, "");
  }
}

function trimmed(value: string, { operator, pattern }: Trim): string {
  const matches = patternRegExp(pattern);
  const isSuffix = operator.startsWith("%");
  const cuts = Array.from({ length: value.length + 1 }, (_, i) => i).filter((cut) =>
    matches.test(isSuffix ? value.slice(cut) : value.slice(0, cut))
  );
  // The longest suffix starts at the first cut, the longest prefix ends at the last one.
  const cut = operator === "%%" || operator === "#" ? cuts[0] : cuts.at(-1);
  if (cut === undefined) return value;
  return isSuffix ? value.slice(0, cut) : value.slice(cut);
}
