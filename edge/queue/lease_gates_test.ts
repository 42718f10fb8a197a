/** Conditions under which an edge leases nothing and still serves reads. */
import assert from "node:assert/strict";
import { LEASE_RELEASE, raiseReleases, readReleases } from "../db/release.ts";
import { openFleet } from "../testing/fleet.ts";
import { pull, sendNew, take } from "../testing/queue_acts.ts";

const KEEP = `INSERT INTO system (key, value) VALUES (?, ?)
  ON CONFLICT (key) DO UPDATE SET value = excluded.value`;

Deno.test("an edge leases nothing from a database in which a newer release sends campaigns (I2)", async () => {
  for (const remote of [false, true]) {
    await using fleet = await openFleet({ remote });
    await sendNew(fleet, 2);
    const site = await fleet.addSite();
    await raiseReleases(fleet.ctx.db);
    await take(fleet, site, 1);
    // An edge of the next release was started beside this one.
    await fleet.ctx.db.execute({ sql: KEEP, args: ["lease_release", String(LEASE_RELEASE + 1)] });
    assert.equal(await pull(fleet, site), null);
    // This edge starts again, and lowers nothing.
    await raiseReleases(fleet.ctx.db);
    assert.equal((await readReleases(fleet.ctx.db)).lease, LEASE_RELEASE + 1);
    assert.equal(await pull(fleet, site), null);
  }
});

Deno.test("raiseReleases() raises an older release's numbers, compared as numbers and not as text", async () => {
  await using fleet = await openFleet();
  assert.deepEqual(await readReleases(fleet.ctx.db), { lease: 0, read: 0 });
  await fleet.ctx.db.execute({ sql: KEEP, args: ["lease_release", "0"] });
  await raiseReleases(fleet.ctx.db);
  assert.equal((await readReleases(fleet.ctx.db)).lease, LEASE_RELEASE);
  await fleet.ctx.db.execute({ sql: KEEP, args: ["lease_release", "10"] });
  await fleet.ctx.db.execute({ sql: KEEP, args: ["read_release", "0"] });
  await raiseReleases(fleet.ctx.db);
  assert.equal((await readReleases(fleet.ctx.db)).lease, 10);
});

Deno.test("an edge leases nothing from a backup's copy that took its database's place (I2)", async () => {
  await using fleet = await openFleet();
  await sendNew(fleet, 2);
  const site = await fleet.addSite();
  await take(fleet, site, 1);
  await fleet.ctx.db.execute({ sql: KEEP, args: ["backup_copy", "2026-11-21"] });
  assert.equal(await pull(fleet, site), null);
});
