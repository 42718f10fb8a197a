import type { Metafile } from "esbuild";
import { joinLicences, packageLicence } from "shared/licence_texts.ts";

/** Packages that contribute to the style sheet, which the bundler's metafile does not list. */
const STYLES = ["node_modules/tailwindcss", "node_modules/daisyui"];

/**
 * Returns the licences of a bundle's packages as one text, which ships with the bundle; paths are relative to
 * `root`.
 *
 * @throws {Error} like packageLicence()
 */
export async function licencesOf({ inputs }: Metafile, root: string): Promise<string> {
  const bundled = Object.keys(inputs).flatMap((path) =>
    /^.*node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(path) ?? []
  );
  const folders = [...new Set([...bundled, ...STYLES])].toSorted();
  return joinLicences(await Promise.all(folders.map((folder) => packageLicence(`${root}/${folder}`))));
}
