/** Measures lists of contacts: loading a million in files of up to 10 MB, then any page and searches among them. */
import process from "node:process";
import { loadContacts } from "../edge/lists/load_contacts.ts";
import { readContactFile } from "../edge/lists/read_contact_file.ts";
import { contactQuerySchema } from "shared/lists_api.ts";
import { pageContacts } from "../edge/lists/page_contacts.ts";
import { readList } from "../edge/lists/read_list.ts";
import type { SessionUser } from "../edge/http/router.ts";
import { createYieldToEventLoop } from "../edge/http/yield_to_event_loop.ts";
import { type Fleet, openFleet } from "../edge/testing/fleet.ts";
import { DISK } from "shared/testing/memory_folder.ts";
import { type Figure, type Part, percentile } from "./figure.ts";
import { watchLoop } from "./watch_loop.ts";

const ROWS = Number(Deno.env.get("LISTS_ROWS") ?? 1_000_000);
const FILE_BYTES = 10 * 1024 * 1024;
const FIRST = [
  "דנה",
  "יעל",
  "משה",
  "אברהם",
  "נועה",
  "Daniel",
  "שרה",
  "יוסף",
  "רחל",
  "תמר",
  "איתי",
  "מאיה",
  "Anna",
  "עומר",
  "ליאור",
];
const LAST = [
  "כהן",
  "לוי",
  "מזרחי",
  "פרץ",
  "ביטון",
  "דהן",
  "אברהם",
  "פרידמן",
  "מלכה",
  "אזולאי",
  "כץ",
  "Smith",
];
const CITIES = ["תל אביב", "ירושלים", "חיפה", "ראשון לציון", "באר שבע", "נתניה", "אשדוד", "פתח תקווה"];

export const listsPart: Part = {
  name: "lists",
  about: `${ROWS.toLocaleString("en")} contacts in files of up to 10 MB, in no order, into a list`,
  async *measure(): AsyncGenerator<Figure> {
    for (const fields of [0, 5]) {
      await using fleet = await openFleet({ under: DISK });
      const client = await fleet.addClient(0);
      const list = await addList(fleet, client.id);
      const files = makeFiles(ROWS, fields);
      const watch = watchLoop();
      const cpu = process.cpuUsage();
      const began = performance.now();
      for (const file of files) {
        const yieldToEventLoop = createYieldToEventLoop();
        const { rows } = await readContactFile(file, { seed: 1, yieldToEventLoop });
        await loadContacts(fleet.ctx, { client: client.id, list, rows, source: "file", yieldToEventLoop });
      }
      const { user, system } = process.cpuUsage(cpu);
      const { longestBlockMs, longestCpuMs } = watch.stop();
      const name = fields === 0 ? "without fields" : "with five fields";
      yield { name: `${name}, files`, value: files.length, unit: "" };
      yield { name: `${name}, loaded`, value: (performance.now() - began) / 1000, unit: "s" };
      yield {
        name: `${name}, of that on a processor`,
        value: (user + system) / 1e6,
        unit: "s",
        bar: { atMost: fields === 0 ? 2.5 : 5 },
      };
      yield { name: `${name}, longest the loop stood still`, value: longestBlockMs, unit: "ms" };
      yield {
        name: `${name}, longest of a processor without a turn`,
        value: longestCpuMs,
        unit: "ms",
        bar: { atMost: 50 },
      };
      if (fields > 0) yield* measureReads(fleet, client.id, list);
    }
  },
};

const READS = 200;

/** Reads pages from any place, and searches for beginnings of numbers and of values, each with its next page. */
async function* measureReads(fleet: Fleet, client: number, list: number): AsyncGenerator<Figure> {
  const user: SessionUser = { id: client, username: "", role: "client", sessionHash: "" };
  const found = await readList(fleet.ctx, user, list);
  const last = Number((await fleet.one("SELECT max(id) AS last FROM contacts")).last);
  const any = (most: number, at: number) => Math.floor((at * 0.618_034 % 1) * most);
  const searches: Record<string, (at: number) => { q?: string; cursor?: string }> = {
    "any page": (at) => ({ cursor: `n0.${1 + any(last, at)}` }),
    "a search by number": (at) => ({ q: `05${String(any(5_000, at)).padStart(4, "0")}` }),
    "a search by a name that many have": (at) => ({ q: FIRST[any(FIRST.length, at)]!.slice(0, 2) }),
    "a search by the beginning of an address": (at) => ({ q: `user${any(5_000, at)}` }),
    "a search by a whole address": (at) => ({ q: `user${any(50_000_000, at)}@example.com` }),
    "a search that finds nobody": (at) => ({ q: `אין כזה ${at}` }),
  };
  for (const [name, queryOf] of Object.entries(searches)) {
    const times: number[] = [];
    const cpu: number[] = [];
    for (let at = 0; at < READS; at++) {
      let query = contactQuerySchema.parse({ ...queryOf(at), limit: 100 });
      for (let page = 0; page < 2; page++) {
        const began = performance.now();
        const used = process.cpuUsage();
        const { nextCursor } = await pageContacts(fleet.ctx, user, found, query);
        times.push(performance.now() - began);
        const { user: busy, system } = process.cpuUsage(used);
        cpu.push((busy + system) / 1000);
        if (nextCursor === null) break;
        query = { ...query, cursor: nextCursor };
      }
    }
    yield { name: `${name}, p50`, value: percentile(times, 0.5), unit: "ms" };
    yield { name: `${name}, p95`, value: percentile(times, 0.95), unit: "ms", bar: { atMost: 50 } };
    yield { name: `${name}, p95 of that on a processor`, value: percentile(cpu, 0.95), unit: "ms" };
  }
}

export async function addList(fleet: Fleet, client: number): Promise<number> {
  const { rows } = await fleet.ctx.db.execute({
    sql:
      `INSERT INTO lists (client, name, name_key, created_at, updated_at) VALUES (?, 'לקוחות', 'לקוחות', 0, 0)
      RETURNING id`,
    args: [client],
  });
  return Number(rows[0].id);
}

/** Returns files of at most 10 MB with `rows` different people in no order: number, first and last name, town, e-mail and sum. */
export function makeFiles(rows: number, fields: number): Uint8Array[] {
  const encoder = new TextEncoder();
  const header = ["טלפון", "שם", "משפחה", "עיר", "מייל", "סכום"].slice(0, fields + 1).join(",");
  const numbers = Uint32Array.from({ length: rows }, (_, i) => i * Math.floor(50_000_000 / rows));
  for (let i = rows - 1; i > 0; i--) {
    const at = Math.floor(Math.random() * (i + 1));
    [numbers[i], numbers[at]] = [numbers[at]!, numbers[i]!];
  }
  const files: Uint8Array[] = [];
  let lines = [header];
  let size = 100;
  const of = (all: string[]) => all[Math.floor(Math.random() * all.length)]!;
  for (const number of numbers) {
    const cells = [
      `05${String(number).padStart(8, "0")}`,
      of(FIRST),
      of(LAST),
      of(CITIES),
      `user${number}@example.com`,
      String(Math.floor(Math.random() * 100_000) / 100),
    ];
    const line = cells.slice(0, fields + 1).join(",");
    size += line.length + 1 + (fields > 0 ? 22 : 0);
    if (size > FILE_BYTES) {
      files.push(encoder.encode(lines.join("\n")));
      [lines, size] = [[header], 100 + line.length];
    }
    lines.push(line);
  }
  files.push(encoder.encode(lines.join("\n")));
  return files;
}
