import type { Client, ResultSet } from "@libsql/client/web";
import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";

export interface Migration {
  /** File name without ".sql"; the order of names is the order of migrations. */
  name: string;
  statements: string[];
  /** SHA-256 of the file in hexadecimal, its line ends as LF. */
  sha256: string;
}

/** A migration is not what was applied under its name: this release is not the one that made the database. */
export class ChangedMigrationError extends Error {
  override readonly name = "ChangedMigrationError";
}

const FILE_NAME = /^(\d{4}_[a-z0-9_]+)\.sql$/;
/** Triggers hold semicolons, so a file is divided by this mark of drizzle-kit and never by them. */
const BREAKPOINT = "--> statement-breakpoint";
const LIST_APPLIED = "SELECT name, sha256 FROM schema_migrations ORDER BY name";

/** Reads the migrations of a folder in order. @throws Error when the folder holds none. */
export async function readMigrations(
  folder: URL = new URL("./migrations/", import.meta.url),
): Promise<Migration[]> {
  const names = (await readdir(folder)).flatMap((file) => FILE_NAME.exec(file)?.[1] ?? []).sort();
  if (names.length === 0) throw new Error(`Cannot migrate: no NNNN_name.sql in "${folder.pathname}"`);
  return await Promise.all(names.map(async (name) => {
    const text = (await readFile(new URL(`${name}.sql`, folder), "utf8")).replaceAll("\r\n", "\n");
    return {
      name,
      statements: text.split(BREAKPOINT).map((part) => part.trim()).filter((part) => part !== ""),
      sha256: createHash("sha256").update(text).digest("hex"),
    };
  }));
}

/**
 * Brings the database up to the last of `migrations` and returns the names it applied. Several instances may call
 * it at once: the write transaction is taken before anything is decided, and all is committed together or not at
 * all. Migrations of a newer release than ours are left alone, so that an old instance can restart meanwhile. One
 * that was written beside others may come to a database after a later number: it is applied all the same.
 *
 * @throws ChangedMigrationError when an applied migration has changed since.
 */
export async function migrateDatabase(client: Client, migrations: Migration[]): Promise<string[]> {
  // The usual start finds nothing to do and takes no lock.
  if (await isUpToDate(client, migrations)) return [];
  const transaction = await client.transaction("write");
  try {
    const [, applied] = await transaction.batch([
      "CREATE TABLE IF NOT EXISTS schema_migrations (name TEXT PRIMARY KEY, sha256 TEXT NOT NULL)",
      LIST_APPLIED,
    ]);
    const pending = listPending(migrations, applied);
    for (const { name, statements, sha256 } of pending) {
      await transaction.batch([
        ...statements,
        { sql: "INSERT INTO schema_migrations (name, sha256) VALUES (?, ?)", args: [name, sha256] },
      ]).catch((error) => {
        throw new Error(`Cannot apply migration ${name}: ${error.message}`, { cause: error });
      });
    }
    await transaction.commit();
    return pending.map((migration) => migration.name);
  } finally {
    transaction.close();
  }
}

/** Whether every one of `migrations` was applied. @throws ChangedMigrationError, or what the database throws */
export async function isUpToDate(client: Client, migrations: Migration[]): Promise<boolean> {
  const { rows } = await client.execute("SELECT 1 FROM sqlite_schema WHERE name = 'schema_migrations'");
  return rows.length > 0 && listPending(migrations, await client.execute(LIST_APPLIED)).length === 0;
}

function listPending(migrations: Migration[], applied: ResultSet): Migration[] {
  const appliedHash = new Map(applied.rows.map((row) => [String(row.name), row.sha256]));
  for (const { name, sha256 } of migrations) {
    if (appliedHash.has(name) && appliedHash.get(name) !== sha256) {
      throw new ChangedMigrationError(
        `Cannot migrate: ${name} has changed since it was applied; add a new migration instead`,
      );
    }
  }
  return migrations.filter((migration) => !appliedHash.has(migration.name));
}
