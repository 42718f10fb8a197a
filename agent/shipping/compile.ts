/**
 * `deno task agent:compile` makes the agent one executable. Deno downloads its run-only half, `denort`, once from the
 * internet. Without internet, `deno task agent:pack` makes an archive that does not need it.
 */
import config from "../../deno.json" with { type: "json" };
import { bundleAgent } from "./bundle.ts";
import { licencesOf } from "./licences.ts";

const root = new URL("../../", import.meta.url).pathname;
/** The flags of `deno task agent`. */
const FLAGS = config.tasks.agent.split(" ").filter((word) => /^--(allow|v8-flags)/.test(word));

const NO_DOWNLOAD =
  "Cannot compile: denort could not be downloaded from dl.deno.land. Run this again with internet access; without it, " +
  "deno task agent:pack makes an archive that needs no download.";

Deno.exit(await main(Deno.args));

async function main(args: string[]): Promise<number> {
  const outDir = `${root}agent/dist`;
  const bundle = `${outDir}/agent.js`;
  await Deno.mkdir(outDir, { recursive: true });
  const packages = await bundleAgent(bundle);
  await Deno.writeTextFile(`${outDir}/LICENCES.txt`, await licencesOf(packages));
  print("Compiling; the first time, Deno downloads denort (about 40 MB) from dl.deno.land.");
  const { code, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["compile", "-q", "--no-config", ...FLAGS, ...args, "-o", `${outDir}/shigur-agent`, bundle],
    // Without a network, Deno would print its innermost error only, and no remedy.
    stderr: "piped",
    stdout: "inherit",
  }).output();
  if (code === 0) {
    print(`${outDir}/shigur-agent`);
    return 0;
  }
  const errors = new TextDecoder().decode(stderr).trim();
  const isDownload = /denort|dl\.deno\.land/.test(errors);
  print(isDownload ? NO_DOWNLOAD : errors);
  return 1;
}

function print(line: string): void {
  Deno.stderr.writeSync(new TextEncoder().encode(`${line}\n`));
}
