/**
 * Updates during a campaign: the previous and the present release, side by side and in sequence. The witnesses are
 * the phones' own tap log, the rows and the ledger.
 */
import assert from "node:assert/strict";
import { readMigrations } from "../edge/db/migrate.ts";
import { UpgradeWorld } from "./upgrade_world.ts";

const present = (await readMigrations()).map(({ name }) => name);
const PRESENT = new URL("../", import.meta.url).pathname;

Deno.test("an edge killed for its update leaves leases, rows and a journal that the next release continues", async () => {
  await UpgradeWorld.with(60, async (world) => {
    const before = world.migrations();
    assert.ok(before.length > 0 && before.length <= present.length);
    await world.client.act("send");
    await world.untilTapped(8);
    await world.replaceAt("leased", "edge");
    assert.deepEqual(world.migrations(), present, "the database of before is opened, and brought up to date");
    // The previous release's agent continues with the present edge.
    await world.untilTapped(10);
    await world.replaceAt("tapped", "agent");
    await world.untilTapped(10);
    await world.endsWell();
  });
});

Deno.test("an agent updated first continues with its journal, at an edge of the previous release", async () => {
  await UpgradeWorld.with(60, async (world) => {
    const before = world.migrations();
    await world.client.act("send");
    await world.untilTapped(8);
    await world.replaceAt("unreported", "agent", { silent: true });
    await world.untilTapped(10);
    assert.deepEqual(world.migrations(), before, "the edge is still the one of before");
    await world.replaceInOrder("agent");
    await world.untilTapped(5);
    await world.replaceInOrder("edge");
    assert.deepEqual(world.migrations(), present);
    await world.untilTapped(10);
    await world.endsWell();
  });
});

Deno.test("edges restarted one by one, with sites of both releases, send to nobody twice and lose nobody", async () => {
  await UpgradeWorld.with(200, async (world) => {
    const edge = await world.addEdge();
    await world.addSite("beside", edge.url);
    await world.client.act("send");
    await world.untilTapped(8);
    await world.replaceInOrder("edge");
    assert.deepEqual(world.migrations(), present);
    // Two releases share the database, and each has a site of the other's release.
    await world.untilTapped(12);
    // A previous edge that crashes meanwhile starts again: it leaves the newer release's migrations alone.
    await edge.restart(world.before, "SIGKILL");
    await world.untilTapped(5);
    // A present agent moves from a present edge to the older one, and back.
    await world.replaceInOrder("agent");
    await world.untilTapped(5);
    world.moveSiteTo(edge.url);
    await world.untilTapped(5);
    world.moveSiteTo(world.product.url);
    await edge.restart(PRESENT, "SIGTERM");
    await world.untilTapped(10);
    await world.endsWell();
  });
});

Deno.test("an update undone by the backup made before it sends to nobody twice and loses nobody", async () => {
  await UpgradeWorld.with(100, async (world) => {
    await world.client.act("send");
    await world.untilTapped(8);
    const before = world.migrations();
    const backup = await world.backup();
    await world.replaceInOrder("edge");
    assert.deepEqual(world.migrations(), present);
    await world.untilTapped(12);
    await world.takeEdgeBack(backup);
    assert.deepEqual(world.migrations(), before);
    await world.untilTapped(10);
    await world.endsWell({ wasRestored: true });
  });
});

Deno.test("a remote database of an earlier release is migrated by an edge killed in the middle of a campaign", async () => {
  await UpgradeWorld.withRemote(60, async (world) => {
    await world.client.act("send");
    await world.untilTapped(8);
    await world.replaceAt("leased", "edge");
    assert.deepEqual(world.migrations(), present);
    await world.untilTapped(10);
    await world.replaceAt("unreported", "agent", { silent: true });
    await world.untilTapped(10);
    await world.endsWell();
  });
});
