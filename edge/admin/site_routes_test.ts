import assert from "node:assert/strict";
import { joinTokenSchema, sitesSchema } from "shared/admin_api.ts";
import { installLine } from "shared/install_line.ts";
import { enrollSite } from "../sites/enroll.ts";
import { openAdminHouse } from "../testing/admin_house.ts";
import { makeKey } from "../testing/fleet.ts";
import { sendNew, take } from "../testing/queue_acts.ts";
import { PROOF } from "../testing/test_app.ts";

Deno.test("/api/admin/sites creates a site, returns its join token once, and the command to run at the site", async () => {
  await using house = await openAdminHouse();
  const post = (path: string, body: Record<string, unknown> = {}) =>
    house.admin.ask(`/api/admin/sites${path}`, { method: "POST", json: { proof: PROOF, ...body } });
  const made = await post("", { name: " תל אביב " });
  assert.equal(made.status, 201);
  const token = joinTokenSchema.parse(await made.json());
  assert.equal(token.command, installLine("http://localhost", token.joinToken));
  const list = async () => sitesSchema.parse(await house.read("/api/admin/sites")).items;
  assert.deepEqual((await list()).map(({ name, status }) => [name, status]), [["תל אביב", "not_enrolled"]]);
  const fresh = joinTokenSchema.parse(await (await post(`/${token.siteId}/token`)).json());
  const { publicKey } = await makeKey();
  const enroll = (joinToken: string) => enrollSite(house.fleet.ctx, { joinToken, publicKey });
  await assert.rejects(enroll(token.joinToken), { code: "join_token_invalid" });
  await enroll(fresh.joinToken);
  assert.equal((await list())[0]!.status, "away");

  assert.equal((await post("", { name: "תל אביב" })).status, 400);
  for (const name of ["", "   ", "א".repeat(61), "a\u202eb"]) {
    assert.equal((await post("", { name })).status, 400, name);
  }
  assert.equal((await post("/99/token")).status, 404);
  assert.equal((await post("/99/revoke")).status, 404);
});

Deno.test("/api/admin/sites returns a site's phones and open rows, and revokes it for good", async () => {
  await using house = await openAdminHouse();
  const site = await house.fleet.addSite(2);
  const campaign = await sendNew(house.fleet, 3);
  await take(house.fleet, site, 1);
  const one = async () => sitesSchema.parse(await house.read("/api/admin/sites")).items[0]!;
  const before = await one();
  assert.deepEqual(
    [before.status, before.devices, before.connectedDevices, before.held, before.agentVersion],
    ["connected", 2, 2, 2, "test"],
  );
  const revoked = await house.admin.ask(`/api/admin/sites/${site.site}/revoke`, { method: "POST" });
  assert.equal(revoked.status, 204);
  const after = await one();
  assert.deepEqual([after.status, after.held], ["revoked", 0]);
  assert.deepEqual(await house.fleet.states(campaign.id), ["unknown", "unknown", "queued"]);
});

Deno.test("/api/admin/sites makes sites that ask for rehearsals, and changes that with an entry of the audit log", async () => {
  await using house = await openAdminHouse();
  const site = await house.fleet.addSite(2);
  await house.fleet.ctx.db.execute("UPDATE devices SET trial = iif(key LIKE '%D1', 'none', 'rehearsed')");
  const one = async () => {
    const { asksRehearsal, owingDevices } = sitesSchema.parse(await house.read("/api/admin/sites")).items[0]!;
    return [asksRehearsal, owingDevices];
  };
  const ask = async (id: number, body: unknown) =>
    (await house.admin.ask(`/api/admin/sites/${id}/rehearsals`, { method: "POST", json: body })).status;
  assert.deepEqual(await one(), [true, 1]);
  assert.equal(await ask(site.site, { asks: false }), 204);
  assert.equal(await ask(site.site, { asks: false }), 204);
  assert.deepEqual(await one(), [false, 0]);
  assert.equal(await ask(site.site, { asks: true }), 204);
  assert.equal(await ask(site.site, { asks: "yes" }), 400);
  assert.equal(await ask(99, { asks: true }), 404);
  const { rows } = await house.fleet.ctx.db.execute(
    "SELECT kind, site FROM audit_log WHERE kind LIKE 'rehearsals%' ORDER BY id",
  );
  assert.deepEqual(rows.map((row) => [row.kind, row.site]), [
    ["rehearsals_not_asked", site.site],
    ["rehearsals_asked", site.site],
  ]);
});

Deno.test("/api/admin/sites refuses a Host with shell characters, and creates no site", async () => {
  await using house = await openAdminHouse();
  for (const host of ["shigur.example;reboot", "$(reboot)", "a`id`b", "a&b", "a'b"]) {
    const refused = await house.edge.app.request(`http://${host}/api/admin/sites`, {
      method: "POST",
      headers: { origin: `http://${host}`, cookie: house.admin.cookie, "content-type": "application/json" },
      body: JSON.stringify({ proof: PROOF, name: "תל אביב" }),
    }, { remoteAddr: { transport: "tcp", hostname: "192.0.2.1", port: 1 } });
    assert.deepEqual([refused.status, (await refused.json()).code], [400, "invalid_input"], host);
  }
  assert.deepEqual(sitesSchema.parse(await house.read("/api/admin/sites")).items, []);
});
