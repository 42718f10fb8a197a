/** Runs random histories of a world, each to its end, and shortens a history that breaks a rule. */
import fc from "shared/testing/fast_check.ts";
import { START } from "../../edge/testing/fleet.ts";
import { type Ground, openGround, SITES } from "./ground.ts";
import { ACTS, type Step, step, stepOf, take } from "./steps.ts";
import { World } from "./world.ts";

export interface Histories {
  runs: number;
  /** Number of steps of each history. */
  steps: number;
  seed?: number;
  /** True = with the stand-in of a remote database. */
  remote?: boolean;
  /** Generator of the histories; by default any steps. */
  made?: (steps: number) => fc.Arbitrary<History>;
}

export interface History {
  /** Server time at the start. */
  startsAt: number;
  steps: readonly Step[];
}

/** Acts of ordinary sending, and of programs that die and start. */
const SENDING = ["serve", "greet", "fetch", "flow", "work", "reportAndFlow", "report", "crash", "start"];
/** A Saturday morning in Jerusalem, and two minutes to midnight. */
const STARTS = [START, START + 14 * 3_600_000 - 120_000];

/**
 * Checks `runs` histories and returns how often each event happened.
 *
 * @throws {Error} with fast-check's seed and the shortest history that breaks the same rule
 */
export async function checkHistories(
  { runs, steps, seed, remote, made = histories }: Histories,
): Promise<Map<string, number>> {
  await using ground = await openGround({ remote });
  const tally = new Map<string, number>();
  let run = 0;
  const checked = await fc.check(
    fc.asyncProperty(fc.noShrink(made(steps)), async (one) => {
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

/** Returns histories of `steps` steps. */
export function histories(steps: number): fc.Arbitrary<History> {
  return fc.record({
    startsAt: fc.constantFrom(...STARTS),
    steps: fc.array(step, { minLength: steps, maxLength: steps, size: "max" }),
  });
}

/** Returns lists of at most `most` steps. */
function some(one: fc.Arbitrary<Step>, most: number): fc.Arbitrary<Step[]> {
  return fc.array(one, { maxLength: most, size: "max" });
}

/**
 * Returns histories in which a database is put back by hand after a site sent in the lost time; `steps` steps
 * follow.
 */
export function putBackHistories(steps: number): fc.Arbitrary<History> {
  const sending = stepOf(SENDING);
  return fc.record({
    startsAt: fc.constantFrom(...STARTS),
    steps: fc.tuple(some(sending, 8), some(sending, 16), some(fc.oneof(sending, step), steps))
      .map(([before, lost, after]): Step[] => [
        ...before,
        ["backup"],
        ...lost,
        ["putBackByHand"],
        ...after,
      ]),
  });
}

const SITES_OF_ALL = [...Array(SITES).keys()];
/** Ticks and heartbeats that complete an erasure, in the database and in the journals of all connected sites. */
const ERASED_EVERYWHERE: readonly Step[] = [
  ["eraseOn", 0],
  ["leap", 600_001],
  ["eraseOn", 0],
  ...SITES_OF_ALL.flatMap((site): Step[] => [["greet", site, 0], ["heartbeat", site], ["flow", site]]),
];

/** Returns histories in which people are erased in a lost time, while the lost database still has the erasures. */
export function erasedHistories(steps: number): fc.Arbitrary<History> {
  const usual = stepOf([...SENDING, "heartbeat", "suppress", "tick", "copy", "eraseOn"]);
  const soon = stepOf(["copy", "greet"]);
  // Leave out addCampaign: it writes its list past the edge, so it would include blocked people.
  const any = stepOf([...Object.keys(ACTS).filter((name) => name !== "addCampaign"), "erase"]);
  return fc.record({
    startsAt: fc.constantFrom(...STARTS),
    steps: fc.tuple(
      some(usual, 6),
      some(usual, 12),
      stepOf(["erase"]),
      fc.constantFrom([], ERASED_EVERYWHERE),
      some(usual, 6),
      some(soon, 2),
      some(fc.oneof(usual, any), steps),
    ).map(([before, lost, erase, ended, later, soon, after]): Step[] => [
      ...before,
      ["backup"],
      ...lost,
      erase,
      ...ended,
      ...later,
      ["restoreAlong"],
      // The marks were taken along, but their numbers were not searched for yet.
      ...soon,
      ...after,
    ]),
  });
}

/**
 * Returns histories in which sites send in a lost time. Their clients load the same list again, and send it during
 * and after the sites' reports.
 */
export function loadedAgainHistories(steps: number): fc.Arbitrary<History> {
  const usual = stepOf([...SENDING, "send"]);
  const back = stepOf([...SENDING, "send", "send", "addCampaign", "leap", "backup", "restore"]);
  const greets = SITES_OF_ALL.map((site): Step => ["greet", site, 0]);
  // Of a campaign that runs in the backup, or of one that is lost with its time.
  const servedBefore: Step[] = [["serve", 0, 0, "answer", 20], ["backup"], ["addCampaign", 0], [
    "send",
    0,
    2,
    "send",
  ]];
  return fc.record({
    startsAt: fc.constantFrom(...STARTS),
    steps: fc.tuple(
      fc.constantFrom("restore", "restoreAlong", "putBackByHand"),
      fc.oneof(some(usual, 6).map((before): Step[] => [...before, ["backup"]]), fc.constant(servedBefore)),
      fc.constantFrom(...SITES_OF_ALL),
      fc.constantFrom(7, 20),
      some(usual, 8),
      some(back, 6),
      fc.constantFrom("leave_out", "send"),
      some(back, steps),
    ).map(([how, before, site, commands, lost, meanwhile, wanted, after]): Step[] => [
      ...before,
      ["serve", site, 0, "answer", commands],
      ...lost,
      [how],
      ["addCampaign", 0],
      ["send", 0, 2, "ask"],
      ...meanwhile,
      ...greets,
      ["noteRestored"],
      ...greets,
      ["addCampaign", 0],
      ["send", 0, 2, "ask"],
      ["send", 0, 2, wanted],
      ...after,
    ]),
  });
}

/** Returns histories with a small daily cap, in which a site with a clock wrong by a day sends in a lost time. */
export function fullDayHistories(steps: number): fc.Arbitrary<History> {
  const usual = stepOf([...SENDING, "setClockByDays", "leapToMidnight", "pass"]);
  const greets = SITES_OF_ALL.map((site): Step => ["greet", site, 0]);
  return fc.record({
    startsAt: fc.constantFrom(...STARTS),
    steps: fc.tuple(
      fc.constantFrom(...SITES_OF_ALL),
      fc.constantFrom(-1, 1),
      fc.constantFrom("restore", "restoreAlong", "putBackByHand"),
      some(usual, 4),
      some(usual, 12),
      some(usual, steps),
    ).map(([site, days, back, before, lost, after]): Step[] => [
      ["settings", 2, 0],
      ["send", 0, 0],
      ["send", 0, 0],
      ["setClockByDays", site, days * 86_400_000],
      ...before,
      ["backup"],
      ["serve", site, 0, "answer", 20],
      ...lost,
      [back],
      ...greets,
      ["noteRestored"],
      ...greets,
      ["serve", site, 0, "answer", 20],
      ...after,
    ]),
  });
}

/** Returns histories in which clients send with a wait and take sends back, while sites ask for work. */
export function takenBackHistories(steps: number): fc.Arbitrary<History> {
  const wait = stepOf([
    "sendWithWait",
    "takeBack",
    "takeBack",
    "pass",
    "pause",
    "resume",
    "cancel",
    "suppress",
  ]);
  const usual = stepOf([...SENDING, "tick", "lookAtOutbox", "leap", "backup", "putBackByHand"]);
  return fc.record({
    startsAt: fc.constantFrom(...STARTS),
    steps: some(fc.oneof(wait, usual), steps).map((after): Step[] => [
      ["greet", 0, 0],
      ["sendWithWait", 0, 0, "ask", 10],
      ["takeBack", 0, 1],
      ...after,
    ]),
  });
}

/** Returns histories in which clients write again to people whom the message may reach meanwhile. */
export function writtenAgainHistories(steps: number): fc.Arbitrary<History> {
  const people = stepOf([
    "writeAgain",
    "writeAgain",
    "send",
    "send",
    "resend",
    "resolve",
    "suppress",
    "cancel",
  ]);
  const doubts = stepOf(["loseJournal", "leapADay", "crash", "work", "tick", "leap"]);
  const usual = stepOf([...SENDING, "tick", "lookAtOutbox"]);
  return fc.record({
    startsAt: fc.constantFrom(...STARTS),
    steps: some(fc.oneof(people, doubts, usual), steps).map((after): Step[] => [
      ["greet", 0, 0],
      ["fetch", 0],
      ["work", 0, 20, "never", "none"],
      ["leapADay"],
      ["tick", 0],
      ["writeAgain", 0, 0, true],
      ["send", 0, 2, "ask"],
      ...after,
    ]),
  });
}

/** Returns histories in which campaigns have several texts. */
export function severalTextsHistories(steps: number): fc.Arbitrary<History> {
  const people = stepOf([
    "tryTexts",
    "send",
    "sendWithWait",
    "takeBack",
    "chooseText",
    "chooseText",
    "resend",
    "resend",
    "resolve",
    "pause",
    "resume",
    "cancel",
    "writeAgain",
  ]);
  const doubts = stepOf(["loseJournal", "leapADay", "crash", "work", "tick", "leap", "plug", "suppress"]);
  const usual = stepOf([...SENDING, "tick", "lookAtOutbox"]);
  return fc.record({
    startsAt: fc.constantFrom(...STARTS),
    steps: some(fc.oneof(people, doubts, usual), steps).map((after): Step[] => [
      ["tryTexts", 0, 0],
      ["send", 0, 0, "ask"],
      ["greet", 0, 0],
      ...after,
    ]),
  });
}

/** Runs one history to its end. */
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

/** Removes steps that are not needed to break the same rule: halves, then quarters, … then single steps. */
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

/** Returns a message without its numbers. */
function ruleOf(error: unknown): string | null {
  return error === null ? null : messageOf(error).split("\n")[0]!.replace(/\d+/g, "#");
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
