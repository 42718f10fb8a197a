/** Measures how long a client waits for the preview of a file of 10 MB, as text and as a workbook. */
import process from "node:process";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { stageUpload } from "../edge/contacts/describe_staged.ts";
import { previewStaged } from "../edge/contacts/preview_staged.ts";
import { tableText } from "../edge/tables/read_table.ts";
import { TableRefusal } from "../edge/tables/table_refusal.ts";
import { openFleet } from "../edge/testing/fleet.ts";
import { makeWorkbook } from "../edge/testing/make_workbook.ts";
import { DISK } from "shared/testing/memory_folder.ts";
import type { Figure, Part } from "./figure.ts";
import { watchLoop } from "./watch_loop.ts";

const FILE_BYTES = 10 * 1024 * 1024;
const MB = 1024 ** 2;
const LETTERS = "אבגדהוזחטיכלמנסעפצקרשת";

export const preview: Part = {
  name: "preview",
  about:
    "a file of 10 MB kept and previewed through the verbs, in a campaign that advertises and has contacts, with a " +
    "list of removals: headings, columns, and the fate of every row; then workbooks that are refused",
  async *measure(): AsyncGenerator<Figure> {
    for (const kind of ["csv", "xlsx"] as const) {
      const figures = await measurePreview(kind);
      const bar = kind === "csv" ? 1 : 4;
      yield { name: `${kind}, rows`, value: figures.rows, unit: "" };
      yield {
        name: `${kind}, kept and described, on a processor`,
        value: figures.stageCpuSeconds,
        unit: "s",
      };
      yield { name: `${kind}, counted, on a processor`, value: figures.previewCpuSeconds, unit: "s" };
      yield {
        name: `${kind}, both, on a processor`,
        value: figures.stageCpuSeconds + figures.previewCpuSeconds,
        unit: "s",
        bar: { atMost: bar },
      };
      yield {
        name: `${kind}, resident above idle`,
        value: figures.rssAboveIdleMb,
        unit: "MB",
        bar: { atMost: 200 },
      };
      yield {
        name: `${kind}, longest the loop stood still`,
        value: figures.longestBlockMs,
        unit: "ms",
        bar: { atMost: 50 },
      };
      yield { name: `${kind}, of that on a processor`, value: figures.longestCpuMs, unit: "ms" };
    }
    yield* measureBombs();
  },
};

async function measurePreview(kind: "csv" | "xlsx") {
  await using fleet = await openFleet({ under: DISK });
  const client = await fleet.addClient(0);
  const { id } = await fleet.addCampaign(client, 1_000);
  await fleet.ctx.db.execute("UPDATE campaigns SET kind = 'marketing'");
  await fleet.ctx.db.execute({
    sql: "INSERT INTO suppressions (client, phone, source, at) VALUES (?, 972500000001, 'manual', 0)",
    args: [client.id],
  });
  const bytes = await makeFile(kind);
  const upload = { fileName: `list.${kind}`, bytes, sheet: undefined, form: new FormData() };
  collectGarbage();
  const idleBytes = Deno.memoryUsage().rss;
  const watch = watchLoop();
  const began = process.cpuUsage();
  const staged = await stageUpload(fleet.ctx, client.id, upload);
  const afterStage = process.cpuUsage();
  const asked = { user: client.id, file: staged.id, choice: staged.choice!, declares: false };
  const shown = await previewStaged(fleet.ctx, { id, client: client.id }, asked);
  const afterPreview = process.cpuUsage();
  const { peakBytes, ...longest } = watch.stop();
  return {
    rows: shown.rows,
    stageCpuSeconds: seconds(afterStage) - seconds(began),
    previewCpuSeconds: seconds(afterPreview) - seconds(afterStage),
    rssAboveIdleMb: (peakBytes - idleBytes) / MB,
    ...longest,
  };
}

/** Refuses workbooks that hold far more than they seem to; each must cost little and let others through. */
async function* measureBombs(): AsyncGenerator<Figure> {
  for (const [name, file] of Object.entries(await makeBombs())) {
    collectGarbage();
    const idleBytes = Deno.memoryUsage().rss;
    const watch = watchLoop();
    const began = process.cpuUsage();
    const refusal = await tableText(file).then(() => null, (error) => error);
    const cpuSeconds = seconds(process.cpuUsage()) - seconds(began);
    const { peakBytes, longestCpuMs } = watch.stop();
    if (!(refusal instanceof TableRefusal)) throw new Error(`${name} was not refused`);
    yield { name: `${name}, refused, on a processor`, value: cpuSeconds, unit: "s", bar: { atMost: 2 } };
    yield {
      name: `${name}, resident above idle`,
      value: (peakBytes - idleBytes) / MB,
      unit: "MB",
      bar: { atMost: 200 },
    };
    yield {
      name: `${name}, longest of a processor without a turn`,
      value: longestCpuMs,
      unit: "ms",
      bar: { atMost: 50 },
    };
  }
}

