/** Installs the peers as npm packages in a temporary folder, separate from the product's packages. */
import { StormProcess } from "../storm/process.ts";

const OWN = new URL("./node/", import.meta.url).pathname;

export interface Scratch {
  /** Runs one script of `node/` there, with its options as JSON; returns its JSON line. */
  run<T>(script: string, options: unknown): Promise<T>;
  /** Starts a script that ends when its stdin closes. */
  start(script: string, options: unknown): StormProcess;
}

/**
 * Installs the packages that `node/package-lock.json` pins, including Node.
 *
 * @throws {Error} when npm fails
 */
export async function openScratch(stack: AsyncDisposableStack): Promise<Scratch> {
  const dir = await Deno.makeTempDir({ prefix: "shigur-peers-" });
  stack.defer(() => Deno.remove(dir, { recursive: true }));
  const ending = new AbortController();
  stack.defer(() => ending.abort());
  const { signal } = ending;
  for await (const { name } of Deno.readDir(OWN)) await Deno.copyFile(`${OWN}${name}`, `${dir}/${name}`);
  // Not `npm ci`: it requires an entry for every platform of every optional package.
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

/**
 * Returns a command's output.
 *
 * @throws {Error} when it fails
 */
export async function output(program: string, options: Deno.CommandOptions): Promise<string> {
  const { code, stdout } = await new Deno.Command(program, { stdin: "null", stderr: "inherit", ...options })
    .output();
  if (code !== 0) throw new Error(`${program} ${options.args?.[0] ?? ""} ended with ${code}`);
  return new TextDecoder().decode(stdout);
}
