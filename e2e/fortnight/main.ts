/**
 * `deno task fortnight [--seed <first>] [--seeds <n>] [--small]`: simulates fourteen days on the real verbs and a
 * real database, with planted bans, opt-outs, cut lines and clock changes. A separate calendar judges the taps.
 * Seeds 0 to 7 include the holidays and both nights of a clock change. Exit code 0 = no rule was broken.
 */
import { FULL, SMALL } from "./plan.ts";
import { type Fortnight, liveFortnight } from "./run.ts";
import { table, violationsOf } from "./table.ts";

const USAGE = "Usage: deno task fortnight [--seed <first>] [--seeds <n>] [--small]";
const print = (line: string) => Deno.stdout.writeSync(new TextEncoder().encode(`${line}\n`));
Deno.exit(await main(Deno.args));

async function main(args: readonly string[]): Promise<number> {
  const options = parseOptions(args);
  if (options === null) {
    print(USAGE);
    return 2;
  }
  const lived: Fortnight[] = [];
  for (let seed = options.seed; seed < options.seed + options.seeds; seed++) {
    const fortnight = await liveFortnight(seed, options.isSmall ? SMALL : FULL);
    const violations = violationsOf(fortnight);
    print(
      `seed ${seed}: ${fortnight.plan.name}, ${
        Math.round(fortnight.seconds)
      } s, ${violations.length} violations`,
    );
    for (const violation of violations.slice(0, 20)) print(`    ${violation}`);
    lived.push(fortnight);
  }
  print(`\n${table(lived)}`);
  return lived.every((one) => violationsOf(one).length === 0) ? 0 : 1;
}

function parseOptions(args: readonly string[]) {
  const options = { seed: 0, seeds: 1, isSmall: false };
  for (let index = 0; index < args.length; index++) {
    const name = args[index];
    if (name === "--small") options.isSmall = true;
    else if (name === "--seed" || name === "--seeds") {
      const value = Number(args[++index]);
      if (!Number.isSafeInteger(value) || value < (name === "--seed" ? 0 : 1)) return null;
      options[name === "--seed" ? "seed" : "seeds"] = value;
    } else return null;
  }
  return options;
}
