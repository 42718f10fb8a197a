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

/** Makes a folder in memory that is deleted after the tests of the calling file. */
export async function tempFolder(): Promise<string> {
  const folder = await Deno.makeTempDir({ dir: MEMORY_FOLDER, prefix: "shigur-agent-" });
  folders.push(folder);
  return folder;
}
