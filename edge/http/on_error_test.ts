import assert from "node:assert/strict";
import { LocalClient } from "../db/local_client.ts";
import { silentLog } from "../testing/test_context.ts";
import { lockDatabase } from "../testing/other_process.ts";
import { openTestApp } from "../testing/test_app.ts";
import { openTestDatabase } from "../testing/test_db.ts";
import { onError } from "./on_error.ts";
import { createRouter } from "./router.ts";
import { SAMPLE_MS } from "./sample_refusals.ts";

Deno.test("onError() asks for a retry when another program holds the database for too long", async () => {
  await using database = await openTestDatabase();
  const db = new LocalClient(database.path, { busyTimeoutMs: 20 });
  const app = createRouter();
  app.onError(onError({ db, log: silentLog }));
  app.post("/api/act", async (c) => {
    await db.execute("DELETE FROM events");
    return c.body(null, 204);
  });
  const lock = await lockDatabase(database.path);
  const refused = await app.request("/api/act", { method: "POST" });
  assert.deepEqual([refused.status, refused.headers.get("retry-after")], [503, "2"]);
  assert.equal((await refused.json()).code, "not_ready");
  await lock.release();
  assert.equal((await app.request("/api/act", { method: "POST" })).status, 204);
  db.close();
});

Deno.test("onError() logs a code's first refusal at info, later ones at debug, and forbidden acts also at warn", async () => {
  await using edge = await openTestApp();
  const client = await edge.addPerson();
  edge.logged.length = 0;
  const foreign = { origin: "https://attacker.example" };
  await client.ask("/api/users");
  await client.ask("/api/auth/logout", { method: "POST", headers: foreign });
  await client.ask("/api/campaigns/x");
  await client.ask("/api/campaigns/y");
  edge.clock.now += SAMPLE_MS;
  await client.ask("/api/campaigns/z");
  const lines = edge.logged.map((line) => JSON.parse(line)).filter(({ code }) => code !== undefined);
  assert.deepEqual(lines.map(({ level, event, code, untold }) => [level, event, code, untold]), [
    ["info", "request_refused", "not_allowed", 0],
    ["warn", "attempt", "not_allowed", undefined],
    ["info", "request_refused", "foreign_origin", 0],
    ["warn", "attempt", "foreign_origin", undefined],
    ["info", "request_refused", "not_found", 0],
    ["debug", "request_refused", "not_found", undefined],
    ["info", "request_refused", "not_found", 1],
  ]);
});
