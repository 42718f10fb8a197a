import assert from "node:assert/strict";
import { AppKeyError, deriveBytes } from "../keys/app_key.ts";
import { TEST_APP_KEY as KEY, testAuditParts } from "../testing/audit_parts.ts";
import { openFleet } from "../testing/fleet.ts";
import { openMarkKey, opensMarkKey } from "./mark_key.ts";
import { noteAudit } from "./note_audit.ts";
import { sealAudit } from "./seal.ts";

const NEXT = "the next key of tests, long enough to be one";

Deno.test("openMarkKey() creates a key once, which survives every change of APP_KEY", async () => {
  await using fleet = await openFleet();
  const { ctx } = fleet;
  const [made, same] = await Promise.all([openMarkKey(ctx, [KEY]), openMarkKey(ctx, [KEY])]);
  assert.deepEqual(made, same);
  assert.deepEqual(made, new Uint8Array(deriveBytes(KEY, "number-mark")), "as releases before derived it");
  assert.deepEqual(await openMarkKey(ctx, [KEY, NEXT]), made, "told before the change");
  assert.equal(await opensMarkKey(ctx, [NEXT]), false);
  assert.deepEqual(await openMarkKey(ctx, [NEXT, KEY]), made);
  assert.equal(await opensMarkKey(ctx, [NEXT]), true);
  assert.deepEqual(await openMarkKey(ctx, [NEXT]), made);
  await assert.rejects(openMarkKey(ctx, [KEY]), AppKeyError);
  const { rows } = await ctx.db.execute("SELECT value FROM system");
  assert.ok(!JSON.stringify(rows).includes(made.toBase64()));
});

Deno.test("openMarkKey() of a database without one uses the key that signed its audit log", async () => {
  await using fleet = await openFleet();
  const { ctx } = fleet;
  ctx.audit = testAuditParts();
  await ctx.db.execute(noteAudit(ctx.now(), { kind: "exported", actor: null }));
  await sealAudit(ctx);
  assert.deepEqual(await openMarkKey(ctx, [NEXT, KEY]), new Uint8Array(deriveBytes(KEY, "number-mark")));
});
