/** Formats the figures of a run for people. */
import { type Step, STEPS } from "./moment.ts";
import { VICTIMS } from "./plan.ts";
import type { Disturbance } from "./disturb.ts";
import type { SeedResult } from "./test_seed.ts";

/** Only kills in this part of a campaign's taps count. */
const FROM = 0.05;
const TO = 0.95;
/** With fewer kills, the run need not cover every step of the journal. */
const KILLS_TO_JUDGE_STEPS = 60;

/** Returns the kills that count: during the campaign, well before its end. */
function countedKills({ plan, disturbances, testimony }: SeedResult): Disturbance[] {
  const taps = testimony?.taps ?? sum(plan.contacts);
  return disturbances.filter((one) =>
    one.kind === "kill" && one.taps >= FROM * taps && one.taps <= TO * taps
  );
}

/** Returns one line for a seed, followed by its violations and the command to repeat it. */
export function seedLine(result: SeedResult, asked: number): string {
  const { plan, disturbances, testimony, violations, seconds } = result;
  const kills = countedKills(result);
  const others = disturbances.filter(({ kind }) => kind !== "kill");
  const parts = [
    `seed ${plan.seed}`,
    `${kills.length} kills: ${kills.map((kill) => `${kill.victim} at ${kill.steps.join("+")}`).join(", ")}`,
    `${others.length} others: ${
      others.map(({ kind, victim }) => victim ? `${kind} ${victim}` : kind).join(", ")
    }`,
    settings(result),
    testimony
      ? `${testimony.taps} taps, ${tally(testimony.states)}${
        testimony.states.unknown ? ` (${tally(testimony.unknown)})` : ""
      }`
      : "not compared",
    `${seconds} s`,
    violations.length === 0 ? "ok" : `${violations.length} VIOLATIONS`,
  ];
  if (violations.length === 0) return parts.join(" | ");
  return [
    parts.join(" | "),
    ...violations.slice(0, 20).map((violation) => `    ${violation}`),
    `    files: ${result.keptIn ?? "none"}`,
    `    again: deno task faults --seeds 1 --seed ${plan.seed} --kills ${asked}`,
  ].join("\n");
}

/** Returns the tables of the whole run, and whether it passed. */
export function summary(
  results: SeedResult[],
  asked: number,
  seconds: number,
): { text: string; ok: boolean } {
  const kills = results.flatMap(countedKills);
  const violations = results.reduce((sum, { violations }) => sum + violations.length, 0);
  const missed = kills.length < KILLS_TO_JUDGE_STEPS ? [] : STEPS.filter((step) => !kills.some(at(step)));
  const isShort = kills.length < asked * results.length;
  const failed = results.filter((result) => result.violations.length > 0).map(({ plan }) => plan.seed);
  const states = results.map(({ testimony }) => testimony?.states ?? {});
  const text = [
    "",
    `kills by what the site's journal held (${kills.length} at 5–95 % of a run's taps; rows at several steps count at each)`,
    table([
      ["", ...STEPS, "kills"],
      ...VICTIMS.map((victim) => {
        const own = kills.filter((kill) => kill.victim === victim);
        return [victim, ...STEPS.map((step) => `${own.filter(at(step)).length}`), `${own.length}`];
      }),
      ["sum", ...STEPS.map((step) => `${kills.filter(at(step)).length}`), `${kills.length}`],
      ["aimed", ...STEPS.map((step) => `${kills.filter(({ aim }) => aim === step).length}`), ""],
    ]),
    "",
    `other disturbances: ${
      tally(count(
        results.flatMap(({ disturbances }) => disturbances).filter(({ kind }) => kind !== "kill")
          .map(({ kind, victim }) => victim ? `${kind} ${victim}` : kind),
      ))
    }`,
    `messages delivered twice ${sum(results.map((one) => one.duplicates))}, out of order ${
      sum(results.map((one) => one.overtakings))
    }`,
    `taps ${sum(results.map(({ testimony }) => testimony?.taps ?? 0))}, rows ${tally(addUp(states))}`,
    `unknown by reason: ${tally(addUp(results.map(({ testimony }) => testimony?.unknown ?? {}))) || "none"}`,
    `${results.length} seeds in ${seconds} s, ${violations} violations${
      failed.length > 0 ? ` in seeds ${failed.join(", ")}` : ""
    }`,
    ...(isShort ? [`Only ${kills.length} kills count of ${asked * results.length} asked for.`] : []),
    ...missed.map((step) => `No kill met a journal at "${step}".`),
  ].join("\n");
  return { text, ok: violations === 0 && missed.length === 0 && !isShort };
}

function settings({ plan }: SeedResult): string {
  const { devices, contacts, faults, rateLimit, hasImage, isPersonal, clockOffsetS } = plan;
  return [
    `${contacts.join("+")} on ${devices} phones`,
    ...(faults > 0 ? [`lies ${faults}`] : []),
    ...(rateLimit > 0 ? [`pace ${rateLimit} s`] : []),
    ...(hasImage ? ["picture"] : []),
    ...(isPersonal ? ["personal"] : []),
    ...(clockOffsetS === null ? [] : [`clock ${clockOffsetS} s`]),
  ].join(", ");
}

function at(step: Step): (kill: Disturbance) => boolean {
  return ({ steps }) => steps.includes(step);
}

function count(names: string[]): Record<string, number> {
  return addUp(names.map((name) => ({ [name]: 1 })));
}

function addUp(counts: Record<string, number>[]): Record<string, number> {
  const total: Record<string, number> = {};
  for (const each of counts) {
    for (const [name, n] of Object.entries(each)) total[name] = (total[name] ?? 0) + n;
  }
  return total;
}

function tally(counts: Record<string, number>): string {
  return Object.entries(counts).sort().map(([name, n]) => `${name} ${n}`).join(", ");
}

function sum(numbers: number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

function table(rows: string[][]): string {
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)));
  return rows.map((row) =>
    row.map((cell, column) => column === 0 ? cell.padEnd(widths[0]!) : cell.padStart(widths[column]!)).join(
      "  ",
    )
  ).join("\n");
}
