import assert from "node:assert/strict";
import { DEVICE_STATES } from "shared/agent_protocol.ts";
import { adbStatusSchema } from "shared/http_api.ts";
import { DEAD_SOCKET_MS } from "shared/lease.ts";
import { type Fleet, openFleet } from "../testing/fleet.ts";
import { report, sendNew, take } from "../testing/queue_acts.ts";
import { readAdbStatus } from "./adb_status.ts";

async function marks(fleet: Fleet) {
  const { devices } = await readAdbStatus(fleet.ctx);
  return devices.flatMap((device) => device.accounts.map((account) => account.status));
}

Deno.test("readAdbStatus() shows a phone as connected while its proof is under 30 seconds old", async () => {
  await using fleet = await openFleet();
  assert.deepEqual(await readAdbStatus(fleet.ctx), {
    devices: [],
    summary: { total: 0, online: 0, offline: 0 },
  });
  await fleet.addSite(2);
  await fleet.addSite(1);
  const fresh = adbStatusSchema.parse(await readAdbStatus(fleet.ctx));
  assert.deepEqual(fresh.summary, { total: 3, online: 3, offline: 0 });
  fleet.pass(DEAD_SOCKET_MS - 1);
  assert.equal((await readAdbStatus(fleet.ctx)).summary.online, 3);
  fleet.pass(1);
  assert.deepEqual((await readAdbStatus(fleet.ctx)).summary, { total: 3, online: 0, offline: 3 });
});

Deno.test("readAdbStatus() shows a phone as connected that adb reaches, able to send or not", async () => {
  await using fleet = await openFleet();
  await fleet.addSite(1);
  const connected: string[] = [];
  for (const state of DEVICE_STATES) {
    await fleet.ctx.db.execute({ sql: "UPDATE devices SET state = ?", args: [state] });
    if ((await readAdbStatus(fleet.ctx)).devices[0]!.adbConnected) connected.push(state);
  }
  assert.deepEqual(connected, ["online", "locked", "low_battery", "hot", "low_storage"]);
});

Deno.test("readAdbStatus() shows an account's state and the count of its day", async () => {
  await using fleet = await openFleet();
  const site = await fleet.addSite(1);
  assert.deepEqual(await marks(fleet), ["idle"]);
  await sendNew(fleet, 1);
  const lease = await take(fleet, site);
  assert.deepEqual(await marks(fleet), ["processing"]);
  fleet.pass(5_000);
  await report(fleet, site, lease, "sent");
  assert.deepEqual(await marks(fleet), ["active"]);
  const [account] = (await readAdbStatus(fleet.ctx)).devices[0]!.accounts;
  assert.equal(account!.messagesCount, 1);
  assert.equal(account!.account, "com.whatsapp/0");
  assert.equal(account!.lastActivity, fleet.ctx.now());
  fleet.pass(24 * 60 * 60_000);
  const [next] = (await readAdbStatus(fleet.ctx)).devices[0]!.accounts;
  assert.deepEqual([next!.status, next!.messagesCount], ["idle", 0]);
  await fleet.ctx.db.execute("UPDATE accounts SET state = 'restricted'");
  assert.deepEqual(await marks(fleet), ["banned"]);
});

Deno.test("readAdbStatus() omits the phones of a revoked site", async () => {
  await using fleet = await openFleet();
  await fleet.addSite(1);
  await fleet.ctx.db.execute("UPDATE sites SET revoked = 1");
  assert.equal((await readAdbStatus(fleet.ctx)).summary.total, 0);
});

Deno.test("readAdbStatus() says that a phone does not answer when its proof is old, or is away with its site", async () => {
  await using fleet = await openFleet();
  await fleet.addSite(1);
  const state = async () => (await readAdbStatus(fleet.ctx)).devices[0]!.state;
  assert.equal(await state(), "online");
  fleet.pass(DEAD_SOCKET_MS);
  assert.equal(await state(), "offline");
  await fleet.ctx.db.execute({ sql: "UPDATE sites SET last_seen_at = ?", args: [fleet.ctx.now()] });
  assert.equal(await state(), "not_answering");
});
