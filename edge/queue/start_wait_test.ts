import assert from "node:assert/strict";
import { connectSite } from "../sites/connect.ts";
import { handleFrame } from "../sites/handle_frame.ts";
import { revokeSite } from "../sites/revoke_site.ts";
import { watchSites } from "../admin/watch_sites.ts";
import { type Fleet, fleetOn, openFleet, type TestSite } from "../testing/fleet.ts";
import { pull, sendNew } from "../testing/queue_acts.ts";
import { beginStartWait, isWaiting, START_WAIT_MS, watchStartWait } from "./start_wait.ts";

/** The same fleet, served by an edge that starts now. */
async function startEdge(fleet: Fleet): Promise<Fleet> {
  return fleetOn({ ...fleet, ctx: { ...fleet.ctx, startWait: await beginStartWait(fleet.ctx) } });
}

/** Gives the fleet work, and two connected sites. */
async function addTwoSites(fleet: Fleet): Promise<[TestSite, TestSite]> {
  await sendNew(fleet, 6);
  return [await fleet.addSite(), await fleet.addSite()];
}

/** A clock that each wait moves forward. */
function ownTime() {
  let now = 0;
  const sleep = (ms: number) => Promise.resolve(void (now += ms));
  return { clock: () => now, sleep };
}

Deno.test("a starting edge leases nothing until every site that was connected has said hello (rule 19)", async () => {
  for (const remote of [false, true]) {
    await using fleet = await openFleet({ remote });
    const [one, other] = await addTwoSites(fleet);
    const edge = await startEdge(fleet);
    await edge.reconnect(one);
    assert.equal(await pull(edge, one), null);
    await edge.reconnect(other);
    assert.ok(await pull(edge, one));
  }
});

Deno.test("a starting edge has not heard a site that is connected and has not said hello (rule 19)", async () => {
  await using fleet = await openFleet();
  const [one, other] = await addTwoSites(fleet);
  const edge = await startEdge(fleet);
  fleet.pass(1_000);
  await edge.reconnect(one);
  await connectSite(edge.ctx, other.site);
  assert.equal(await pull(edge, one), null);
});

Deno.test("a starting edge does not wait for a site that another edge has served throughout (rule 19)", async () => {
  await using fleet = await openFleet();
  const [one, other] = await addTwoSites(fleet);
  const edge = await startEdge(fleet);
  fleet.pass(1_000);
  await edge.reconnect(one);
  assert.equal(await pull(edge, one), null);
  await handleFrame(fleet.ctx, other, { type: "heartbeat", journalCounter: 1_000_000, at: 1 });
  assert.ok(await pull(edge, one));
});

Deno.test("a starting edge leases nothing from a put-back database before the site that knows a later state connects (rule 19)", async () => {
  await using fleet = await openFleet();
  const [knows, other] = await addTwoSites(fleet);
  const { mark } = await fleet.reconnect(knows);
  // As in a copy made before that hello.
  await fleet.ctx.db.execute("UPDATE sites SET mark_given = 0");
  const edge = await startEdge(fleet);
  await edge.reconnect(other);
  assert.equal(await pull(edge, other), null, "before it is known");
  await edge.reconnect(knows, { mark });
  assert.equal(await pull(edge, other), null, "once it is known");
  await watchStartWait(edge.ctx, ownTime(), new AbortController().signal);
  assert.equal(await pull(edge, other), null, "after the wait");
});

Deno.test("a starting edge waits at most a minute, and then notifies the sites of waiting work (rule 19)", async () => {
  await using fleet = await openFleet();
  const [one] = await addTwoSites(fleet);
  const edge = await startEdge(fleet);
  await edge.reconnect(one);
  const time = ownTime();
  await fleet.ctx.db.execute("DELETE FROM events");
  const waited = watchStartWait(edge.ctx, time, new AbortController().signal);
  assert.equal(isWaiting(edge.ctx), true);
  await waited;
  assert.equal(time.clock(), START_WAIT_MS);
  assert.equal((await fleet.one("SELECT type FROM events")).type, "workWaiting");
  assert.ok(await pull(edge, one));
});

Deno.test("a starting edge notifies the sites of waiting work as soon as all have sent hello (rule 19)", async () => {
  await using fleet = await openFleet();
  const site = await fleet.addSite();
  const edge = await startEdge(fleet);
  await edge.reconnect(site);
  const time = ownTime();
  await watchStartWait(edge.ctx, time, new AbortController().signal);
  assert.ok(time.clock() < 1_000);
  assert.equal(isWaiting(edge.ctx), false);
});

Deno.test("a starting edge waits for no site that was away before, was revoked, or never connected (rule 19)", async () => {
  await using fleet = await openFleet();
  await sendNew(fleet, 6);
  const away = await fleet.addSite();
  await watchSites(fleet.ctx);
  fleet.pass(60_000);
  await watchSites(fleet.ctx);
  const lately = await startEdge(fleet);
  assert.match(lately.ctx.startWait!.awaited, RegExp(`"site":${away.site},`), "lost a moment ago");
  fleet.pass(3_600_000);
  const [revoked, one] = [await fleet.addSite(), await fleet.addSite()];
  await watchSites(fleet.ctx);
  await revokeSite(fleet.ctx, revoked.site);
  await fleet.ctx.db.execute("INSERT INTO sites (name, created_at) VALUES ('never', 1)");
  const edge = await startEdge(fleet);
  assert.deepEqual(JSON.parse(edge.ctx.startWait!.awaited).map(({ site }: { site: number }) => site), [
    one.site,
  ]);
  await edge.reconnect(one);
  assert.ok(await pull(edge, one));
});

Deno.test("a starting edge waits for a site lost in the last ten minutes, while the others continued (rule 19)", async () => {
  for (const [minutes, isAwaited] of [[9, true], [11, false]] as const) {
    await using fleet = await openFleet();
    const [one, lost] = await addTwoSites(fleet);
    const heartbeat = () =>
      handleFrame(fleet.ctx, one, { type: "heartbeat", journalCounter: 1_000_000, at: 1 });
    await watchSites(fleet.ctx);
    fleet.pass(60_000);
    await heartbeat();
    await watchSites(fleet.ctx);
    fleet.pass(minutes * 60_000);
    await heartbeat();
    const edge = await startEdge(fleet);
    await edge.reconnect(one);
    assert.equal(await pull(edge, one) === null, isAwaited);
    await edge.reconnect(lost);
    if (isAwaited) assert.ok(await pull(edge, one));
  }
});

Deno.test("a starting edge whose database has seen no site waits for none, and writes nothing (rule 19)", async () => {
  await using fleet = await openFleet();
  const edge = await startEdge(fleet);
  assert.equal(isWaiting(edge.ctx), false);
  await watchStartWait(edge.ctx, ownTime(), new AbortController().signal);
  assert.equal((await fleet.one("SELECT count(*) AS n FROM events")).n, 0);
});

Deno.test("a starting edge that is stopped ends its wait without a log line (rule 19)", async () => {
  await using fleet = await openFleet();
  await fleet.addSite();
  const edge = await startEdge(fleet);
  const stop = new AbortController();
  const time = ownTime();
  const sleep = (ms: number) => (stop.abort(), time.sleep(ms));
  await watchStartWait(edge.ctx, { ...time, sleep }, stop.signal);
  assert.equal(isWaiting(edge.ctx), true);
});