async function makeBombs(): Promise<Record<string, Uint8Array>> {
  const begin = '<?xml version="1.0"?><worksheet><sheetData>';
  const inOne = `<si><t>${"א".repeat(1_000)}</t></si>`;
  // Rows that any program could have written.
  const rows = Array.from({ length: 2_300 }, (_, row) => {
    const cells = Array.from({ length: 20 }, (_, i) => 541_000_000 + (row * 7_919 + i * 104_729) % 9_999_999);
    return `<row>${cells.map((cell) => `<c><v>${cell}</v></c>`).join("")}</row>`;
  }).join("");
  const sheetOf = (text: string, megabytes: number) => {
    const megabyte = new TextEncoder().encode(text.repeat(Math.ceil(MB / text.length)));
    return (async function* () {
      yield new TextEncoder().encode(begin);
      for (let i = 0; i < megabytes; i++) yield megabyte;
    })();
  };
  return {
    "30 MB of spaces in 30 kB": await makeWorkbook({ sheets: { א: sheetOf(" ", 30) } }),
    "190 MB of rows": await makeWorkbook({ sheets: { א: sheetOf(rows, 190) } }),
    "a text that 100,000 cells repeat": await makeWorkbook({
      texts: inOne,
      sheets: { א: `<sheetData>${'<row><c t="s"><v>0</v></c></row>'.repeat(100_000)}</sheetData>` },
    }),
    "a tag that never ends": await makeWorkbook({ sheets: { א: sheetOf(" x", 3) } }),
  };
}

/** What made the file is no part of the figures. */
function collectGarbage(): void {
  setFlagsFromString("--expose-gc");
  (runInNewContext("gc") as () => void)();
}

function seconds({ user, system }: NodeJS.CpuUsage): number {
  return (user + system) / 1e6;
}

/** Returns a list of customers of 10 MB: a number, two names, a town, a sum. */
async function makeFile(kind: "csv" | "xlsx"): Promise<Uint8Array<ArrayBuffer>> {
  const people = peopleOf();
  if (kind === "csv") {
    const lines = ["טלפון,שם פרטי,שם משפחה,עיר,סכום"];
    for (let bytes = 0; bytes < FILE_BYTES - 200;) {
      const line = people.next().value!.join(",");
      lines.push(line);
      // Hebrew letters take two bytes.
      bytes += line.length + 1 + (line.match(/[א-ת]/g)?.length ?? 0);
    }
    return new TextEncoder().encode(lines.join("\n")).slice(0, FILE_BYTES);
  }
  // As Excel writes it: shared texts, places of cells, and a file that deflate makes ten times smaller.
  let file: Uint8Array<ArrayBuffer> = new Uint8Array(FILE_BYTES + 1);
  for (let rows = 260_000; file.length > FILE_BYTES; rows = Math.floor(rows * FILE_BYTES / file.length)) {
    file = await makeSheet(rows, people);
  }
  return file;
}

async function makeSheet(
  count: number,
  people: Generator<string[], never>,
): Promise<Uint8Array<ArrayBuffer>> {
  const texts = new Map<string, number>();
  const place = (text: string) => {
    if (!texts.has(text)) texts.set(text, texts.size);
    return texts.get(text);
  };
  const rows = ["טלפון", "שם פרטי", "שם משפחה", "עיר", "סכום"].map(place);
  let xml = `<?xml version="1.0"?><worksheet><sheetData><row r="1">${
    rows.map((no, i) => `<c r="${"ABCDE"[i]}1" t="s"><v>${no}</v></c>`).join("")
  }</row>`;
  const pieces: Uint8Array[] = [];
  for (let row = 2; row <= count; row++) {
    const [phone, first, last, town, sum] = people.next().value;
    xml += `<row r="${row}" spans="1:5"><c r="A${row}"><v>${Number(phone!.replace("-", ""))}</v></c>` +
      [first, last, town].map((text, i) => `<c r="${"BCD"[i]}${row}" t="s"><v>${place(text!)}</v></c>`).join(
        "",
      ) +
      `<c r="E${row}"><v>${sum}</v></c></row>`;
    if (xml.length < MB) continue;
    pieces.push(new TextEncoder().encode(xml));
    xml = "";
  }
  pieces.push(new TextEncoder().encode(`${xml}</sheetData></worksheet>`));
  const shared = [...texts.keys()].map((text) => `<si><t>${text}</t></si>`).join("");
  return await makeWorkbook({ texts: shared, sheets: { לקוחות: streamOf(pieces) } });
}

async function* streamOf(pieces: Uint8Array[]): AsyncGenerator<Uint8Array> {
  yield* pieces;
}

/** Different people, with names of their own, from one seed. */
function* peopleOf(): Generator<string[], never> {
  let state = 12_345;
  const next = (below: number) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
    return state % below;
  };
  const word = () => Array.from({ length: 3 + next(6) }, () => LETTERS[next(22)]).join("");
  for (let i = 0;; i++) {
    const number = (i * 7_919) % 49_999_991;
    yield [
      `05${String(number).padStart(8, "0").replace(/^(\d)/, "$1-")}`,
      word(),
      word(),
      word(),
      String(next(100_000)),
    ];
  }
}
