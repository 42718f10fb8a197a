/**
 * `deno task planted [name…]`: plants each fault of this folder in a scratch copy of the repository and runs the
 * suites until a test fails. Two copies run in parallel, one fault at a time in each. It ends with `caught N of
 * M`; the exit code is 0 only when every fault was caught and the set covers enough. Faults for one slow test are
 * planted only by name: `deno task planted fortnight`.
 *
 * `deno task planted --changed`: plants the faults whose files, tests or patches differ from the commit in
 * CI_BASE, or from the previous commit, and a sample of the others. Without such a commit, all.
 */
import { chooseFaults, filesChangedSince } from "./choose_faults.ts";
import { whatIsMissing } from "./coverage.ts";
import { trackedFiles } from "./find_files.ts";
import { applyEdit, type PlantedFault } from "./patch_file.ts";
import { readFaults } from "./read_faults.ts";

/** Suites that run after a patch's named tests; the cheapest first. */
const SUITES: readonly string[][] = [
  ["edge/queue", "edge/sites", "shared"],
  ["agent"],
  ["edge"],
];
/** Most tests are one file, which keeps one processor busy. */
const COPIES = 2;
/** A suite that takes longer hangs, and counts as failed. */
const SUITE_MS = 4 * 60_000;
/** The same for a patch's named files; without a fault, the slowest takes a quarter of it. */
const NAMED_FILES_MS = 60_000;
/** The same for a slow test named by its fault (a fortnight on a busy machine), and for all named files together. */
const SLOW_MS = 10 * 60_000;
const root = new URL("../../", import.meta.url).pathname;

Deno.exit(await main(Deno.args));

async function main(args: string[]): Promise<number> {
  const files = await trackedFiles(root);
  const all = await readFaults(files);
  const [names, isOfChange] = [args.filter((arg) => arg !== "--changed"), args.includes("--changed")];
  const chosen = names.length > 0
    ? all.filter((fault) => isNamed(fault, names))
    : isOfChange
    ? await faultsOfChange(all.filter(({ isTheirs }) => !isTheirs))
    : all.filter(({ isTheirs }) => !isTheirs);
  if (chosen.length === 0) {
    return fail(`No such fault; there are: ${all.map((fault) => fault.name).join(", ")}`);
  }
  const copies = await Promise.all(Array.from({ length: COPIES }, () => copyRepository(files.paths)));
  try {
    const tests = [...new Set(chosen.flatMap((fault) => fault.triedFirst))];
    const healthy = await runTests(copies[0], tests, SLOW_MS);
    if (healthy.red) {
      return fail(`The suites are red before anything is planted: ${healthy.by}\n${healthy.output}`);
    }
    const left = chosen.toReversed();
    const missed = await Promise.all(copies.map((copy) => plantAll(copy, left)));
    const gaps = names.length === 0 ? whatIsMissing(all, files.paths) : [];
    for (const gap of gaps) print(`gap: ${gap}`);
    const notCaught = missed.reduce((sum, one) => sum + one, 0);
    print(`caught ${chosen.length - notCaught} of ${chosen.length}`);
    return notCaught + gaps.length === 0 ? 0 : 1;
  } finally {
    for (const copy of copies) await Deno.remove(copy, { recursive: true });
  }
}

/** Plants faults from `left` until it is empty; returns the number of missed ones. */
async function plantAll(copy: string, left: PlantedFault[]): Promise<number> {
  let missed = 0;
  for (let fault = left.pop(); fault !== undefined; fault = left.pop()) {
    const startedAt = Date.now();
    const by = await plant(copy, fault);
    if (by === null) missed++;
    const seconds = Math.round((Date.now() - startedAt) / 1000);
    const verdict = by === null ? "MISSED" : "caught";
    print(`${verdict}  ${fault.invariant}  ${fault.name}  ${by ?? ""}  (${seconds} s)`);
  }
  return missed;
}

/** Returns whether a fault was named, fully or by its first word: "fortnight" selects all faults for the fortnight. */
function isNamed({ name }: PlantedFault, names: readonly string[]): boolean {
  return names.some((wanted) => name === wanted || name.startsWith(`${wanted}_`));
}

