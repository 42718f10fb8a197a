/** The licences that go with what ships, each from the package's own licence file. */

/**
 * The name and version of the package in `folder`, and the text of its licence.
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

/** One text of several licences. */
export function joinLicences(licences: readonly string[]): string {
  return `${licences.join(`\n\n${"=".repeat(78)}\n\n`)}\n`;
}
