import assert from "node:assert/strict";
import {
  ADMIN_ALERT_CODES,
  adminAlertsSchema,
  adminCampaignPageSchema,
  dashboardSchema,
  filePageSchema,
  riskSchema,
} from "shared/admin_api.ts";
import { adbStatusSchema } from "shared/http_api.ts";
import { setTimesBack } from "../operations/set_times_back.ts";
import { auditQueue } from "../queue/audit.ts";
import { openTestApp } from "../testing/test_app.ts";
import { makeWorld } from "./make_world.ts";
import { type WorldName, WORLDS } from "./worlds.ts";

const PASSWORD = "a password of the world";

async function open(name: WorldName) {
  const edge = await openTestApp();
  const options = { adminUsername: "boss", password: PASSWORD };
  const world = await makeWorld(edge.ctx, edge.door.passwords, name, options);
  const login = await edge.visitor.ask("/api/auth/login", {
    method: "POST",
    json: { username: "boss", password: PASSWORD },
  });
  const cookie = login.headers.getSetCookie()[0]!.split(";")[0]!;
  const read = async (path: string) => {
    const answer = await edge.visitor.ask(path, { headers: { cookie } });
    assert.equal(answer.status, 200, path);
    return await answer.json();
  };
  return { edge, world, read, options, [Symbol.asyncDispose]: () => edge[Symbol.asyncDispose]() };
}

for (const name of Object.keys(WORLDS) as WorldName[]) {
  Deno.test(`makeWorld() makes "${name}" without audit findings, readable by every screen`, async () => {
    await using made = await open(name);
    const { clients, devices, campaigns } = WORLDS[name];
    assert.deepEqual(await auditQueue(made.edge.ctx.db), []);
    const users = await made.read("/api/users");
    assert.equal(users.length, clients + 1);
    const { stats } = dashboardSchema.parse(await made.read("/api/admin/dashboard"));
    assert.equal(stats.totalDevices.value, devices);
    const { summary } = adbStatusSchema.parse(await made.read("/api/devices/adb-status"));
    assert.equal(summary.total, devices);
    riskSchema.parse(await made.read("/api/admin/risk"));
    filePageSchema.parse(await made.read("/api/admin/files"));
    let seen = 0;
    for (let query = "?limit=500"; query !== "";) {
      const page = adminCampaignPageSchema.parse(await made.read(`/api/admin/campaigns${query}`));
      seen += page.items.length;
      query = page.nextCursor === null ? "" : `?limit=500&cursor=${page.nextCursor}`;
    }
    assert.equal(seen, campaigns);
    await assert.rejects(
      makeWorld(made.edge.ctx, made.edge.door.passwords, name, made.options),
      /here already/,
    );
  });
}

Deno.test("makeWorld() makes phones that still look connected after the edge's first look at its clock", async () => {
  await using made = await open("small");
  const online = async () => adbStatusSchema.parse(await made.read("/api/devices/adb-status")).summary.online;
  await setTimesBack(made.edge.ctx);
  made.edge.clock.now += 5 * 60_000;
  assert.equal(await online(), 8);
});

Deno.test("makeWorld() fills the storm with every kind of trouble", async () => {
  await using made = await open("storm");
  const { items } = adminAlertsSchema.parse(await made.read("/api/admin/alerts"));
  const codes = new Set(items.map(({ code }) => code));
  const absent = ADMIN_ALERT_CODES.filter((code) => !codes.has(code));
  assert.deepEqual(
    absent,
    [
      "older_database",
      "site_gave_back",
      "sites_owe_outcomes",
      "unconfirmed_rested",
      "accounts_unconfirmed",
      "phone_moved",
      "phone_at_two_sites",
      "number_on_two_phones",
      "approval_waits",
      "no_device",
      "scan_silent",
      "alerts_undelivered",
    ],
    "phones send where they stand, each a number of its own with room in its day; nothing is scanned or mailed",
  );
  const { rows: [{ unknown }] } = await made.edge.ctx.db.execute(
    "SELECT count(*) AS unknown FROM deliveries WHERE state = 'unknown'",
  );
  assert.ok(Number(unknown) > 20);
  const { tiers } = riskSchema.parse(await made.read("/api/admin/risk"));
  assert.ok(tiers.every(({ count }) => count > 0));
});
