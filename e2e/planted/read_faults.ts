import { parsePatchFile, type PlantedFault } from "./patch_file.ts";

const here = new URL("./", import.meta.url).pathname;

/** The faults of this folder, by name. @throws Error that names a file that cannot be read */
export async function readFaults(): Promise<PlantedFault[]> {
  const names = [...Deno.readDirSync(here)].map((entry) => entry.name).filter((name) =>
    name.endsWith(".patch")
  );
  return await Promise.all(
    names.sort().map(async (name) => parsePatchFile(name, await Deno.readTextFile(here + name))),
  );
}
