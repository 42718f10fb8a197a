/** The licence texts that have to go with what ships. */

/**
 * One text of the runtime's licence and those of the bundled packages, each from its own licence file.
 *
 * @throws {Error} naming a package without one
 */
export async function licencesOf(packageFolders: readonly string[]): Promise<string> {
  const parts = [await ofRuntime()];
  for (const folder of packageFolders.toSorted()) {
    const { name, version } = JSON.parse(await Deno.readTextFile(`${folder}/package.json`));
    parts.push(`${name} ${version}\n\n${await licenceText(folder)}`);
  }
  return `${parts.join(`\n\n${"=".repeat(78)}\n\n`)}\n`;
}

async function ofRuntime(): Promise<string> {
  const text = await Deno.readTextFile(new URL("files/deno_licence.txt", import.meta.url));
  return `Deno ${Deno.version.deno}, with V8 and other parts whose notices are at https://github.com/denoland/deno\n\n` +
    text.trim();
}

async function licenceText(folder: string): Promise<string> {
  for await (const { name, isFile } of Deno.readDir(folder)) {
    if (isFile && /^(licen[cs]e|copying)/i.test(name)) {
      return (await Deno.readTextFile(`${folder}/${name}`)).trim();
    }
  }
  throw new Error(`Cannot pack: "${folder}" has no licence file`);
}
