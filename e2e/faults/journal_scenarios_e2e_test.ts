/** A site's phones, disk and journal fail in the middle of a campaign. */
import assert from "node:assert/strict";
import { actOnSite, addSite } from "../head_office.ts";
import { PATIENCE_MS, pause, until } from "../wait.ts";
import { TAP_COMMAND } from "./disturb.ts";
import { copyJournal } from "./moment.ts";
import { CALM } from "./relay.ts";
import {
  agentDir,
  assertAllSent,
  assertOnly,
  catchAt,
  compare,
  heldOf,
  settle,
  SETTLE_MS,
  unknownPhones,
  withWorld,
} from "./scenario.ts";
import { setDiskFull } from "./site_machine.ts";

const SERIAL = "SIM0001";

Deno.test("a phone unplugged between tap and verify is looked back at: sent, tapped once", async () => {
  await withWorld({}, async (world) => {
    await world.untilTapped(0.1);
    const { product } = world;
    const before = product.lines.length;
    await world.controlPhone(SERIAL, "unplugAtTap");
    // On a busy machine a phone may be away for a moment during the start.
    const gone = new RegExp(`"device_away","device":"${SERIAL}"`);
    const isGone = () => gone.test(product.lines.slice(before).join(""));
    await until(() => Promise.resolve(isGone()), PATIENCE_MS, "the phone is gone behind its tap");
    await pause(1_500);
    const { rows } = await world.freezeAt(null);
    const { phone } = product.taps().findLast(({ serial }) => serial === SERIAL)!;
    assert.equal(rows.find((row) => row.phone === phone)?.step, "tapped");
    world.thaw();
    await world.controlPhone(SERIAL, "replug");
    await settle(world);
    assertAllSent(world);
    assert.equal(product.taps().filter((tap) => tap.phone === phone).length, 1);
  });
});

Deno.test("a tap that nobody can look back at is unknown, and no other phone taps it", async () => {
  await withWorld({}, async (world) => {
    const { product } = world;
    const { rows } = await catchAt(world, "tapped");
    const row = rows.find(({ step }) => step === "tapped")!;
    await product.kill("agent");
    world.thaw();
    // An app that shows its ban shows no chat.
    await world.controlPhone(row.serial, `ban:${row.account}`);
    await product.launch("agent");
    await settle(world);
    const { unknown } = compare(world);
    assert.ok(unknown.send_not_verified! > 0);
    assert.ok(unknownPhones(world).includes(row.phone));
    assert.equal(product.taps().filter(({ phone }) => phone === row.phone).length, 1);
  });
});

Deno.test("tap commands that linger in an adb server past their deadline tap nothing", async () => {
  const lingerMs = 12_000;
  await withWorld({}, async (world) => {
    const { product, adbRelay, clients: [client] } = world;
    await world.untilTapped(0.3);
    adbRelay.weather = { ...CALM, lingering: { text: TAP_COMMAND, forMs: lingerMs } };
    await until(
      () => Promise.resolve(adbRelay.lingered >= world.plan.devices),
      PATIENCE_MS,
      "every phone's tap lingers",
    );
    await world.freezeAt("tapping");
    await product.kill("agent");
    world.thaw();
    adbRelay.weather = CALM;
    // No regular command taps from here on; any new tap comes from an expired one.
    const taps = product.taps().length;
    await pause(lingerMs + 1_000);
    assert.equal(product.taps().length, taps);
    await product.launch("agent");
    // A tap without effect is retried after a minute; the test does not wait for that.
    await client!.act("cancel");
    await settle(world);
    const { states } = compare(world);
    assert.equal(states.sent, taps);
    assert.equal(states.unknown, undefined);
  });
});

Deno.test("a full disk of the site: no tap without an intent on the disk, and all goes on when there is room", async () => {
  await withWorld({}, async (world) => {
    const { product } = world;
    await world.untilTapped(0.3);
    const before = await world.freezeAt("leased");
    await setDiskFull(product.pid("agent")!, true);
    world.thaw();
    const hasLogged = () =>
      Promise.resolve(/journal_not_writable.+disk I\/O error/.test(product.lines.join("")));
    await until(hasLogged, PATIENCE_MS, "an agent that cannot write logs it");
    await pause(1_000);
    const after = await world.freezeAt(null);
    assert.deepEqual(after.tapsWithoutIntent, []);
    assert.ok(after.taps - before.taps <= world.plan.devices, "more was tapped than was on its way");
    world.thaw();
    await setDiskFull(product.pid("agent")!, false);
    await settle(world);
    compare(world);
  });
});

