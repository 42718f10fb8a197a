import type { Client } from "@libsql/client/web";
import { existsSync } from "node:fs";
import { copyFile, mkdtemp, readdir, readFile, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import process from "node:process";
import { MEMORY_FOLDER } from "shared/testing/memory_folder.ts";
import { connectDatabase } from "../db/connect.ts";
import { migrateDatabase, readSchema } from "../db/migrate.ts";
import { type HranaServerOptions, startHranaServer } from "./hrana_server.ts";

export interface TestDatabase extends AsyncDisposable {
  db: Client;
  /** The URL for `connectDatabase()`, for a second client or another process. */
  url: string;
  /** Path of the SQLite file, even when it is served as a remote database. */
  path: string;
  close(): Promise<void>;
}

export interface TestDatabaseOptions extends Omit<HranaServerOptions, "path"> {
  /** True serves the file through the stand-in of hrana_server.ts; the other options are that server's. */
  remote?: boolean;
  /** False leaves the file empty; default true. */
  migrated?: boolean;
  /** A database file to copy, in place of one that was only migrated. */
  copyOf?: string;
  /** Parent of its folder; default MEMORY_FOLDER; DISK for a process that Deno restricts. */
  under?: string;
}

/**
 * Opens a fresh, migrated database in its own file, deleted after `close()` (or `await using`). Migrations run once
 * per process and each test gets a copy, in a few milliseconds.
 */
export async function openTestDatabase(options: TestDatabaseOptions = {}): Promise<TestDatabase> {
  const folder = await mkdtemp(join(options.under ?? MEMORY_FOLDER, "shigur-db-"));
  const path = join(folder, "test.db");
  if (options.migrated ?? true) await copyFile(options.copyOf ?? await template(), path);
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
  return made ??= findTemplate();
}

/**
 * Test files that run in parallel are threads of one process. Without this, each would take a fifth of a second to
 * make its own.
 */
async function findTemplate(): Promise<string> {
  const path = join(MEMORY_FOLDER, `shigur-template-${await nameOfProcess()}.db`);
  if (existsSync(path)) return path;
  await removeLeftTemplates();
  const fresh = `${path}.${crypto.randomUUID()}`;
  const db = await connectDatabase(`file:${fresh}`);
  await migrateDatabase(db, await readSchema());
  // The last connection to close folds the write-ahead log into the file.
  db.close();
  await rename(fresh, path);
  return path;
}

/** Another process may later have the same id, and other migrations. */
async function nameOfProcess(): Promise<string> {
  const stat = await readFile("/proc/self/stat", "utf8").catch(() => null);
  // Skips the name of the program, which may hold spaces; the 22nd value is the start of the process.
  const started = stat?.slice(stat.lastIndexOf(")") + 2).split(" ")[19] ?? crypto.randomUUID();
  return `${process.pid}-${started}`;
}

/** No thread can tell that it is the last user of the template in its process. */
async function removeLeftTemplates(): Promise<void> {
  for (const name of await readdir(MEMORY_FOLDER)) {
    const owner = /^shigur-template-(\d+)-.*\.db/.exec(name)?.[1];
    if (owner !== undefined && !isRunning(Number(owner))) {
      await rm(join(MEMORY_FOLDER, name), { force: true });
    }
  }
}

function isRunning(id: number): boolean {
  try {
    return process.kill(id, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
