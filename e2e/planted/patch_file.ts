/** A planted fault: a patch that takes one rule out of the product, with the words of what it breaks. */

export interface PlantedFault {
  name: string;
  /** The rule of docs/design.md that it breaks, "I1" to "I8", or what else goes wrong. */
  invariant: string;
  /** The journal step it breaks, when it is one of the agent's. */
  step: string | null;
  /** The test files most likely to see it, tried before all others. */
  triedFirst: string[];
  /** The test among them that sees it, where its name is given: most tests of a slow file are about other things. */
  test: string | null;
  /** Whether these alone count as its witnesses: the fault asks whether they see it, whoever else does. */
  isTheirs: boolean;
  /** Files the patch changes. */
  changes: string[];
  /** Unified diff, as `git apply` reads it. */
  diff: string;
}

/**
 * Reads a patch: lines `# key: value` (invariant, step, caught by or caught only by), then the diff.
 *
 * @throws Error that names the file and what is missing
 */
export function parsePatchFile(name: string, text: string): PlantedFault {
  const start = text.search(/^(diff --git|--- )/m);
  if (start < 0) throw new Error(`Cannot read ${name}: no diff in it`);
  const said = new Map<string, string[]>();
  for (const [, key, value] of text.slice(0, start).matchAll(/^# *([a-z ]+): *(.+)$/gm)) {
    said.set(key, [...(said.get(key) ?? []), value.trim()]);
  }
  const invariant = said.get("invariant")?.[0];
  if (invariant === undefined) throw new Error(`Cannot read ${name}: no line "# invariant: …"`);
  const diff = text.slice(start);
  const witnesses = said.get("caught only by") ?? said.get("caught by") ?? [];
  return {
    name: name.replace(/\.patch$/, ""),
    invariant,
    step: said.get("step")?.[0] ?? null,
    triedFirst: witnesses.map((value) => value.split(/[ ,"]/)[0]),
    test: witnesses.length === 1 ? /"(.+)"$/.exec(witnesses[0]!)?.[1] ?? null : null,
    isTheirs: said.has("caught only by"),
    changes: [...diff.matchAll(/^\+\+\+ b\/(\S+)/gm)].map(([, path]) => path),
    diff,
  };
}
