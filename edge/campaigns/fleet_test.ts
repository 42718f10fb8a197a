import assert from "node:assert/strict";
import { openTestApp } from "../testing/test_app.ts";
import { readFleet } from "./fleet.ts";

const SET_HOURS =
  "INSERT OR REPLACE INTO settings (key, value, updated_at) VALUES ('serviceHoursEnforced', ?, 0)";

Deno.test("readFleet() reads again for every caller, unless one result may serve all for a while", async () => {
  await using test = await openTestApp();
  const shared = { ...test.ctx, fleetMaxAgeMs: 250 };
  const keeps = async (ctx: typeof test.ctx) => (await readFleet(ctx)).hours.serviceKeeps;
  const set = (value: string) => test.ctx.db.execute({ sql: SET_HOURS, args: [value] });
  await set("true");
  assert.equal(await keeps(shared), true);
  await set("false");
  assert.equal(await keeps(shared), true, "the look that was just made");
  test.clock.now += 249;
  assert.equal(await keeps(shared), true);
  test.clock.now += 1;
  assert.equal(await keeps(shared), false, "it is too old");
  await set("true");
  assert.equal(await keeps(test.ctx), true, "where nothing is shared");
  await set("false");
  test.clock.now -= 10_000;
  assert.equal(await keeps(shared), false, "a clock set back makes no look younger");
});
