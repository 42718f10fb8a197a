/** Chooses the faults to try after a change: those near it, and a fixed sample of the others. */
import type { PlantedFault } from "./patch_file.ts";
import { INVARIANTS } from "./coverage.ts";

/** One in this many of the unrelated faults is planted. */
const ONE_IN = 8;

export interface Choice {
  /** Faults whose files, tests or patches changed. */
  near: PlantedFault[];
  /** Sorted by name; includes each invariant. */
  sample: PlantedFault[];
}

/** Divides all faults into those near a change of these files and a sample of the others. */
export function chooseFaults(all: readonly PlantedFault[], changed: ReadonlySet<string>): Choice {
  const patches = new Set([...changed].map((path) => path.slice(path.lastIndexOf("/") + 1)));
  const near = all.filter(({ name, edits, triedFirst }) =>
    patches.has(`${name}.patch`) ||
    [...edits.map(({ path }) => path), ...triedFirst].some((path) => changed.has(path))
  );
  const sample = new Set(all.filter((_, index) => index % ONE_IN === 0));
  for (const invariant of INVARIANTS) {
    const own = all.filter((fault) => fault.invariant.includes(invariant));
    if (own.length > 0 && !own.some((fault) => sample.has(fault))) sample.add(own[0]!);
  }
  return { near, sample: all.filter((fault) => sample.has(fault) && !near.includes(fault)) };
}

/**
 * Returns the files that differ from `base`, or from the previous commit without a base. Returns null when that
 * commit does not exist, as in a clone without history.
 */
export async function filesChangedSince(
  base: string | undefined,
  root: string,
): Promise<{ commit: string; paths: Set<string> } | null> {
  const commit = await git(
    root,
    "rev-parse",
    "--verify",
    "--quiet",
    "--end-of-options",
    `${base ?? "HEAD^"}^{commit}`,
  );
  if (commit === null) return null;
  const paths = await git(root, "diff", "--name-only", "-z", commit.trim());
  return paths === null
    ? null
    : { commit: commit.trim(), paths: new Set(paths.split("\0").filter((path) => path !== "")) };
}

async function git(cwd: string, ...args: string[]): Promise<string | null> {
  const { success, stdout } = await new Deno.Command("git", { args, cwd, stderr: "null" }).output();
  return success ? new TextDecoder().decode(stdout) : null;
}
