/** Parses and applies planted faults: patches that remove one rule from the product and name what they break. */

/** Whole lines of a file, and their replacement. */
export interface Edit {
  path: string;
  find: string[];
  put: string[];
}

export interface PlantedFault {
  name: string;
  /** The broken rule of docs/design.md, "I1" to "I8", or a word for another effect. */
  invariant: string;
  /** The broken journal step, for a fault of the agent. */
  step: string | null;
  /** Test files most likely to catch it; they run first. */
  triedFirst: string[];
  /** Name of the test that catches it, if given: most tests of a slow file are about other things. */
  test: string | null;
  /** True when only these tests count: the fault checks whether they catch it. */
  isTheirs: boolean;
  edits: Edit[];
}

const EDIT = /^@@ (\S+)$/;

/**
 * Returns the fault in a patch: lines `# key: value` (invariant, step, caught by or caught only by), then its
 * edits. An edit is a line `@@ path`, and lines that start with "-" (removed), "+" (added) or a space (context).
 *
 * @throws {Error} that names the file and the missing part
 */
export function parsePatchFile(name: string, text: string): PlantedFault {
  const lines = text.replace(/\n$/, "").split("\n");
  const start = lines.findIndex((line) => EDIT.test(line));
  if (start < 0) throw new Error(`Cannot read ${name}: no edit in it, which begins with "@@ path"`);
  const header = new Map<string, string[]>();
  for (const line of lines.slice(0, start)) {
    const [, key, value] = /^# *([a-z ]+): *(.+)$/.exec(line) ?? [];
    if (key !== undefined) header.set(key, [...(header.get(key) ?? []), value.trim()]);
  }
  const invariant = header.get("invariant")?.[0];
  if (invariant === undefined) throw new Error(`Cannot read ${name}: no line "# invariant: …"`);
  const witnesses = header.get("caught only by") ?? header.get("caught by") ?? [];
  return {
    name: name.replace(/\.patch$/, ""),
    invariant,
    step: header.get("step")?.[0] ?? null,
    triedFirst: witnesses.map((value) => value.split(/[ ,"]/)[0]),
    test: witnesses.length === 1 ? /"(.+)"$/.exec(witnesses[0]!)?.[1] ?? null : null,
    isTheirs: header.has("caught only by"),
    edits: readEdits(name, lines.slice(start)),
  };
}

function readEdits(name: string, lines: readonly string[]): Edit[] {
  const edits: Edit[] = [];
  for (const line of lines) {
    const path = EDIT.exec(line)?.[1];
    if (path !== undefined) {
      edits.push({ path, find: [], put: [] });
      continue;
    }
    const { find, put } = edits.at(-1)!;
    const [mark, rest] = [line[0] ?? " ", line.slice(1)];
    if (!" +-".includes(mark)) throw new Error(`Cannot read ${name}: "${line}" begins with none of " +-"`);
    if (mark !== "+") find.push(rest);
    if (mark !== "-") put.push(rest);
  }
  const empty = edits.find(({ find }) => find.length === 0);
  if (empty) throw new Error(`Cannot read ${name}: an edit of ${empty.path} does not say where`);
  return edits;
}

/** Returns how often the lines of `find` occur in `text`, consecutive and whole. */
export function countOf(find: readonly string[], text: string): number {
  const wanted = `\n${find.join("\n")}\n`;
  const within = `\n${text}`;
  let count = 0;
  for (let at = within.indexOf(wanted); at >= 0; at = within.indexOf(wanted, at + 1)) count++;
  return count;
}

/**
 * Returns `text` after one edit.
 *
 * @throws {Error} when its lines are missing, or found twice
 */
export function applyEdit({ path, find, put }: Edit, text: string): string {
  const count = countOf(find, text);
  if (count !== 1) throw new Error(`${path} holds ${count} times, not once:\n${find.join("\n")}`);
  const wanted = `\n${find.join("\n")}\n`;
  return `\n${text}`.replace(wanted, () => ["", ...put, ""].join("\n")).slice(1);
}
