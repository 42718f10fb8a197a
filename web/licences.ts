/** The licence texts that have to go with what browsers are given. */
import type { Metafile } from "esbuild";

/** The style sheet is made of these too, which the bundler does not see. */
const STYLES = ["node_modules/tailwindcss", "node_modules/daisyui"];

/**
 * One text of the licences of the packages in a bundle, each from its own licence file; paths are below `root`.
 *
 * @throws {Error} naming a package without one
 */
export async function licencesOf({ inputs }: Metafile, root: string): Promise<string> {
  const bundled = Object.keys(inputs).flatMap((path) =>
    /^.*node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(path) ?? []
  );
  const parts = [];
  for (const folder of [...new Set([...bundled, ...STYLES])].toSorted()) {
    const { name, version } = JSON.parse(await Deno.readTextFile(`${root}/${folder}/package.json`));
    parts.push(`${name} ${version}\n\n${await licenceText(`${root}/${folder}`)}`);
  }
  return `${parts.join(`\n\n${"=".repeat(78)}\n\n`)}\n`;
}

async function licenceText(folder: string): Promise<string> {
  for await (const { name, isFile } of Deno.readDir(folder)) {
    if (isFile && /^licen[cs]e/i.test(name)) return (await Deno.readTextFile(`${folder}/${name}`)).trim();
  }
  throw new Error(`Cannot build: "${folder}" has no licence file`);
}
