/** Checks that a set of planted faults covers enough for "all caught" to mean something. */
import type { PlantedFault } from "./patch_file.ts";

export const INVARIANTS = ["I1", "I2", "I3", "I4", "I5", "I6", "I7", "I8"];
const PER_INVARIANT = 2;
const AT_LEAST = 24;
/** Steps of an attempt at a site, in journal order. */
const STEPS = ["leased", "go", "tapping", "outcome", "report", "forget"];
const QUEUE = "edge/queue/";
/** Files of the queue without decisions of their own: words, SQL fragments, lookups. */
const NO_VERBS = ["move_slice", "own_campaign", "ticks"];

/**
 * Returns what the set lacks for these files, one sentence each: an invariant, a verb of the queue or a journal
 * step without a fault.
 */
export function whatIsMissing(faults: readonly PlantedFault[], paths: readonly string[]): string[] {
  const missing: string[] = [];
  if (faults.length < AT_LEAST) missing.push(`${faults.length} faults, ${AT_LEAST} are wanted`);
  for (const invariant of INVARIANTS) {
    const count = faults.filter((fault) => fault.invariant.includes(invariant)).length;
    if (count < PER_INVARIANT) missing.push(`${invariant} has ${count} faults, ${PER_INVARIANT} are wanted`);
  }
  for (const step of STEPS) {
    if (!faults.some((fault) => fault.step === step)) {
      missing.push(`no fault in the journal's step "${step}"`);
    }
  }
  for (const path of paths.filter((path) => path.startsWith(QUEUE) && path.endsWith(".ts"))) {
    const word = path.slice(path.lastIndexOf("/") + 1, -3);
    if (word.endsWith("_test") || NO_VERBS.includes(word)) continue;
    if (!faults.some(({ edits }) => edits.some((edit) => edit.path === path))) {
      missing.push(`no fault in ${path}`);
    }
  }
  return missing;
}
