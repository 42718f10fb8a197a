import { MEMORY_FOLDER } from "shared/testing/memory_folder.ts";

const folders: string[] = [];

globalThis.addEventListener("unload", () => {
  for (const folder of folders) {
    try {
      Deno.removeSync(folder, { recursive: true });
    } catch {
      // A program that ends with the process still writes there: this is no failure of the test.
    }
  }
});

/** Makes a folder that is deleted after the tests of the calling file. By default it is in memory. */
export async function tempFolder(under = MEMORY_FOLDER): Promise<string> {
  const folder = await Deno.makeTempDir({ dir: under, prefix: "shigur-agent-" });
  folders.push(folder);
  return folder;
}
