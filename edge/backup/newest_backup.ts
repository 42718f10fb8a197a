import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { MANIFEST_FILE, manifestSchema } from "./manifest.ts";

/** As makeBackup() names folders: those it has not finished have a name of their own, and names sort by time. */
const FINISHED = /^\d{4}-\d\d-\d\dT[\d-]{8}\.\d{3}Z$/;

/** Returns when the newest backup under `folder` was begun, in ms; null = there is none, or it can't be read. */
export async function readNewestBackup(folder: string): Promise<number | null> {
  try {
    const newest = (await readdir(folder)).filter((name) => FINISHED.test(name)).sort().at(-1);
    if (newest === undefined) return null;
    const manifest = JSON.parse(await readFile(join(folder, newest, MANIFEST_FILE), "utf8"));
    return Date.parse(manifestSchema.parse(manifest).madeAt);
  } catch {
    return null;
  }
}
