/** Prints the page of a bench: its parts in sequence, each with the machine's load. */
import { type Figure, keepsBar, type Part, type Table, toLine } from "./figure.ts";

/**
 * Measures the parts named in `args`, or those that `unnamed` accepts when none is named, and prints a page; with
 * `--json` one document at the end. Returns false for an unknown name.
 */
export async function runParts(
  parts: readonly Part[],
  args: readonly string[],
  unnamed: (part: Part) => boolean = () => true,
): Promise<boolean> {
  const asJson = args.includes("--json");
  const named = args.filter((arg) => arg !== "--json");
  const unknown = named.filter((name) => !parts.some((part) => part.name === name || part.group === name));
  if (unknown.length > 0) {
    write(`There is no part ${unknown.join(", ")}; there are ${parts.map(({ name }) => name).join(", ")}.`);
    return false;
  }
  const chosen = parts.filter((part) =>
    named.length === 0 ? unnamed(part) : named.includes(part.name) || named.includes(part.group ?? "")
  );
  const results: unknown[] = [];
  if (!asJson) write(`${machine()}\n`);
  for (const part of chosen) results.push(await runPart(part, asJson));
  if (asJson) {
    write(JSON.stringify({ at: new Date().toISOString(), machine: machine(), parts: results }, null, 2));
  }
  return true;
}

async function runPart({ name, about, measure }: Part, asJson: boolean) {
  const loadBefore = loadNow();
  if (!asJson) write(`${name}: ${about}. Load average ${loadBefore}`);
  const figures: (Figure | Table | string)[] = [];
  for await (const figure of measure()) {
    figures.push(figure);
    if (!asJson) write(toLine(figure));
  }
  if (!asJson) write("");
  return {
    part: name,
    about,
    loadBefore,
    loadAfter: loadNow(),
    figures: figures.map((figure) =>
      typeof figure === "object" && "value" in figure ? { ...figure, kept: keepsBar(figure) } : figure
    ),
  };
}

function machine(): string {
  const model = /^model name\s*:\s*(.*)$/m.exec(Deno.readTextFileSync("/proc/cpuinfo"))?.[1] ?? "unknown";
  return `Deno ${Deno.version.deno}, ${navigator.hardwareConcurrency} cores (${model}), SQLite file, WAL, ` +
    `synchronous=FULL`;
}

function loadNow(): number {
  return Deno.loadavg()[0];
}

function write(line: string): void {
  Deno.stdout.writeSync(new TextEncoder().encode(`${line}\n`));
}
