import { MEMORY_FOLDER } from "shared/testing/memory_folder.ts";

const folders: string[] = [];

globalThis.addEventListener("unload", () => {
  for (const folder of folders) {
    try {
      Deno.removeSync(folder, { recursive: true });
    } catch {
      // Something that ends with the process still writes there: no test's failure.
    }
  }
});

/** Makes a folder that is gone when the tests of the asking file are over; by default in memory. */
export async function tempFolder(under = MEMORY_FOLDER): Promise<string> {
  const folder = await Deno.makeTempDir({ dir: under, prefix: "shigur-agent-" });
  folders.push(folder);
  return folder;
}
