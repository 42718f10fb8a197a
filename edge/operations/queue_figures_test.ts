import assert from "node:assert/strict";
import { openFleet } from "../testing/fleet.ts";
import { pull, sendNew } from "../testing/queue_acts.ts";
import { readQueueFigures } from "./queue_figures.ts";

Deno.test("readQueueFigures() counts the waiting rows of live campaigns, and since when they wait", async () => {
  await using fleet = await openFleet();
  const read = () => readQueueFigures(fleet.ctx.db, fleet.ctx.now());
  const none = { queued: 0, leased: 0, oldestSeconds: 0, sites: { connected: 0, silent: 0 } };
  assert.deepEqual(await read(), none);
  await sendNew(fleet, 5);
  const site = await fleet.addSite();
  fleet.pass(7_000);
  assert.deepEqual(await read(), {
    queued: 5,
    leased: 0,
    oldestSeconds: 7,
    sites: { connected: 1, silent: 0 },
  });
  const lease = await pull(fleet, site);
  const { queued, leased } = await read();
  assert.deepEqual([queued, leased], [5 - lease!.items.length, lease!.items.length]);
  fleet.pass(60_000);
  assert.deepEqual((await read()).sites, { connected: 0, silent: 1 });
  await fleet.ctx.db.execute("UPDATE campaigns SET status = 'paused'");
  assert.deepEqual((await read()).queued, 0);
});

Deno.test("readQueueFigures() does not scan the deliveries", async () => {
  await using fleet = await openFleet();
  await sendNew(fleet, 1);
  const asked: string[] = [];
  const db = Object.assign(Object.create(fleet.ctx.db), {
    batch: (statements: { sql: string; args: unknown }[], mode: "read") => {
      asked.push(...statements.map(({ sql }) => sql));
      return fleet.ctx.db.batch(statements as Parameters<typeof fleet.ctx.db.batch>[0], mode);
    },
  });
  await readQueueFigures(db, fleet.ctx.now());
  for (const sql of asked) {
    const { rows } = await fleet.ctx.db.execute({ sql: `EXPLAIN QUERY PLAN ${sql}`, args: { now: 0 } });
    const plan = rows.map((row) => String(row.detail)).join("\n");
    assert.doesNotMatch(plan, /SCAN (d|deliveries|c|campaigns)\b|TEMP B-TREE/, plan);
  }
});
