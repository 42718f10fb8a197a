/**
 * Binds a database file to the log beside it. When a file is taken into use, its header gets a new random word, and a
 * file beside it stores the same word. An older copy of the file has an older word: SQLite itself would read it
 * together with the newer log.
 */
import type { Client } from "@libsql/client/web";
import { readFile, realpath, rename } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { z } from "zod";
import { sleep } from "../time/sleep.ts";
import { hasLogBeside, readHeader } from "./file_header.ts";
import { syncFile, syncFolder } from "./sync_file.ts";
import { SqliteConnection } from "./sqlite_connection.ts";
import { isBusy } from "./sqlite_error.ts";

/** Offset of `user_version` in the header, SQLite's field for a program's own number. */
const USER_VERSION_AT = 60;
/** Another starting process, or a command, has the file open for a moment. */
const TRIES = 20;
const TRY_MS = 100;

const wordsSchema = z.array(z.int()).min(1).max(2);

/**
 * Returns whether the file's word differs from those stored beside it, and a log exists, which then belongs to
 * another file.
 */
export async function isUnderForeignLog(path: string): Promise<boolean> {
  if (!await hasLogBeside(path)) return false;
  const place = await placeOf(path);
  for (let words = await readWords(place);;) {
    const header = await readHeader(path);
    if (words === null || header === null || words.includes(header.getInt32(USER_VERSION_AT))) return false;
    const again = await readWords(place);
    // Otherwise a starting edge has given the file a new word meanwhile.
    if (String(again) === String(words)) return true;
    words = again;
  }
}

/**
 * Gives the file a new word, after its log is folded into it. Does nothing to a file that another process uses: the
 * log belongs to the word under which it was started. No client in this process may have the file open.
 */
export async function markFile(path: string): Promise<void> {
  const place = await placeOf(path);
  for (let tries = 1; tries <= TRIES; tries++) {
    if (await tryMark(path, place) || await hasLogBeside(path)) return;
    await sleep(TRY_MS);
  }
}

/**
 * Works as markFile() does, for a file that `client` has open. Closing it folds the log: call this after all
 * refusals.
 */
export async function markOpenFile(client: Client, path: string | null): Promise<void> {
  if (path === null) return;
  client.close();
  await markFile(path);
  client.reconnect();
}

/** Returns false when another process has the file open. */
async function tryMark(path: string, place: string): Promise<boolean> {
  const connection = new SqliteConnection(path, { readOnly: false });
  try {
    // Keeps all other processes out until the close, even while the words beside the file are written.
    connection.execute("PRAGMA locking_mode = EXCLUSIVE");
    // Without a log the word is written to the file itself.
    connection.execute("PRAGMA journal_mode = DELETE");
    connection.execute("BEGIN EXCLUSIVE");
    const before = Number(connection.execute("PRAGMA user_version").rows[0]!.user_version);
    const word = newWord();
    // Stores both words: if the process is killed after this, the file has one of the two.
    await writeWords(place, [before, word]);
    connection.execute(`PRAGMA user_version = ${word}`);
    connection.execute("COMMIT");
    await writeWords(place, [word]);
    return true;
  } catch (error) {
    if (isBusy(error)) return false;
    throw error;
  } finally {
    connection.close();
  }
}

function newWord(): number {
  return crypto.getRandomValues(new Int32Array(1))[0]!;
}

async function placeOf(path: string): Promise<string> {
  const file = await realpath(path);
  // The name does not start as SQLite's own do: copying `shigur.db*` back must not bring an older word.
  return join(dirname(file), `mark_of_${basename(file)}`);
}

/** Returns null when there are no readable words. */
async function readWords(place: string): Promise<number[] | null> {
  try {
    return wordsSchema.parse(JSON.parse(await readFile(place, "utf8")));
  } catch {
    return null;
  }
}

async function writeWords(place: string, words: number[]): Promise<void> {
  const draft = `${place}.new`;
  await Deno.writeTextFile(draft, JSON.stringify(words), { mode: 0o600 });
  await syncFile(draft);
  await rename(draft, place);
  await syncFolder(dirname(place));
}
