import { joinLicences, packageLicence } from "shared/licence_texts.ts";

/** Returns one text with the licences of the runtime and of the bundled packages. Throws as packageLicence() does. */
export async function licencesOf(packageFolders: readonly string[]): Promise<string> {
  return joinLicences([
    await ofRuntime(),
    ...await Promise.all(packageFolders.toSorted().map(packageLicence)),
  ]);
}

async function ofRuntime(): Promise<string> {
  const text = await Deno.readTextFile(new URL("files/deno_licence.txt", import.meta.url));
  return `Deno ${Deno.version.deno}, with V8 and other parts whose notices are at https://github.com/denoland/deno\n\n` +
    text.trim();
}
