/** Where tests keep files that are synced to the disk with each write: they would wait for it most of their time. */
import { statfsSync } from "node:fs";
import { tmpdir } from "node:os";

/** The system's place for temporary files. */
export const DISK = tmpdir();
const MEMORY = "/dev/shm";
/** Several times what all tests have at once; a container may give as little as 64 MB. */
const LEAST_BYTES = 2 * 1024 ** 3;

/** Memory where there is enough of it, else the disk. Deno shows it to no process that it restricts. */
export const MEMORY_FOLDER = hasRoom(MEMORY) ? MEMORY : DISK;

function hasRoom(folder: string): boolean {
  try {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize >= LEAST_BYTES;
  } catch {
    // There is no such folder.
    return false;
  }
}
