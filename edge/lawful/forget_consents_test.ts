import assert from "node:assert/strict";
import type { Client } from "@libsql/client/web";
import { markOf } from "../audit_log/number_mark.ts";
import { openTestApp } from "../testing/test_app.ts";
import { forgetConsents } from "./forget_consents.ts";
import { forgetNumbers } from "../privacy/forget_numbers.ts";
import { openAdminHouse } from "../testing/admin_house.ts";
import { makeDraft, OPT_IN, paste, saveProfile } from "../testing/advertising.ts";
import { report, take } from "../testing/queue_acts.ts";

const DAY_MS = 24 * 60 * 60_000;

Deno.test("forgetNumbers() forgets the numbers of consents that nothing else holds, and keeps their marks", async () => {
  await using house = await openAdminHouse();
  const { edge, fleet } = house;
  const { ctx } = edge;
  const site = await fleet.addSite();
  const dana = await edge.addPerson({ messageQuota: 5 });
  await saveProfile(dana);
  const sent = await makeDraft(dana, "marketing");
  await paste(dana, sent.id, "0540000001", OPT_IN);
  await dana.ask(`/api/campaigns/${sent.id}/send`, { method: "POST" });
  await report(fleet, site, await take(fleet, site, 1), "sent");
  const waiting = await makeDraft(dana, "marketing");
  await paste(dana, waiting.id, "0540000002", OPT_IN);
  const dropped = await makeDraft(dana, "marketing");
  await paste(dana, dropped.id, "0540000003", OPT_IN);
  await dana.ask(`/api/campaigns/${dropped.id}`, { method: "DELETE" });
  const phones = async () =>
    (await ctx.db.execute("SELECT phone, mark FROM consents ORDER BY id")).rows.map((
      { phone, mark },
    ) => [phone, mark]);

  fleet.pass(89 * DAY_MS);
  while (await forgetNumbers(ctx) > 0);
  const all = [972540000001, 972540000002, 972540000003].map((phone) => [phone, null]);
  assert.deepEqual(await phones(), all, "also what nothing bears is evidence for so long");
  fleet.pass(3 * DAY_MS);
  while (await forgetNumbers(ctx) > 0);
  const markOfNo = (no: number) => markOf(ctx, "phone", `+97254000000${no}`);
  assert.deepEqual(await phones(), [[-1, markOfNo(1)], [972540000002, null], [-3, markOfNo(3)]]);
  const { rows: [noted] } = await ctx.db.execute(
    "SELECT data FROM audit_log WHERE kind = 'consents_forgotten'",
  );
  assert.equal(noted!.data, '{"count":2}');
  assert.equal(await forgetNumbers(ctx), 0);
});

Deno.test("forgetConsents() keeps a number that an upload began to use meanwhile", async () => {
  await using test = await openTestApp();
  const { ctx } = test;
  const dana = await test.addPerson();
  const [old, young] = [await makeDraft(dana, "marketing"), await makeDraft(dana, "marketing")];
  await paste(dana, old.id, "0540000001\n0540000002", OPT_IN);
  assert.equal((await dana.ask(`/api/campaigns/${old.id}`, { method: "DELETE" })).status, 204);
  const batch: Client["batch"] = async (...args) => {
    await paste(dana, young.id, "0540000001", OPT_IN);
    return await ctx.db.batch(...args);
  };
  const execute: Client["execute"] = (...args: Parameters<Client["execute"]>) => ctx.db.execute(...args);
  const db = { protocol: ctx.db.protocol, execute, batch } as Client;
  await forgetConsents({ ...ctx, db }, ctx.now() + 1);
  const { rows } = await ctx.db.execute("SELECT phone FROM consents WHERE phone > 0 ORDER BY id");
  assert.deepEqual(rows.map(({ phone }) => phone), [972540000001, 972540000001]);
});

Deno.test("an erased number is no longer in consents or among the numbers left out", async () => {
  await using house = await openAdminHouse();
  const { edge, admin } = house;
  const dana = await edge.addPerson();
  const { id } = await makeDraft(dana, "marketing");
  await paste(dana, id, "0540000001\n0540000002", OPT_IN);
  const other = await makeDraft(await edge.addPerson(), "marketing");
  await edge.ctx.db.execute(
    `INSERT INTO unconsented (campaign, phone, import) VALUES (${other.id}, 972540000001, 1)`,
  );
  const answer = await admin.ask("/api/admin/erasures", {
    method: "POST",
    json: { phone: "0540000001", reason: "בקשה של בעל המספר", block: true },
  });
  const { removed } = await answer.json();
  assert.deepEqual([removed.consents, removed.unconsented], [1, 1]);
  const { rows } = await edge.ctx.db.execute("SELECT phone FROM consents");
  assert.deepEqual(rows.map(({ phone }) => phone), [972540000002]);
  const { rows: [campaign] } = await edge.ctx.db.execute(
    `SELECT unconsented_count FROM campaigns WHERE id = ${other.id}`,
  );
  assert.equal(campaign!.unconsented_count, 0);
});
