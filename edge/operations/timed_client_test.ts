import assert from "node:assert/strict";
import { openTestDatabase } from "../testing/test_db.ts";
import { timeClient } from "./timed_client.ts";

Deno.test("timeClient() reports the duration and refusal of every call, and changes nothing", async () => {
  await using database = await openTestDatabase();
  let now = 0;
  const seen: [seconds: number, failed: boolean][] = [];
  const errors: string[] = [];
  const db = timeClient(
    database.db,
    () => (now += 250),
    (...call) => void seen.push(call),
    (error) => void errors.push(String(error)),
  );
  assert.equal((await db.execute("SELECT ? AS value", [7])).rows[0]?.value, 7);
  assert.equal((await db.execute({ sql: "SELECT :value AS value", args: { value: 8 } })).rows[0]?.value, 8);
  assert.equal((await db.batch(["SELECT 1", "SELECT 2"], "read")).length, 2);
  await db.executeMultiple("SELECT 1; SELECT 2");
  const transaction = await db.transaction("write");
  await transaction.execute("INSERT INTO system (key, value) VALUES ('timed', '1')");
  await assert.rejects(transaction.execute("SELECT * FROM nothing_in_a_transaction"), /no such table/);
  await transaction.commit();
  await assert.rejects(db.execute("SELECT * FROM nothing_of_this_name"), /no such table/);
  assert.deepEqual(seen, [...Array(5).fill([0.25, false]), [0.25, true]]);
  assert.deepEqual(errors.map((error) => error.match(/nothing_\w+/)?.[0]), [
    "nothing_in_a_transaction",
    "nothing_of_this_name",
  ]);
  assert.equal(db.protocol, database.db.protocol);
  db.close();
  assert.ok(db.closed && database.db.closed);
});
