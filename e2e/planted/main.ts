/**
 * `deno task planted [name…]`: plants each fault of this folder in a scratch copy of the repository, one at a time in
 * each of two copies, and runs the suites until one of their tests goes red. Ends with `caught N of M`; the exit code
 * is 0 only when every fault was caught and the set is as wide as it has to be. Faults that ask whether one slow test
 * sees them are planted when they are named: `deno task planted fortnight`.
 */
import type { PlantedFault } from "./patch_file.ts";
import { whatIsMissing } from "./coverage.ts";
import { readFaults } from "./read_faults.ts";

/** What runs after the tests a patch names; the cheapest first. */
const SUITES: readonly string[][] = [
  ["edge/queue", "edge/agents", "shared"],
  ["agent"],
  ["edge"],
];
/** Most tests are one file, which keeps one processor busy. */
const COPIES = 2;
/** A suite that takes longer hangs, and a suite that hangs is red. */
const SUITE_MS = 4 * 60_000;
/** The same for the files a patch names; sound, the slowest takes a quarter of it. */
const NAMED_FILES_MS = 60_000;
/** And for a slow test that a fault asks about, a fortnight on a busy machine, and for all files that faults name. */
const SLOW_MS = 10 * 60_000;
const root = new URL("../../", import.meta.url).pathname;

Deno.exit(await main(Deno.args));

async function main(names: string[]): Promise<number> {
  const all = await readFaults();
  const chosen = all.filter((fault) => names.length === 0 ? !fault.isTheirs : isNamed(fault, names));
  if (chosen.length === 0) {
    return fail(`No such fault; there are: ${all.map((fault) => fault.name).join(", ")}`);
  }
  const copies = await Promise.all(Array.from({ length: COPIES }, copyRepository));
  try {
    const files = [...new Set(chosen.flatMap((fault) => fault.triedFirst))];
    const healthy = await runTests(copies[0], files, SLOW_MS);
    if (healthy.red) {
      return fail(`The suites are red before anything is planted: ${healthy.by}\n${healthy.output}`);
    }
    const left = chosen.toReversed();
    const missed = await Promise.all(copies.map((copy) => plantAll(copy, left)));
    const gaps = names.length === 0 ? await whatIsMissing(all, root) : [];
    for (const gap of gaps) say(`gap: ${gap}`);
    const notCaught = missed.reduce((sum, one) => sum + one, 0);
    say(`caught ${chosen.length - notCaught} of ${chosen.length}`);
    return notCaught + gaps.length === 0 ? 0 : 1;
  } finally {
    for (const copy of copies) await Deno.remove(copy, { recursive: true });
  }
}

/** Takes one after another off `left` until none is; answers how many of them were missed. */
async function plantAll(copy: string, left: PlantedFault[]): Promise<number> {
  let missed = 0;
  for (let fault = left.pop(); fault !== undefined; fault = left.pop()) {
    const startedAt = Date.now();
    const by = await plant(copy, fault);
    if (by === null) missed++;
    const seconds = Math.round((Date.now() - startedAt) / 1000);
    const verdict = by === null ? "MISSED" : "caught";
    say(`${verdict}  ${fault.invariant}  ${fault.name}  ${by ?? ""}  (${seconds} s)`);
  }
  return missed;
}

/** By its name, or by the word it begins with: "fortnight" is each fault that asks whether the fortnight sees it. */
function isNamed({ name }: PlantedFault, names: readonly string[]): boolean {
  return names.some((wanted) => name === wanted || name.startsWith(`${wanted}_`));
}

/** The tracked files, without their history: a patch must not reach the repository itself. */
async function copyRepository(): Promise<string> {
  const copy = await Deno.makeTempDir({ prefix: "shigur-planted-" });
  const { stdout } = await run("git", ["ls-files", "-z"], root);
  for (const path of stdout.split("\0").filter((path) => path !== "" && !path.endsWith(".patch"))) {
    await Deno.mkdir(`${copy}/${path.slice(0, path.lastIndexOf("/") + 1)}`, { recursive: true });
    await Deno.copyFile(`${root}${path}`, `${copy}/${path}`);
  }
  await Deno.symlink(`${root}node_modules`, `${copy}/node_modules`);
  return copy;
}

/** Plants one fault, runs the suites, takes it out again; answers the first test that went red, or null. */
async function plant(copy: string, fault: PlantedFault): Promise<string | null> {
  const patch = await Deno.makeTempFile({ prefix: "shigur-planted-", suffix: ".patch" });
  await Deno.writeTextFile(patch, fault.diff);
  const apply = async (...options: string[]) => {
    const { code, stderr } = await run("git", ["apply", "--recount", "-C1", ...options, patch], copy);
    if (code !== 0) throw new Error(`${fault.name}.patch does not apply: ${stderr}`);
  };
  try {
    await apply();
    const { triedFirst, test, isTheirs } = fault;
    // A name that no test bears any more finds none, and the whole file runs.
    const seen = test === null ? null : await runTests(copy, triedFirst, NAMED_FILES_MS, test);
    if (seen?.red) return seen.by;
    for (const suite of isTheirs ? [triedFirst] : [triedFirst, ...SUITES]) {
      if (suite.length === 0) continue;
      const limitMs = isTheirs ? SLOW_MS : suite === triedFirst ? NAMED_FILES_MS : SUITE_MS;
      const result = await runTests(copy, suite, limitMs);
      if (result.red) return result.by;
    }
    return null;
  } finally {
    await apply("--reverse");
    await Deno.remove(patch);
  }
}

/** Without type checks: a fault must be caught by what the product does, not by what it is called. */
async function runTests(
  copy: string,
  paths: string[],
  limitMs = SUITE_MS,
  test?: string,
): Promise<{ red: boolean; by: string; output: string }> {
  if (paths.length === 0) return { red: false, by: "", output: "" };
  const { code, hung, stdout, stderr } = await run(
    Deno.execPath(),
    ["test", "-A", "--no-check", "--parallel", "--fail-fast", ...(test ? ["--filter", test] : []), ...paths],
    copy,
    limitMs,
  );
  const output = stdout + stderr;
  const failed = /^ ?(?:FAILURES|ERRORS)\s+(.+?)(?: => | \(uncaught)/m.exec(output)?.[1];
  if (code !== 0 && !hung && failed === undefined) throw new Error(`The suites did not run:\n${output}`);
  return { red: code !== 0, by: failed ?? "the suite hangs", output: output.slice(-4000) };
}

async function run(command: string, args: string[], cwd: string, timeoutMs = 60_000) {
  const signal = AbortSignal.timeout(timeoutMs);
  const { code, stdout, stderr } = await new Deno.Command(command, {
    args,
    cwd,
    stdin: "null",
    env: { NO_COLOR: "1" },
    signal,
  }).output();
  const decoder = new TextDecoder();
  return { code, hung: signal.aborted, stdout: decoder.decode(stdout), stderr: decoder.decode(stderr) };
}

function fail(why: string): number {
  say(why);
  return 1;
}

function say(line: string): void {
  Deno.stdout.writeSync(new TextEncoder().encode(`${line}\n`));
}
