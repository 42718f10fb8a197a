import assert from "node:assert/strict";
import { openFleet } from "./testing/fleet.ts";
import { runAllDueTicks } from "./ticks.ts";

/** As docs/operations.md and docs/privacy.md promise. */
const RETENTION = [
  "forget_numbers",
  "drop_events",
  "drop_activity",
  "end_sessions",
  "forget_login_tries",
  "drop_agent_tokens",
  "drop_join_tokens",
  "drop_account_hours",
  "drop_client_hours",
  "drop_account_trends",
  "drop_client_trends",
  "drop_account_scores",
  "drop_import_chunks",
  "remove_dead_imports",
  "hide_numbers",
];

Deno.test("runAllDueTicks() runs every retention duty, each once until it is due again", async () => {
  await using fleet = await openFleet();
  const failures: unknown[] = [];
  fleet.ctx.log = { ...fleet.ctx.log, error: (event, fields) => void failures.push([event, fields]) };
  await runAllDueTicks(fleet.ctx);
  const claims = async () => (await fleet.ctx.db.execute("SELECT name, claimed_until FROM ticks")).rows;
  const first = await claims();
  const names = first.map(({ name }) => String(name));
  for (const name of RETENTION) assert.ok(names.includes(name), name);
  await runAllDueTicks(fleet.ctx);
  assert.deepEqual(await claims(), first);
  assert.deepEqual(failures, []);
});
