import assert from "node:assert/strict";
import { readSchema } from "../db/migrate.ts";
import { sleep } from "../time/sleep.ts";
import { openTestDatabase } from "../testing/test_db.ts";
import { createReadiness, READINESS_KEPT_MS } from "./readiness.ts";
import { timeClient } from "./timed_client.ts";

Deno.test("createReadiness() asks the database once in half a second, for any number of callers", async () => {
  await using database = await openTestDatabase();
  let clock = 0;
  let calls = 0;
  const db = timeClient(database.db, () => clock, () => calls++);
  const readiness = createReadiness({ db, schema: await readSchema(), clock: () => clock, sleep });
  const askThrice = () => Promise.all(Array.from({ length: 3 }, () => readiness.refusal()));
  assert.deepEqual(await askThrice(), [null, null, null]);
  const callsOfOne = calls;
  clock += READINESS_KEPT_MS - 1;
  assert.deepEqual([await readiness.refusal(), calls], [null, callsOfOne]);
  clock += 1;
  await askThrice();
  assert.equal(calls, 2 * callsOfOne);
  readiness.stop();
  assert.equal(await readiness.refusal(), "stopping", "a stop is told at once");
});

Deno.test("createReadiness() distinguishes a changed migration from a database that does not answer", async () => {
  await using database = await openTestDatabase();
  let clock = 0;
  const parts = { db: database.db, schema: await readSchema(), clock: () => clock, sleep };
  const readiness = createReadiness(parts);
  await database.db.execute("UPDATE schema_migrations SET sha256 = 'another'");
  assert.equal(await readiness.refusal(), "migrations");
  database.db.close();
  clock += READINESS_KEPT_MS;
  assert.equal(await readiness.refusal(), "database");
});

Deno.test("createReadiness() refuses a backup's copy that took a running edge's database's place", async () => {
  await using database = await openTestDatabase();
  const parts = { db: database.db, schema: await readSchema(), clock: () => 0, sleep };
  await database.db.execute("INSERT INTO system (key, value) VALUES ('backup_copy', '2026-11-21')");
  assert.equal(await createReadiness(parts).refusal(), "backup");
});
