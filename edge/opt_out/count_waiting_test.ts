import assert from "node:assert/strict";
import { openTestDatabase } from "../testing/test_db.ts";
import { countWaiting } from "./count_waiting.ts";

Deno.test("countWaiting() reads only the campaign's waiting replies", async () => {
  await using database = await openTestDatabase();
  const { rows } = await database.db.execute({
    sql: `EXPLAIN QUERY PLAN ${countWaiting("?")}`,
    args: [1],
  });
  assert.deepEqual(rows.map(({ detail }) => detail), [
    "SEARCH replies USING COVERING INDEX replies_waiting (campaign=?)",
  ]);
});
