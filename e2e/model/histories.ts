/** Runs random histories of a world, each to its end, and makes the shortest of one that breaks a rule. */
import fc from "fast-check";
import { START } from "../../edge/testing/fleet.ts";
import { type Ground, openGround } from "./ground.ts";
import { type Step, step, take } from "./steps.ts";
import { World } from "./world.ts";

export interface Histories {
  runs: number;
  /** Steps of each. */
  steps: number;
  seed?: number;
  /** Behind the stand-in of a remote database. */
  remote?: boolean;
}

export interface History {
  /** Server time. */
  startsAt: number;
  steps: readonly Step[];
}

/** A Saturday morning in Jerusalem, and two minutes to midnight. */
const STARTS = [START, START + 14 * 3_600_000 - 120_000];

/**
 * Checks `runs` histories; answers how often everything happened.
 *
 * @throws Error with fast-check's seed and the shortest history found that breaks the same rule
 */
export async function checkHistories({ runs, steps, seed, remote }: Histories): Promise<Map<string, number>> {
  await using ground = await openGround({ remote });
  const tally = new Map<string, number>();
  let run = 0;
  const checked = await fc.check(
    fc.asyncProperty(fc.noShrink(histories(steps)), async (one) => {
      run += 1;
      await play(ground, one, tally);
    }),
    { numRuns: runs, seed, endOnFailure: true },
  );
  if (!checked.failed) return tally;
  const [failed] = checked.counterexample!;
  const short = await shorten(ground, failed);
  throw new Error(
    `Run ${run} of seed ${checked.seed} broke a rule: ${messageOf(checked.errorInstance)}\n` +
      `Replay: ${JSON.stringify(short)}`,
    { cause: checked.errorInstance },
  );
}

/** Histories of so many steps. */
export function histories(steps: number): fc.Arbitrary<History> {
  return fc.record({
    startsAt: fc.constantFrom(...STARTS),
    steps: fc.array(step, { minLength: steps, maxLength: steps, size: "max" }),
  });
}

/** Plays one history to its end. */
export async function play(
  ground: Ground,
  { startsAt, steps }: History,
  tally?: Map<string, number>,
): Promise<void> {
  const world = await World.open(ground, startsAt);
  try {
    await take(world, ["send", 0, 0]);
    for (const one of steps) await take(world, one);
    await world.settle();
  } finally {
    world.close();
    for (const [what, count] of world.oracle.tally) tally?.set(what, (tally.get(what) ?? 0) + count);
  }
}

/** Leaves out what is not needed to break the same rule: halves, then quarters, … then single steps. */
async function shorten(ground: Ground, history: History): Promise<History> {
  const rule = ruleOf(await failureOf(ground, history));
  let { steps } = history;
  for (let size = Math.ceil(steps.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    for (let from = 0; from < steps.length;) {
      const without = steps.toSpliced(from, size);
      if (ruleOf(await failureOf(ground, { ...history, steps: without })) === rule) steps = without;
      else from += size;
    }
  }
  return { ...history, steps };
}

async function failureOf(ground: Ground, history: History): Promise<unknown> {
  try {
    await play(ground, history);
    return null;
  } catch (error) {
    return error;
  }
}

/** A message without its numbers. */
function ruleOf(error: unknown): string | null {
  return error === null ? null : messageOf(error).split("\n")[0]!.replace(/\d+/g, "#");
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
