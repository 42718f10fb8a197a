import type { Metafile } from "esbuild";
import { joinLicences, packageLicence } from "shared/licence_texts.ts";

/** The style sheet is made of these too, which the bundler does not see. */
const STYLES = ["node_modules/tailwindcss", "node_modules/daisyui"];

/**
 * One text of the licences of the packages in a bundle, which browsers are given with it; paths are below `root`.
 * Throws what packageLicence() throws.
 */
export async function licencesOf({ inputs }: Metafile, root: string): Promise<string> {
  const bundled = Object.keys(inputs).flatMap((path) =>
    /^.*node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(path) ?? []
  );
  const folders = [...new Set([...bundled, ...STYLES])].toSorted();
  return joinLicences(await Promise.all(folders.map((folder) => packageLicence(`${root}/${folder}`))));
}
