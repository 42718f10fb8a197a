import assert from "node:assert/strict";
import type { InStatement } from "@libsql/client/web";
import { openFleet } from "../testing/fleet.ts";
import { countWaiting } from "./count_waiting.ts";

Deno.test("countWaiting() looks at what waits of the campaign, and at no reply that was decided", async () => {
  await using fleet = await openFleet();
  const { db } = fleet.ctx;
  const asked: { sql: string; args: [] }[] = [];
  const execute = (statement: InStatement) => {
    asked.push(statement as typeof asked[number]);
    return db.execute(statement);
  };
  const heard = new Proxy(db, {
    get: (target, name) => name === "execute" ? execute : Reflect.get(target, name),
  });
  assert.equal(await countWaiting({ ...fleet.ctx, db: heard }, 1), 0);
  const [{ sql, args }] = asked;
  const { rows } = await db.execute({ sql: `EXPLAIN QUERY PLAN ${sql}`, args });
  assert.deepEqual(rows.map(({ detail }) => detail), [
    "SEARCH replies USING COVERING INDEX replies_waiting (campaign=?)",
  ]);
});
