import { findFiles, type TrackedFiles } from "./find_files.ts";
import { parsePatchFile, type PlantedFault } from "./patch_file.ts";

const here = new URL("./", import.meta.url).pathname;

/**
 * Returns the faults of this folder by name, with the present paths of their files.
 *
 * @throws {Error} that names each unreadable patch, and the reason
 */
export async function readFaults(files: TrackedFiles): Promise<PlantedFault[]> {
  const names = [...Deno.readDirSync(here)].map((entry) => entry.name)
    .filter((name) => name.endsWith(".patch")).sort();
  const read = await Promise.allSettled(
    names.map(async (name) => findFiles(parsePatchFile(name, await Deno.readTextFile(here + name)), files)),
  );
  const wrong = read.flatMap((one, index) =>
    one.status === "rejected" ? [`${names[index]}: ${one.reason.message}`] : []
  );
  if (wrong.length > 0) throw new Error(wrong.join("\n"));
  return read.flatMap((one) => one.status === "fulfilled" ? [one.value] : []);
}
