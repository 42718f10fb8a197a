/**
 * Chooses the folder for files that tests sync on each write: on a disk they would spend most of their time
 * waiting.
 */
import { statfsSync } from "node:fs";
import { tmpdir } from "node:os";

/** The system's place for temporary files. */
export const DISK = tmpdir();
const MEMORY = "/dev/shm";
/** Several times the total size of all tests' files; a container may offer only 64 MB. */
const LEAST_BYTES = 2 * 1024 ** 3;

/**
 * A folder in memory when it has enough room, else on disk. Deno hides it from processes with restricted
 * permissions.
 */
export const MEMORY_FOLDER = hasRoom(MEMORY) ? MEMORY : DISK;

function hasRoom(folder: string): boolean {
  try {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize >= LEAST_BYTES;
  } catch {
    // The folder does not exist.
    return false;
  }
}
