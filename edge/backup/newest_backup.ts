import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { MANIFEST_FILE, manifestSchema } from "./manifest.ts";

/**
 * Folder names of finished backups, as makeBackup() gives them: an unfinished one has another form. Names sort by time.
 */
const FINISHED = /^\d{4}-\d\d-\d\dT[\d-]{8}\.\d{3}Z$/;

/** Returns when the newest backup under `folder` began, in ms; null = there is none, or it cannot be read. */
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
