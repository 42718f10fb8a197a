/** `node csv_parse.mjs '{"path":…,"rows":…,"api":"stream"|"sync"}'`: every row of a file as an array of fields. */
import { parse } from "csv-parse";
import { parse as parseSync } from "csv-parse/sync";
import { createReadStream, readFileSync } from "node:fs";
import process from "node:process";

const { path, rows, api } = JSON.parse(process.argv[2]);
const bytes = api === "sync" ? readFileSync(path) : undefined;
const cpu = process.cpuUsage();
const beganAt = performance.now();
const count = bytes ? parseSync(bytes).length : await countStreamed();
const seconds = (performance.now() - beganAt) / 1000;
const { user, system } = process.cpuUsage(cpu);
if (count !== rows + 1) throw new Error(`${count} rows, and not ${rows} and a heading`);
process.stdout.write(`${JSON.stringify({ seconds, cpuSeconds: (user + system) / 1e6 })}\n`);

function countStreamed() {
  return new Promise((resolve, reject) => {
    let read = 0;
    const parser = createReadStream(path).pipe(parse());
    parser.on("data", () => read++);
    parser.on("error", reject);
    parser.on("end", () => resolve(read));
  });
}
