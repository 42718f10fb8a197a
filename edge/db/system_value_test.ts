import assert from "node:assert/strict";
import { openTestDatabase } from "../testing/test_db.ts";
import { execute } from "./query.ts";
import { putSystemValue, readSystemValue } from "./system_value.ts";

Deno.test("a system value is stored under its key, in place of an earlier one", async () => {
  await using database = await openTestDatabase();
  const { db } = database;
  assert.equal(await readSystemValue(db, "first"), null);
  await execute(db, putSystemValue("first", "a"));
  await execute(db, putSystemValue("second", "b"));
  await execute(db, putSystemValue("first", "c"));
  assert.equal(await readSystemValue(db, "first"), "c");
  assert.equal(await readSystemValue(db, "second"), "b");
});
