/** A database file's own header and the log beside it, read from the disk: SQLite would read both together. */
import { open, realpath, stat } from "node:fs/promises";

// https://www.sqlite.org/fileformat.html#the_database_header
const HEADER_BYTES = 100;
const MAGIC = "SQLite format 3\0";

/**
 * Returns the file's header, or null when it is no SQLite database. Closing it drops this process's locks on the
 * file.
 */
export async function readHeader(path: string): Promise<DataView | null> {
  const file = await open(path);
  try {
    const bytes = new Uint8Array(HEADER_BYTES);
    const { bytesRead } = await file.read(bytes, 0, HEADER_BYTES, 0);
    const magic = new TextDecoder().decode(bytes.subarray(0, MAGIC.length));
    return bytesRead === HEADER_BYTES && magic === MAGIC ? new DataView(bytes.buffer) : null;
  } finally {
    await file.close();
  }
}

/** Returns the log's path. SQLite keeps the log beside the file itself, not beside a link to it. */
export async function hasLogBeside(path: string): Promise<boolean> {
  const file = await realpath(path);
  return await stat(`${file}-wal`).then(({ size }) => size > 0, () => false);
}