Deno.test("a full disk of the edge: it refuses, lives on, and ends the campaign when there is room", async () => {
  await withWorld({}, async (world) => {
    const { product, clients: [client] } = world;
    await world.untilTapped(0.3);
    await setDiskFull(product.pid("edge")!, true);
    const status = await client!.request("pause");
    assert.ok(status >= 500, `a write was answered with ${status}`);
    await pause(4_000);
    assert.equal(product.exitCode("edge"), null);
    await setDiskFull(product.pid("edge")!, false);
    await settle(world);
    assertAllSent(world);
  });
});

Deno.test("a lost journal: the site's rows become unknown, and no others", async () => {
  await withWorld({}, async (world) => {
    const { product } = world;
    const held = heldOf(await catchAt(world, "tapped"));
    await product.kill("agent");
    for (const file of ["journal.db", "journal.db-wal"]) await Deno.remove(`${agentDir(world)}/${file}`);
    world.knowsJournal = false;
    world.thaw();
    await product.launch("agent");
    await settle(world);
    const { unknown } = compare(world, { unknownReasons: ["journal_lost"] });
    assert.ok(unknown.journal_lost! > 0, "nothing was held");
    assertOnly(held, unknownPhones(world));
    assert.deepEqual(product.query("SELECT id FROM sites WHERE stopped"), []);
  });
});

Deno.test("a new disk at the site: it joins as another site, and nobody taps rows that the first acknowledged", async () => {
  await withWorld({}, async (world) => {
    const { product } = world;
    // Offers without an acknowledgement return to the queue.
    const isAcknowledged = () =>
      product.query("SELECT id FROM deliveries WHERE state = 'leased' AND acked_at IS NOT NULL").length > 0;
    const held = heldOf(await catchAt(world, "leased", 0.3, isAcknowledged));
    await product.kill("agent");
    await Deno.remove(agentDir(world), { recursive: true });
    world.knowsJournal = false;
    world.thaw();
    await addSite(product, "אתר חדש");
    await product.launch("agent");
    const first = product.query<{ id: number }>("SELECT min(id) AS id FROM sites")[0]!.id;
    const waiting = () =>
      product.query<{ phone: string }>(
        "SELECT '+' || phone AS phone FROM deliveries WHERE state = 'leased' AND site = ? AND acked_at IS NOT NULL",
        first,
      ).map(({ phone }) => phone);
    await until(
      () => {
        const [rest] = product.query<{ n: number }>(
          `SELECT count(*) AS n FROM deliveries
            WHERE state = 'queued' OR (state = 'leased' AND (site <> ? OR acked_at IS NULL))`,
          first,
        );
        return Promise.resolve(rest!.n === 0);
      },
      SETTLE_MS,
      "the new site sends all but what the first one held",
    );
    assert.ok(waiting().length > 0, "the first site held nothing");
    assertOnly(held, waiting());
    await actOnSite(product, first, "revoke");
    await settle(world);
    const { unknown } = compare(world, { unknownReasons: ["site_revoked"] });
    assert.ok(unknown.site_revoked! > 0);
    assertOnly(held, unknownPhones(world));
  });
});

Deno.test("an old copy of the journal: the site is stopped with an alert, and taps nothing more", async () => {
  await withWorld({}, async (world) => {
    const { product } = world;
    const copyDir = await Deno.makeTempDir({ prefix: "shigur-copy-" });
    await world.untilTapped(0.2);
    await world.freezeAt("tapping");
    copyJournal(agentDir(world), copyDir);
    world.thaw();
    const held = heldOf(await catchAt(world, "leased", 0.5));
    await product.kill("agent");
    for (const file of ["journal.db", "journal.db-wal"]) await Deno.remove(`${agentDir(world)}/${file}`);
    copyJournal(copyDir, agentDir(world));
    await Deno.remove(copyDir, { recursive: true });
    world.knowsJournal = false;
    // Frozen phones tap now, by a command of the dead agent.
    world.thaw();
    await pause(1_000);
    const taps = product.taps().length;
    await product.launch("agent");
    const stopped = () =>
      product.query<{ id: number; reason: string }>(
        "SELECT id, stop_reason AS reason FROM sites WHERE stopped",
      );
    await until(() => Promise.resolve(stopped().length > 0), PATIENCE_MS, "the site is stopped");
    assert.equal(stopped()[0]!.reason, "journal_doubted");
    assert.equal(
      product.query("SELECT 1 FROM events WHERE type = 'alert' AND data ->> 'code' = 'journal_doubted'")
        .length,
      1,
    );
    await pause(3_000);
    assert.equal(product.taps().length, taps);
    await actOnSite(product, stopped()[0]!.id, "start");
    await settle(world);
    const { unknown } = compare(world, { unknownReasons: ["journal_doubted"] });
    assert.ok(unknown.journal_doubted! > 0, "nothing was held");
    assertOnly(held, unknownPhones(world));
  });
});
