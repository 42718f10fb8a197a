/** Measures one large list through the import verb, on a new database file. */
import process from "node:process";
import { importContacts } from "../edge/contacts/import_contacts.ts";
import { openFleet } from "../edge/testing/fleet.ts";
import { DISK } from "shared/testing/memory_folder.ts";
import type { Figure, Part } from "./figure.ts";
import { measureUpload } from "./upload.ts";
import { watchLoop } from "./watch_loop.ts";

export interface ImportFigures {
  rows: number;
  seconds: number;
  /** Processor time of this process; the rest of `seconds` was waiting for the disk or other programs. */
  cpuSeconds: number;
  rowsPerSecond: number;
  /** Highest resident size during the import, minus the size before. */
  rssAboveIdleMb: number;
  /** Longest time that the event loop was blocked, by the clock and of a processor. */
  longestBlockMs: number;
  longestCpuMs: number;
}

const ROWS = 1_000_000;
/** Prefixes 050 to 054, all mobile numbers. */
const NUMBERS = 50_000_000;

export const imports: Part = {
  name: "import",
  about:
    `P1: ${
      ROWS.toLocaleString("en")
    } Israeli mobile numbers through the import verb, into a fresh file; then a ` +
    "list of customers of 10 MB at the door of an edge",
  async *measure(): AsyncGenerator<Figure> {
    for (const order of ["ascending", "shuffled"] as const) {
      const figures = await measureImport(ROWS, order);
      yield { name: order, value: figures.seconds, unit: "s", bar: { atMost: 2 } };
      yield { name: `${order}, of that on a processor`, value: figures.cpuSeconds, unit: "s" };
      yield {
        name: `${order}, resident above idle`,
        value: figures.rssAboveIdleMb,
        unit: "MB",
        bar: { atMost: 150 },
      };
      yield {
        name: `${order}, longest the loop stood still`,
        value: figures.longestBlockMs,
        unit: "ms",
        bar: { atMost: 50 },
      };
      yield { name: `${order}, of that on a processor`, value: figures.longestCpuMs, unit: "ms" };
    }
    const upload = await measureUpload();
    yield { name: "at the door, customers in the file", value: upload.rows, unit: "" };
    yield { name: "at the door", value: upload.seconds, unit: "s", bar: { atMost: 0.8 } };
    yield { name: "at the door, of that on the edge's processor", value: upload.cpuSeconds, unit: "s" };
  },
};

/** Imports `rows` different Israeli mobile numbers, shuffled (like customer lists) or ascending. */
export async function measureImport(rows: number, order: "shuffled" | "ascending"): Promise<ImportFigures> {
  await using fleet = await openFleet({ under: DISK });
  const client = await fleet.addClient(0);
  const { id } = await fleet.addCampaign(client, 0);
  const file = makeList(rows, order);
  const idleBytes = Deno.memoryUsage().rss;
  const watch = watchLoop();
  const began = performance.now();
  const cpu = process.cpuUsage();
  const { result } = await importContacts(fleet.ctx, { id, client: client.id, kind: "service" }, {
    fileName: "list.csv",
    file,
  });
  const seconds = (performance.now() - began) / 1000;
  const { user, system } = process.cpuUsage(cpu);
  const { peakBytes, ...longest } = watch.stop();
  if (result.total !== rows) throw new Error(`Cannot count on this: ${result.total} of ${rows} were added`);
  return {
    rows,
    seconds,
    cpuSeconds: (user + system) / 1e6,
    rowsPerSecond: rows / seconds,
    rssAboveIdleMb: (peakBytes - idleBytes) / 1024 ** 2,
    ...longest,
  };
}

/** Returns a one-column file with `rows` different numbers under a heading, spread over the whole range. */
export function makeList(rows: number, order: "shuffled" | "ascending"): Uint8Array {
  const apart = Math.floor(NUMBERS / rows);
  const numbers = Uint32Array.from({ length: rows }, (_, i) => i * apart + Math.floor(Math.random() * apart));
  if (order === "shuffled") shuffle(numbers);
  const lines = ["phone"];
  for (const number of numbers) lines.push(`05${String(number).padStart(8, "0")}`);
  return new TextEncoder().encode(lines.join("\n"));
}

/** Shuffles by Fisher and Yates (Knuth, algorithm 3.4.2 P). */
function shuffle(numbers: Uint32Array): void {
  for (let i = numbers.length - 1; i > 0; i--) {
    const at = Math.floor(Math.random() * (i + 1));
    [numbers[i], numbers[at]] = [numbers[at]!, numbers[i]!];
  }
}
