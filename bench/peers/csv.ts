/** Compares our import of a list with parsers that only split it into fields. */
import process from "node:process";
import { readContacts } from "../../edge/contacts/read_contacts.ts";
import { type Figure, median, type Part } from "../figure.ts";
import { makeList, measureImport } from "../import.ts";
import { contestFigures, inTurn, type Run } from "./rounds.ts";
import { openScratch, type Scratch } from "./scratch.ts";
import { unwound } from "./unwound.ts";

const ROWS = 1_000_000;
const ROUNDS = 3;

export const csv: Part = {
  name: "csv",
  about:
    `P1: one file of ${
      ROWS.toLocaleString("en")
    } Israeli mobile numbers in no order, one column, in ${ROUNDS} rounds ` +
    `in turn, medians; files are read before the clock starts, but for the stream`,
  measure: () => unwound(measure),
};

async function* measure(stack: AsyncDisposableStack): AsyncGenerator<Figure | string> {
  const scratch = await openScratch(stack);
  const path = await Deno.makeTempFile({ prefix: "shigur-list-", suffix: ".csv" });
  stack.defer(() => Deno.remove(path));
  const file = makeList(ROWS, "shuffled");
  await Deno.writeFile(path, file);
  yield "ours: the reading of the import verb: encoding and phone column found, every number read to E.164, duplicates " +
    "left out, the event loop let go every 15 ms";
  yield "peers: rows as arrays of fields, and nothing else is done with them";
  for (const { name, run } of parsersOf(scratch, path)) {
    const contest = await inTurn(ROUNDS, () => readOnce(file), run);
    yield* contestFigures(name, contest, { amount: ROWS, unit: "rows" });
  }
  yield "the import verb whole: suppressed numbers left out too, contacts on disk with their indexes, synchronous=FULL";
  const whole: Run[] = [];
  for (let round = 0; round < ROUNDS; round++) whole.push(await measureImport(ROWS, "shuffled"));
  yield { name: "import", value: median(whole.map(({ seconds }) => ROWS / seconds)), unit: "rows/s" };
  const perCpu = median(whole.map(({ cpuSeconds }) => ROWS / cpuSeconds));
  yield { name: "import, by processor time", value: perCpu, unit: "rows a CPU second" };
}

async function readOnce(file: Uint8Array): Promise<Run> {
  const cpu = process.cpuUsage();
  const beganAt = performance.now();
  const { phones } = await readContacts(file, { seed: 1 });
  const seconds = (performance.now() - beganAt) / 1000;
  const { user, system } = process.cpuUsage(cpu);
  if (phones.length !== ROWS) throw new Error(`${phones.length} of ${ROWS} numbers were read`);
  return { seconds, cpuSeconds: (user + system) / 1e6 };
}

function parsersOf(scratch: Scratch, path: string): { name: string; run(): Promise<Run> }[] {
  const file = { path, rows: ROWS };
  return [
    {
      name: "csv-parse 7.0.3 as a stream",
      run: () => scratch.run("csv_parse.mjs", { ...file, api: "stream" }),
    },
    { name: "csv-parse 7.0.3 at once", run: () => scratch.run("csv_parse.mjs", { ...file, api: "sync" }) },
    { name: "papaparse 5.7.1, fast mode", run: () => scratch.run("papaparse.mjs", file) },
  ];
}
