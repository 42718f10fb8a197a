import type { Client } from "@libsql/client/web";
import { copyFile, mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import { MEMORY_FOLDER } from "shared/testing/memory_folder.ts";
import { connectDatabase } from "../db/connect.ts";
import { migrateDatabase, readSchema } from "../db/migrate.ts";
import { type HranaServerOptions, startHranaServer } from "./hrana_server.ts";

export interface TestDatabase extends AsyncDisposable {
  db: Client;
  /** What `connectDatabase()` takes, for a second client or another process. */
  url: string;
  /** Of the SQLite file, also when it is served as a remote database. */
  path: string;
  close(): Promise<void>;
}

export interface TestDatabaseOptions extends Omit<HranaServerOptions, "path"> {
  /** True serves the file through the stand-in of hrana_server.ts; the other options are that server's. */
  remote?: boolean;
  /** False leaves the file empty; default true. */
  migrated?: boolean;
  /** Where its folder is made; default MEMORY_FOLDER; DISK for a process that Deno restricts. */
  under?: string;
}

/**
 * A fresh, migrated database in a file of its own, gone after `close()` (or `await using`). Migrations run once a
 * process and each test gets a copy, in a few milliseconds.
 */
export async function openTestDatabase(options: TestDatabaseOptions = {}): Promise<TestDatabase> {
  const folder = await mkdtemp(join(options.under ?? MEMORY_FOLDER, "shigur-db-"));
  const path = join(folder, "test.db");
  if (options.migrated ?? true) await copyFile(await template(), path);
  const server = options.remote ? startHranaServer({ ...options, path }) : undefined;
  const url = server?.url ?? `file:${path}`;
  const db = await connectDatabase(url, options.authToken);
  async function close() {
    db.close();
    await server?.close();
    await rm(folder, { recursive: true, force: true });
  }
  return { db, url, path, close, [Symbol.asyncDispose]: close };
}

let made: Promise<string> | undefined;

function template(): Promise<string> {
  return made ??= makeTemplate();
}

async function makeTemplate(): Promise<string> {
  const folder = await mkdtemp(join(MEMORY_FOLDER, "shigur-template-"));
  globalThis.addEventListener("unload", () => Deno.removeSync(folder, { recursive: true }));
  const path = join(folder, "template.db");
  const db = await connectDatabase(`file:${path}`);
  await migrateDatabase(db, await readSchema());
  // The last connection to close folds the write-ahead log into the file.
  db.close();
  return path;
}
