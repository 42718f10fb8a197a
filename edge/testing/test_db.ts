import type { Client } from "@libsql/client/web";
import { copyFile, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connectDatabase } from "../db/connect.ts";
import { migrateDatabase, readMigrations } from "../db/migrate.ts";

export interface TestDatabase extends AsyncDisposable {
  db: Client;
  /** Of the file, for a second client or another process. */
  url: string;
  path: string;
  close(): Promise<void>;
}

/**
 * A fresh, migrated database in a file of its own, gone after `close()` (or `await using`). Migrations run once a
 * process; each test gets a copy.
 */
export async function openTestDatabase(): Promise<TestDatabase> {
  const folder = await mkdtemp(join(tmpdir(), "shigur-db-"));
  const path = join(folder, "test.db");
  await copyFile(await template(), path);
  const url = `file:${path}`;
  const db = await connectDatabase(url);
  async function close() {
    db.close();
    await rm(folder, { recursive: true, force: true });
  }
  return { db, url, path, close, [Symbol.asyncDispose]: close };
}

let made: Promise<string> | undefined;

function template(): Promise<string> {
  return made ??= makeTemplate();
}

async function makeTemplate(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "shigur-template-"));
  globalThis.addEventListener("unload", () => Deno.removeSync(folder, { recursive: true }));
  const path = join(folder, "template.db");
  const db = await connectDatabase(`file:${path}`);
  await migrateDatabase(db, await readMigrations());
  // The last connection to close folds the write-ahead log into the file.
  db.close();
  return path;
}
