/** Collects the licences of the shipped packages from the packages' own licence files. */

/**
 * Returns the name and version of the package in `folder` with the text of its licence.
 *
 * @throws {Error} when it has no licence file
 */
export async function packageLicence(folder: string): Promise<string> {
  const { name, version } = JSON.parse(await Deno.readTextFile(`${folder}/package.json`));
  for await (const entry of Deno.readDir(folder)) {
    if (!entry.isFile || !/^(licen[cs]e|copying)/i.test(entry.name)) continue;
    return `${name} ${version}\n\n${(await Deno.readTextFile(`${folder}/${entry.name}`)).trim()}`;
  }
  throw new Error(`Cannot ship "${folder}": it has no licence file`);
}

/** Returns several licences as one text. */
export function joinLicences(licences: readonly string[]): string {
  return `${licences.join(`\n\n${"=".repeat(78)}\n\n`)}\n`;
}
