import type { Client } from "@libsql/client/web";
import { mkdir, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { isUnderForeignLog, markFile } from "./file_mark.ts";
import { LocalClient } from "./local_client.ts";
import { openRemote } from "./remote_client.ts";

/** The URL names no database: another try fails in the same way. */
export class DatabaseUrlError extends TypeError {
  override readonly name = "DatabaseUrlError";
}

const REMOTE = /^(libsql|https?|wss?):/;

/**
 * Opens the database at `url`. `file:path` is a SQLite file, created with its folder when it is missing. `libsql:`,
 * `https:`, `http:`, `wss:` and `ws:` are remote and use `authToken`.
 *
 * @throws DatabaseUrlError for any other URL; Error when the file cannot be opened. A remote database is contacted at
 * its first use only.
 */
export async function connectDatabase(url: string, authToken?: string): Promise<Client> {
  if (REMOTE.test(url)) return openRemote(url, authToken);
  const path = pathOf(url);
  try {
    await mkdir(dirname(path), { recursive: true });
    return new LocalClient(path);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(`Cannot open the database file "${path}": ${reason}`, { cause: error });
  }
}

/**
 * Opens a database like connectDatabase(), but never creates a file. Gives a file a new mark.
 *
 * @throws Error also when the file does not exist, or is older than its log
 */
export async function connectExisting(url: string, authToken?: string): Promise<Client> {
  const path = filePathOf(url);
  const isThere = path === null || await stat(path).then(() => true, () => false);
  if (!isThere) throw new Error(`There is no database at ${path}. Set DATA_DIR to its folder.`);
  if (path !== null) {
    // Opening makes one file of both, and then nothing shows the difference.
    if (await isUnderForeignLog(path)) {
      throw new Error(`${path} is older than its log ${path}-wal. Start the edge to see what to do.`);
    }
    await markFile(path);
  }
  return await connectDatabase(url, authToken);
}

/** Returns the path of a database file, or null for a remote database. @throws DatabaseUrlError for any other URL */
export function filePathOf(url: string): string | null {
  return REMOTE.test(url) ? null : pathOf(url);
}

/** Returns the path in a `file:` URL. Unlike in RFC 8089 it may be relative: `file:.data/shigur.db`. */
function pathOf(url: string): string {
  const match = /^file:(?:\/\/(?:localhost)?(?=\/))?([^?#]+)$/.exec(url);
  const path = match && decodeURIComponent(match[1]);
  if (!path || path.startsWith("//") || path.startsWith(":memory:")) {
    throw new DatabaseUrlError(
      `Cannot use ${
        JSON.stringify(withoutSecrets(url))
      } as a database: give "file:path/to/file.db", or a URL ` +
        `that starts with libsql:, https:, http:, wss: or ws:`,
    );
  }
  return path;
}

function withoutSecrets(url: string): string {
  return url.replace(/\?.*$/s, "").replace(/\/\/[^/]*@/, "//");
}
