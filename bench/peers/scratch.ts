/** The peers as npm packages in a folder that is gone afterwards: nothing of them is the product's. */
import { StormProcess } from "../storm/process.ts";

const OWN = new URL("./node/", import.meta.url).pathname;

export interface Scratch {
  /** Runs one of the scripts of `node/` there, with its options as JSON; answers the line of JSON it says. */
  run<T>(script: string, options: unknown): Promise<T>;
  /** Starts one that ends when its stdin does. */
  start(script: string, options: unknown): StormProcess;
}

/** Installs what `node/package-lock.json` pins, a Node of its own among it. @throws {Error} when npm cannot */
export async function openScratch(stack: AsyncDisposableStack): Promise<Scratch> {
  const dir = await Deno.makeTempDir({ prefix: "shigur-peers-" });
  stack.defer(() => Deno.remove(dir, { recursive: true }));
  const ending = new AbortController();
  stack.defer(() => ending.abort());
  const { signal } = ending;
  for await (const { name } of Deno.readDir(OWN)) await Deno.copyFile(`${OWN}${name}`, `${dir}/${name}`);
  // Not `npm ci`, which wants an entry for every platform of every optional package.
  const install = ["install", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"];
  await output("npm", { args: install, cwd: dir, signal });
  const node = `${dir}/node_modules/node-linux-${Deno.build.arch === "aarch64" ? "arm64" : "x64"}/bin/node`;
  const command = (script: string, options: unknown): Deno.CommandOptions => ({
    args: [`${dir}/${script}`, JSON.stringify(options)],
    cwd: dir,
    stderr: "inherit",
    signal,
  });
  return {
    run: async (script, options) => JSON.parse(await output(node, command(script, options))),
    start: (script, options) => new StormProcess(node, command(script, options)),
  };
}

/** What a command says. @throws {Error} when it fails */
export async function output(program: string, options: Deno.CommandOptions): Promise<string> {
  const { code, stdout } = await new Deno.Command(program, { stdin: "null", stderr: "inherit", ...options })
    .output();
  if (code !== 0) throw new Error(`${program} ${options.args?.[0] ?? ""} ended with ${code}`);
  return new TextDecoder().decode(stdout);
}
