/** Finds folders that another user of this machine could replace. */
import { stat } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";

/** Owner id of root's files seen from a user namespace that has no mapping for root. */
const UNNAMED_UID = 65_534;

/** A parent folder, and the user who can rename its entries. */
export interface ExposedBy {
  path: string;
  /** A user's id; null means all users. */
  uid: number | null;
}

/**
 * Returns the nearest parent folder of `path` in which a user other than root can rename or remove folders: it is
 * writable for all and has no sticky bit, or it belongs to that user. The folder at `path` is not examined and may
 * be missing. Returns null when there is none, and always on Windows.
 */
export async function findExposure(path: string): Promise<ExposedBy | null> {
  if (Deno.build.os === "windows") return null;
  // Check both the name and its target: a symbolic link can be replaced as well.
  return await exposureAbove(resolve(path)) ?? await exposureAbove(await realPathOf(resolve(path)));
}

async function exposureAbove(path: string): Promise<ExposedBy | null> {
  for (let at = path; dirname(at) !== at;) {
    at = dirname(at);
    const found = await stat(at).catch(() => null);
    // Missing folders will belong to this user, and unreadable ones are not writable for all.
    if (found === null) continue;
    const isOurs = found.uid === 0 || found.uid === Deno.uid() || found.uid === UNNAMED_UID;
    if (!isOurs) return { path: at, uid: found.uid };
    if ((found.mode & 0o002) !== 0 && (found.mode & 0o1000) === 0) return { path: at, uid: null };
  }
  return null;
}

/** Resolves links in the nearest existing parent of a path that does not exist yet. */
async function realPathOf(path: string): Promise<string> {
  if (dirname(path) === path) return path;
  return await Deno.realPath(path).catch(async () => join(await realPathOf(dirname(path)), basename(path)));
}
