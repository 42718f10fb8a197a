/** Formats the figures of fortnights for people. */
import type { Fortnight } from "./run.ts";

/** A fortnight with fewer events proves nothing, so it fails. */
const LEAST = { taps: 1_000, marketingTaps: 500, marketingDays: 5, lastMinuteTaps: 1, skipped: 20 };

/** Returns broken rules, and events too rare to prove a rule; empty = passed. */
export function violationsOf(fortnight: Fortnight): string[] {
  const { findings, taps, marketingTaps, marketingDays, lastMinuteTaps, skips, troubled, troubledStopped } =
    fortnight;
  const happened = {
    ...{ taps, marketingTaps, marketingDays, lastMinuteTaps },
    skipped: Math.min(skips.opted_out ?? 0, skips.frequency_cap ?? 0),
  };
  const missing = Object.entries(LEAST).filter(([name, least]) =>
    happened[name as keyof typeof LEAST] < least
  );
  return [
    ...Object.entries(findings).flatMap(([rule, found]) => found.map((what) => `${rule}: ${what}`)),
    ...missing.map(([name, least]) => `too little to show anything: ${name} below ${least}`),
    ...(troubledStopped < troubled
      ? [`${troubled - troubledStopped} campaigns with trouble were not stopped`]
      : []),
  ];
}

/** Returns a table with one column per fortnight. */
export function table(fortnights: readonly Fortnight[]): string {
  const rules = Object.keys(fortnights[0]!.findings);
  const rows: [string, (one: Fortnight) => string | number][] = [
    ["seed", ({ plan }) => plan.seed],
    ["begins", ({ plan }) => new Date(plan.startsAt).toISOString().slice(0, 10)],
    ["accounts / recipients", ({ accounts, recipients }) => `${accounts} / ${recipients}`],
    ["taps / of marketing", ({ taps, marketingTaps }) => `${taps} / ${marketingTaps}`],
    ["days with marketing", ({ marketingDays }) => marketingDays],
    ["taps in a last minute", ({ lastMinuteTaps }) => lastMinuteTaps],
    ["devices' days full", ({ daysAtTheCap }) => daysAtTheCap],
    ["skipped: opted out", ({ skips }) => skips.opted_out ?? 0],
    ["skipped: frequency", ({ skips }) => skips.frequency_cap ?? 0],
    ["failed / unknown", ({ states }) => `${states.failed ?? 0} / ${states.unknown ?? 0}`],
    ["cancelled", ({ states }) => states.cancelled ?? 0],
    ["accounts lost / rested", ({ lostAccounts, rested }) => `${lostAccounts} / ${rested}`],
    ["pauses by a rule", ({ pauses }) => Object.values(pauses).reduce((sum, n) => sum + n, 0)],
    ["troubled, stopped", ({ troubled, troubledStopped }) => `${troubled}, ${troubledStopped}`],
    ["tapped, site cut off", ({ unheardTaps }) => unheardTaps],
    ...rules.map((rule) =>
      [rule, ({ findings }: Fortnight) => findings[rule]!.length] as (typeof rows)[number]
    ),
    ["seconds", ({ seconds }) => Math.round(seconds)],
  ];
  const cells = rows.map(([name, read]) => [name, ...fortnights.map((one) => String(read(one)))]);
  const widths = cells[0]!.map((_, column) => Math.max(...cells.map((row) => row[column]!.length)));
  return cells.map((row) =>
    row.map((cell, column) => column === 0 ? cell.padEnd(widths[0]!) : cell.padStart(widths[column]!)).join(
      "  ",
    )
  ).join("\n");
}
