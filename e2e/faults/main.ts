/**
 * `deno task faults [--seeds <n>] [--seed <first>] [--kills <n>] [--jobs <n>]`: runs whole campaigns on real
 * processes. They are killed, frozen and cut off, their disks fill up, their clocks are wrong. Each result is
 * compared, to the unit, with the phones' own log. Exit code 0 = nothing doubled, lost or miscounted, and every
 * step of the journal met a kill.
 */
import { type SeedResult, testSeed } from "./test_seed.ts";
import { seedLine, summary } from "./summary.ts";

interface Options {
  seeds: number;
  /** The first seed; the others follow it. */
  seed: number;
  kills: number;
  /** Number of seeds that run at the same time. */
  jobs: number;
}

const print = (line: string) => Deno.stdout.writeSync(new TextEncoder().encode(`${line}\n`));
Deno.exit(await main(parseOptions(Deno.args)));

async function main({ seeds, seed: first, kills, jobs }: Options): Promise<number> {
  print(`${seeds} seeds from ${first} on, ${kills} kills each, ${jobs} at a time`);
  const startedAt = performance.now();
  const results: SeedResult[] = [];
  const waiting = Array.from({ length: seeds }, (_, index) => first + index);
  await Promise.all(Array.from({ length: jobs }, async () => {
    for (let seed = waiting.shift(); seed !== undefined; seed = waiting.shift()) {
      const result = await testSeed(seed, kills);
      results.push(result);
      print(seedLine(result, kills));
    }
  }));
  const { text, ok } = summary(results, kills, Math.round((performance.now() - startedAt) / 1000));
  print(text);
  return ok ? 0 : 1;
}

function parseOptions(args: string[]): Options {
  const options: Options = { seeds: 20, seed: Math.floor(Math.random() * 1e9), kills: 5, jobs: 5 };
  for (let index = 0; index < args.length; index += 2) {
    const name = args[index]!.replace(/^--/, "") as keyof Options;
    const value = Number(args[index + 1]);
    if (!(name in options) || !Number.isSafeInteger(value) || value < (name === "seed" ? 0 : 1)) {
      print(`Cannot understand "${args[index]} ${args[index + 1] ?? ""}".`);
      print("Usage: deno task faults [--seeds <n>] [--seed <first>] [--kills <n>] [--jobs <n>]");
      Deno.exit(2);
    }
    options[name] = value;
  }
  return options;
}
