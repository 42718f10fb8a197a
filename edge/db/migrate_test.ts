import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { openTestDatabase } from "../testing/test_db.ts";
import { connectDatabase } from "./connect.ts";
import { migrateDatabase, readMigrations, type Schema } from "./migrate.ts";

const FIRST = {
  "0000_tables.sql": "CREATE TABLE a (x);--> statement-breakpoint\nCREATE TABLE b (x);\n",
  "0001_rules.sql": [
    "-- Two statements of its own; and a semicolon here.",
    "CREATE TRIGGER t AFTER INSERT ON a BEGIN INSERT INTO b VALUES (NEW.x); INSERT INTO b VALUES (NEW.x); END;",
    "--> statement-breakpoint",
    "INSERT INTO a VALUES (1);",
    "",
  ].join("\n"),
};

for (const remote of [false, true]) {
  const where = remote ? "a remote database" : "a file";

  Deno.test(`migrateDatabase() applies each migration once, in order, in ${where}`, async () => {
    await using database = await openTestDatabase({ remote, migrated: false });
    const migrations = await readFiles(FIRST);
    assert.deepEqual(await migrateDatabase(database.db, migrations), ["0000_tables", "0001_rules"]);
    assert.deepEqual(await migrateDatabase(database.db, migrations), []);
    const later = await readFiles({ ...FIRST, "0002_more.sql": "INSERT INTO a VALUES (2);" });
    assert.deepEqual(await migrateDatabase(database.db, later), ["0002_more"]);
    assert.deepEqual(await migrateDatabase(database.db, migrations), [], "an old instance may start again");
    const { rows } = await database.db.execute("SELECT x FROM b");
    assert.deepEqual(rows.map((row) => row.x), [1, 1, 2, 2]);
  });

  Deno.test(`migrateDatabase() lets four instances start at once on ${where}`, async () => {
    await using database = await openTestDatabase({ remote, migrated: false });
    const migrations = await readFiles(FIRST);
    const clients = await Promise.all(Array.from({ length: 4 }, () => connectDatabase(database.url)));
    const applied = await Promise.all(clients.map((client) => migrateDatabase(client, migrations)));
    assert.deepEqual(applied.flat(), ["0000_tables", "0001_rules"]);
    assert.equal((await database.db.execute("SELECT x FROM b")).rows.length, 2);
    for (const client of clients) client.close();
  });

  Deno.test(`migrateDatabase() leaves ${where} as it was when a statement fails`, async () => {
    await using database = await openTestDatabase({ remote, migrated: false });
    const broken = await readFiles({
      ...FIRST,
      "0002_more.sql": "INSERT INTO a VALUES (2); INSERT INTO c VALUES (2)",
    });
    await assert.rejects(migrateDatabase(database.db, broken), /^Error: Cannot apply migration 0002_more: /);
    assert.equal((await database.db.execute("SELECT name FROM sqlite_schema")).rows.length, 0);
    assert.equal((await migrateDatabase(database.db, await readFiles(FIRST))).length, 2);
  });
}

Deno.test("migrateDatabase() refuses an applied migration that has changed", async () => {
  await using database = await openTestDatabase({ migrated: false });
  await migrateDatabase(database.db, await readFiles(FIRST));
  const changed = await readFiles({ ...FIRST, "0000_tables.sql": `${FIRST["0000_tables.sql"]} ` });
  await assert.rejects(migrateDatabase(database.db, changed), {
    message: "Cannot migrate: 0000_tables has changed since it was applied; add a new migration instead",
  });
});

Deno.test("migrateDatabase() applies once a migration whose number is lower than an applied one", async () => {
  await using database = await openTestDatabase({ migrated: false });
  await migrateDatabase(
    database.db,
    await readFiles({ ...FIRST, "0004_later.sql": "CREATE TABLE later (x)" }),
  );
  const all = await readFiles({
    ...FIRST,
    "0003_beside.sql": "CREATE TABLE beside (x)",
    "0004_later.sql": "CREATE TABLE later (x)",
  });
  assert.deepEqual(await migrateDatabase(database.db, all), ["0003_beside"]);
  assert.deepEqual(await migrateDatabase(database.db, all), []);
});

Deno.test("migrateDatabase() lets three processes start at once on a file that is not there yet", async () => {
  await using database = await openTestDatabase({ migrated: false });
  database.db.close();
  const url = `file:${database.path}.new/shigur.db`;
  const folder = new URL("./", import.meta.url).href;
  const script = `
    const { connectDatabase } = await import("${folder}connect.ts");
    const { migrateDatabase, readSchema } = await import("${folder}migrate.ts");
    const db = await connectDatabase(Deno.args[0]);
    console.log(JSON.stringify(await migrateDatabase(db, await readSchema())));
    db.close();
  `;
  const outputs = await Promise.all(
    Array.from(
      { length: 3 },
      () => new Deno.Command(Deno.execPath(), { args: ["eval", script, url], stderr: "inherit" }).output(),
    ),
  );
  const applied = outputs.flatMap(({ stdout }) => JSON.parse(new TextDecoder().decode(stdout)));
  assert.deepEqual(applied, (await readMigrations()).map((migration) => migration.name));
});

Deno.test("readMigrations() reads Windows line ends like ours, and refuses an empty folder", async () => {
  const windows = Object.fromEntries(
    Object.entries(FIRST).map(([name, sql]) => [name, sql.replaceAll("\n", "\r\n")]),
  );
  assert.deepEqual(await readFiles(windows), await readFiles(FIRST));
  await assert.rejects(readFiles({ "notes.txt": "" }), /Cannot migrate: no NNNN_name.sql/);
});

/** Returns the migrations of these files, without rules. */
async function readFiles(files: Record<string, string>): Promise<Schema> {
  const folder = await mkdtemp(join(tmpdir(), "shigur-migrations-"));
  try {
    for (const [name, sql] of Object.entries(files)) await writeFile(join(folder, name), sql);
    return { migrations: await readMigrations(pathToFileURL(`${folder}/`)), rules: null };
  } finally {
    await rm(folder, { recursive: true });
  }
}
