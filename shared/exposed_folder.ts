/** Whether another user of this machine can put another folder in the place of one of ours. */
import { stat } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";

/** Root's files as a process in a user namespace sees them, when the namespace has no name for root. */
const UNNAMED_UID = 65_534;

/** A folder above ours, and who can rename what is in it. */
export interface ExposedBy {
  path: string;
  /** A user's id; null = everybody. */
  uid: number | null;
}

/**
 * Returns the nearest folder above `path` in which another user than root can rename or remove folders: everybody may
 * write there and it has no sticky bit, or it belongs to that user. The folder itself is not looked at, and may be missing;
 * null = there is none, as always on Windows.
 */
export async function findExposure(path: string): Promise<ExposedBy | null> {
  if (Deno.build.os === "windows") return null;
  // By its name and by what the name leads to: a link can be replaced as well.
  return await exposureAbove(resolve(path)) ?? await exposureAbove(await realPathOf(resolve(path)));
}

async function exposureAbove(path: string): Promise<ExposedBy | null> {
  for (let at = path; dirname(at) !== at;) {
    at = dirname(at);
    const found = await stat(at).catch(() => null);
    // What is still to be made is this user's, and what may not be looked at is none that others write in at will.
    if (found === null) continue;
    const isOurs = found.uid === 0 || found.uid === Deno.uid() || found.uid === UNNAMED_UID;
    if (!isOurs) return { path: at, uid: found.uid };
    if ((found.mode & 0o002) !== 0 && (found.mode & 0o1000) === 0) return { path: at, uid: null };
  }
  return null;
}

/** Of what is still to be made: where its nearest folder that is there leads. */
async function realPathOf(path: string): Promise<string> {
  if (dirname(path) === path) return path;
  return await Deno.realPath(path).catch(async () => join(await realPathOf(dirname(path)), basename(path)));
}
