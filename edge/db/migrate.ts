import type { Client, Row, Transaction } from "@libsql/client/web";
import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { LAST_WITH_TRIGGERS, readRules, type Rules } from "./rules.ts";

export interface Migration {
  /** File name without ".sql"; the order of names is the order of migrations. */
  name: string;
  statements: string[];
  /** SHA-256 of the file in hexadecimal, with LF line ends. */
  sha256: string;
}

/** The migrations and rules that a release gives a database. */
export interface Schema {
  /** In the order of their names. */
  migrations: Migration[];
  /** null = migrations only, as in releases before the rules. */
  rules: Rules | null;
}

/** An applied migration differs from the file of the same name: another release made the database. */
export class ChangedMigrationError extends Error {
  override readonly name = "ChangedMigrationError";
}

const FILE_NAME = /^(\d{4}_[a-z0-9_]+)\.sql$/;
/** Separates statements, as drizzle-kit does. Semicolons cannot: triggers contain them. */
const BREAKPOINT = "--> statement-breakpoint";
const LIST_APPLIED = "SELECT name, sha256 FROM schema_migrations ORDER BY name";
const LIST_OWN_TABLES = "SELECT name FROM sqlite_schema WHERE name IN ('schema_migrations', 'system')";
const LIST_TRIGGERS = "SELECT name FROM sqlite_schema WHERE type = 'trigger'";
const RULES_KEY = "rules_version";
const READ_VERSION = `SELECT CAST(value AS INTEGER) AS version FROM system WHERE key = '${RULES_KEY}'`;
const SET_VERSION = `INSERT INTO system (key, value) VALUES ('${RULES_KEY}', ?)
  ON CONFLICT (key) DO UPDATE SET value = excluded.value`;

/** Reads the migrations and rules of this release. */
export async function readSchema(): Promise<Schema> {
  return { migrations: await readMigrations(), rules: await readRules() };
}

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
 * Applies the migrations of a release that are missing, and its rules. Returns the names of the migrations that it
 * applied.
 *
 * Several instances may call it at once: it takes the write transaction before it decides, and commits all or
 * nothing. It leaves migrations and rules of a newer release alone, so that an older instance can restart meanwhile.
 * A missing migration is applied even when a later number is already there: two may have been written in parallel.
 *
 * @throws ChangedMigrationError when an applied migration has changed since.
 */
export async function migrateDatabase(client: Client, schema: Schema): Promise<string[]> {
  // Usually nothing is due, and no lock is taken.
  if (await isUpToDate(client, schema)) return [];
  const transaction = await client.transaction("write");
  try {
    await transaction.execute(
      "CREATE TABLE IF NOT EXISTS schema_migrations (name TEXT PRIMARY KEY, sha256 TEXT NOT NULL)",
    );
    const { pending, areRulesDue } = await readDue(transaction, schema);
    if (schema.rules !== null && areRulesDue) {
      await applyAll(transaction, pending.filter(({ name }) => name <= LAST_WITH_TRIGGERS));
      await dropTriggers(transaction);
      await applyAll(transaction, pending.filter(({ name }) => name > LAST_WITH_TRIGGERS));
      await transaction.batch([
        ...schema.rules.statements,
        { sql: SET_VERSION, args: [String(schema.rules.version)] },
      ]);
    } else {
      await applyAll(transaction, pending);
    }
    await transaction.commit();
    return pending.map((migration) => migration.name);
  } finally {
    transaction.close();
  }
}

/**
 * Returns whether the database has every migration of `schema`, and its rules or newer ones.
 *
 * @throws ChangedMigrationError, or what the database throws
 */
export async function isUpToDate(client: Client, schema: Schema): Promise<boolean> {
  const { pending, areRulesDue } = await readDue(client, schema);
  return pending.length === 0 && !areRulesDue;
}

async function readDue(db: Pick<Client, "execute">, { migrations, rules }: Schema) {
  const { rows } = await db.execute(LIST_OWN_TABLES);
  const tables = rows.map(({ name }) => name);
  const applied = tables.includes("schema_migrations") ? (await db.execute(LIST_APPLIED)).rows : [];
  const [kept] = tables.includes("system") ? (await db.execute(READ_VERSION)).rows : [];
  return {
    pending: listPending(migrations, applied),
    areRulesDue: rules !== null && Number(kept?.version ?? 0) < rules.version,
  };
}

async function applyAll(transaction: Transaction, migrations: Migration[]): Promise<void> {
  for (const { name, statements, sha256 } of migrations) {
    await transaction.batch([
      ...statements,
      { sql: "INSERT INTO schema_migrations (name, sha256) VALUES (?, ?)", args: [name, sha256] },
    ]).catch((error) => {
      throw new Error(`Cannot apply migration ${name}: ${error.message}`, { cause: error });
    });
  }
}

async function dropTriggers(transaction: Transaction): Promise<void> {
  const { rows } = await transaction.execute(LIST_TRIGGERS);
  await transaction.batch(rows.map(({ name }) => `DROP TRIGGER "${name}"`));
}

function listPending(migrations: Migration[], applied: Row[]): Migration[] {
  const appliedHash = new Map(applied.map((row) => [String(row.name), row.sha256]));
  for (const { name, sha256 } of migrations) {
    if (appliedHash.has(name) && appliedHash.get(name) !== sha256) {
      throw new ChangedMigrationError(
        `Cannot migrate: ${name} has changed since it was applied; add a new migration instead`,
      );
    }
  }
  return migrations.filter((migration) => !appliedHash.has(migration.name));
}