/** Returns the faults for a change; prints the choice and its base commit. */
async function faultsOfChange(all: PlantedFault[]): Promise<PlantedFault[]> {
  const base = Deno.env.get("CI_BASE") || undefined;
  const changed = await filesChangedSince(base, root);
  if (changed === null) {
    print(`No commit ${base ?? "before this one"} is here: all ${all.length} faults are planted.`);
    return all;
  }
  const { near, sample } = chooseFaults(all, changed.paths);
  const list = (faults: PlantedFault[]) => faults.map(({ name }) => name).join(" ") || "none";
  print(`Since ${changed.commit}, ${changed.paths.size} files changed.`);
  print(`${near.length} faults of those files: ${list(near)}`);
  print(`${sample.length} of the ${all.length - near.length} others: ${list(sample)}`);
  return [...near, ...sample];
}

/** Copies the repository without its history: an edit must never reach the original. */
async function copyRepository(paths: readonly string[]): Promise<string> {
  const copy = await Deno.makeTempDir({ prefix: "shigur-planted-" });
  for (const path of paths) {
    await Deno.mkdir(`${copy}/${path.slice(0, path.lastIndexOf("/") + 1)}`, { recursive: true });
    await Deno.copyFile(`${root}${path}`, `${copy}/${path}`);
  }
  await Deno.symlink(`${root}node_modules`, `${copy}/node_modules`);
  return copy;
}

/** Plants one fault, runs the suites, removes it again; returns the first failed test, or null. */
async function plant(copy: string, fault: PlantedFault): Promise<string | null> {
  const paths = new Set(fault.edits.map(({ path }) => path));
  try {
    for (const edit of fault.edits) {
      const file = `${copy}/${edit.path}`;
      await Deno.writeTextFile(file, applyEdit(edit, await Deno.readTextFile(file)));
    }
    const { triedFirst, test, isTheirs } = fault;
    if (test !== null) {
      const seen = await runTests(copy, triedFirst, NAMED_FILES_MS, test);
      if (seen.red) return seen.by;
      // A run of all tests in the file finds a renamed test.
      if (/\b0 passed\b/.test(seen.output)) print(`${fault.name} names a test that is not there: "${test}"`);
    }
    for (const suite of isTheirs ? [triedFirst] : [triedFirst, ...SUITES]) {
      const limitMs = isTheirs ? SLOW_MS : suite === triedFirst ? NAMED_FILES_MS : SUITE_MS;
      const result = await runTests(copy, suite, limitMs);
      if (result.red) return result.by;
    }
    return null;
  } finally {
    for (const path of paths) await Deno.copyFile(`${root}${path}`, `${copy}/${path}`);
  }
}

/** Runs tests without type checks: a fault must be caught by behaviour, not by types. */
async function runTests(
  copy: string,
  paths: string[],
  limitMs: number,
  test?: string,
): Promise<{ red: boolean; by: string; output: string }> {
  if (paths.length === 0) return { red: false, by: "", output: "" };
  const filter = test ? ["--filter", test] : [];
  const signal = AbortSignal.timeout(limitMs);
  const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["test", "-A", "--no-check", "--parallel", "--fail-fast", ...filter, ...paths],
    cwd: copy,
    stdin: "null",
    env: { NO_COLOR: "1" },
    signal,
  }).output();
  const output = [stdout, stderr].map((bytes) => new TextDecoder().decode(bytes)).join("");
  const failed = /^ ?(?:FAILURES|ERRORS)\s+(.+?)(?: => | \(uncaught)/m.exec(output)?.[1];
  if (code !== 0 && !signal.aborted && failed === undefined) {
    throw new Error(`The suites did not run:\n${output}`);
  }
  return { red: code !== 0, by: failed ?? "the suite hangs", output: output.slice(-4000) };
}

function fail(why: string): number {
  print(why);
  return 1;
}

function print(line: string): void {
  Deno.stdout.writeSync(new TextEncoder().encode(`${line}\n`));
}
