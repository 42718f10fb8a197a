/**
 * `deno task e2e [file …] [--junit-path=file] [--filter=words]`: runs the suites of real processes, each file in
 * its own process. Several run at once, because most of their time is waiting. Exit code 0 = every file passed.
 */
import { globSync } from "node:fs";
import { SEED } from "shared/testing/seed.ts";
import { builtScreens } from "./built_screens.ts";
import { type FileRun, junitReport } from "./junit_report.ts";

const ALL = ["e2e/**/*_test.ts", "agent/adb/*.e2e.ts"];
/** Number of parallel files that keep two processors busy. */
const LANES = 5;
/** Only computes: it takes the processor time that the others leave, from the start to the end. */
const IN_BACKGROUND = "e2e/model/thousand_e2e_test.ts";
/** Leaves three quarters of a busy processor to a file of usual priority. */
const BACKGROUND_NICENESS = 5;
/** Longest files first, so that none of them runs alone at the end. */
const LONGEST = [
  "e2e/faults/time_scenarios_e2e_test.ts",
  "e2e/every_screen_e2e_test.ts",
  "e2e/faults/journal_scenarios_e2e_test.ts",
  "e2e/client_screens_e2e_test.ts",
  "e2e/upgrade_e2e_test.ts",
  "e2e/health_screens_e2e_test.ts",
  "e2e/main_job_e2e_test.ts",
  "e2e/start_e2e_test.ts",
  "e2e/spec_shell_e2e_test.ts",
  "e2e/spec_guard_e2e_test.ts",
  "e2e/admin_screens_e2e_test.ts",
  "e2e/second_factor_e2e_test.ts",
  "e2e/scale_out_e2e_test.ts",
  "e2e/spec_rows_e2e_test.ts",
  "e2e/model/model_test.ts",
  "e2e/two_edges_together_e2e_test.ts",
  "e2e/two_edges_plans_e2e_test.ts",
  "e2e/two_edges_busy_e2e_test.ts",
  "e2e/erased_number_e2e_test.ts",
];
/** Run together after all others: they assert a time, or freeze an edge while the other has to respond. */
const IN_QUIET = ["e2e/two_edges_frozen_e2e_test.ts", "e2e/fleet_truth_e2e_test.ts"];
const JUNIT_PATH = "--junit-path=";

const root = new URL("../", import.meta.url).pathname;
Deno.exit(await main(Deno.args));

async function main(args: readonly string[]): Promise<number> {
  const named = args.filter((arg) => arg.endsWith(".ts"));
  const report = args.find((arg) => arg.startsWith(JUNIT_PATH))?.slice(JUNIT_PATH.length);
  const options = args.filter((arg) => !named.includes(arg) && !arg.startsWith(JUNIT_PATH));
  const files = named.length > 0 ? named : globSync(ALL, { cwd: root }).toSorted();

  print(`Random cases use SEED=${SEED}; \`deno task explore\` draws another seed`);
  // Build first: two files that built at once would write to the same folder.
  for (const library of ["preact", "react"] as const) await builtScreens(library);
  const runs: FileRun[] = [];
  const runAll = async (waiting: string[]) => {
    for (let file; (file = waiting.shift()) !== undefined;) runs.push(await runFile(file, options));
  };
  const isOf = (list: readonly string[]) => (file: string) => list.includes(file);
  const isOther = (file: string) => ![IN_BACKGROUND, ...LONGEST, ...IN_QUIET].includes(file);
  const waiting = [...LONGEST.filter(isOf(files)), ...files.filter(isOther)];
  const background = runAll([IN_BACKGROUND].filter(isOf(files)));
  await Promise.all(Array.from({ length: LANES }, () => runAll(waiting)));
  await Promise.all(IN_QUIET.filter(isOf(files)).map((file) => runAll([file])));
  await background;

  if (report !== undefined) await Deno.writeTextFile(report, junitReport(runs));
  const failed = runs.filter(({ code }) => code !== 0).map(({ file }) => file);
  print(`${runs.length} files, failed: ${failed.join(" ") || "none"}`);
  return failed.length === 0 ? 0 : 1;
}

/** Runs one file to its end and prints its output as one block. */
async function runFile(file: string, options: readonly string[]): Promise<FileRun> {
  const report = await Deno.makeTempFile({ prefix: "shigur-report-" });
  const startedAt = performance.now();
  const niceness = file === IN_BACKGROUND ? BACKGROUND_NICENESS : 0;
  const { code, stdout, stderr } = await new Deno.Command("nice", {
    args: [
      "-n",
      `${niceness}`,
      Deno.execPath(),
      "test",
      "-A",
      "--no-check",
      `${JUNIT_PATH}${report}`,
      ...options,
      file,
    ],
    cwd: root,
    env: { SEED: `${SEED}`, NO_COLOR: "1" },
  }).output();
  const output = [stdout, stderr].map((bytes) => new TextDecoder().decode(bytes)).join("");
  const seconds = Math.round((performance.now() - startedAt) / 1000);
  print(`${output.trimEnd()}\n== ${code === 0 ? "ok" : "FAILED"}: ${file} in ${seconds} s`);
  const xml = await Deno.readTextFile(report);
  await Deno.remove(report);
  return { file, code, output, xml };
}

function print(line: string): void {
  Deno.stdout.writeSync(new TextEncoder().encode(`${line}\n`));
}
