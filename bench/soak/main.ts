/**
 * `deno task soak [--minutes <n>] [--phones <n>]`: runs edge, agent and simulated phones that send steadily, and
 * measures their memory. Ctrl+C ends it early and prints the results once all deliveries are settled; a second
 * Ctrl+C stops waiting. Exit code 1 = doubled or lost messages.
 */
import { Product } from "../../e2e/product.ts";
import { pause } from "../../e2e/wait.ts";
import { untilOnline } from "../house.ts";
import { rssMb } from "../process_use.ts";
import { type Sample, slopeOf } from "./slope.ts";
import { beginWork, type Work } from "./steady_work.ts";

const DEFAULTS = { minutes: 60, phones: 50 };
/** Seconds between two messages of a phone, easy for phones at `speed`: ten messages a second with 50 phones. */
const PACE_SECONDS = 5;
const SAMPLE_MS = 10_000;
/** The slope leaves out the first ten minutes, or the first quarter of a shorter run. */
const WARM_UP_MINUTES = 10;
const PRINT_EVERY_MS = 60_000;
const PARTS = ["edge", "agent"] as const;

const print = (line: string) => Deno.stdout.writeSync(new TextEncoder().encode(`${line}\n`));
const stop = new AbortController();
const giveUp = new AbortController();
for (const signal of ["SIGINT", "SIGTERM"] as const) {
  Deno.addSignalListener(signal, () => (stop.signal.aborted ? giveUp : stop).abort());
}
Deno.exit(await main(parseOptions(Deno.args)));

async function main({ minutes, phones }: typeof DEFAULTS): Promise<number> {
  print(
    `${phones} phones, one message of each every ${PACE_SECONDS} s, ${minutes} minutes; ` +
      `resident size every ${SAMPLE_MS / 1000} s. Load average ${Deno.loadavg()[0]}`,
  );
  const product = await Product.start({
    devices: phones,
    speed: 10,
    rateLimit: PACE_SECONDS,
    maxMessagesPerDay: 10_000,
  });
  try {
    await untilOnline(product, phones);
    const work = await beginWork(product, phones, Math.ceil((phones * (minutes + 5) * 60) / PACE_SECONDS));
    const samples = await sampleFor(product, work, minutes);
    await work.end(giveUp.signal);
    for (const part of PARTS) print(slopeLine(part, samples[part]));
    return judge(product, work.contacts());
  } finally {
    await product.stop();
  }
}

async function sampleFor(product: Product, work: Work, minutes: number) {
  const samples: Record<typeof PARTS[number], Sample[]> = { edge: [], agent: [] };
  const beganAt = performance.now();
  let printedAt = beganAt;
  while (!stop.signal.aborted && performance.now() - beganAt < minutes * 60_000) {
    await pause(SAMPLE_MS);
    work.failed.throwIfAborted();
    const hours = (performance.now() - beganAt) / 3_600_000;
    for (const part of PARTS) samples[part].push({ hours, mb: rssMb(product.pid(part)!) });
    if (performance.now() - printedAt < PRINT_EVERY_MS) continue;
    printedAt += PRINT_EVERY_MS;
    const sizes = PARTS.map((part) => `${part} ${samples[part].at(-1)!.mb.toFixed(0)} MB`).join(", ");
    print(`  ${(60 * hours).toFixed(0)} min: ${sizes}, ${product.taps().length} messages`);
  }
  return samples;
}

function slopeLine(part: string, samples: readonly Sample[]): string {
  const last = samples.at(-1)?.hours ?? 0;
  const from = Math.min(WARM_UP_MINUTES / 60, last / 4);
  const warm = samples.filter(({ hours }) => hours >= from);
  const { mbPerHour, errorMbPerHour } = slopeOf(warm);
  const sizes = warm.map(({ mb }) => mb);
  return `${part}: ${mbPerHour.toFixed(1)} MB/h ± ${
    errorMbPerHour.toFixed(1)
  } by ${warm.length} samples after ` +
    `minute ${(60 * from).toFixed(0)}; ${Math.min(...sizes).toFixed(0)} to ${
      Math.max(...sizes).toFixed(0)
    } MB`;
}

/** Verifies by the phones' own log: no person twice, and each was messaged or is not on the app. */
function judge(product: Product, contacts: number): number {
  const taps = product.taps();
  const people = new Set(taps.map(({ phone }) => phone)).size;
  const [{ sent, absent }] = product.query<{ sent: number; absent: number }>(
    "SELECT sum(state = 'sent') AS sent, sum(state = 'failed' AND reason = 'not_on_app') AS absent FROM deliveries",
  ) as [{ sent: number; absent: number }];
  print(
    `${contacts} contacts: ${taps.length} taps on ${people} people, ${sent} sent, ${absent} not on the app`,
  );
  return taps.length === people && people === sent && sent + absent === contacts ? 0 : 1;
}

function parseOptions(args: string[]): typeof DEFAULTS {
  const options = { ...DEFAULTS };
  for (let index = 0; index < args.length; index += 2) {
    const name = args[index]!.replace(/^--/, "");
    const value = Number(args[index + 1]);
    if (!(name === "minutes" || name === "phones") || !Number.isSafeInteger(value) || value < 1) {
      print(`Cannot understand "${args[index]} ${args[index + 1] ?? ""}".`);
      print("Usage: deno task soak [--minutes <n>] [--phones <n>]");
      Deno.exit(2);
    }
    options[name] = value;
  }
  return options;
}
