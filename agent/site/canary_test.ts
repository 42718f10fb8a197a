import assert from "node:assert/strict";
import { PREFETCH_PER_DEVICE } from "shared/lease.ts";
import { AdbDisconnectedError } from "../adb/adb_error.ts";
import type { AdbClient } from "../adb/client.ts";
import { numbers, startTestSite } from "../testing/site.ts";

type TestSite = Awaited<ReturnType<typeof startTestSite>>;
const NEXT = "2.26.1.5";

/** Starts a site, and counts how often each phone's screen was read. */
async function startCountingSite(devices: number) {
  const reads: string[] = [];
  const log: [event: string, fields: Record<string, unknown>][] = [];
  const site = await startTestSite({
    phones: { devices, traits: () => ({ confirmsShare: false, appVersion: "2.25.37.76" }) },
    log: (_, event, fields = {}) => log.push([event, fields]),
    adb: (adb: AdbClient) => ({
      ...adb,
      shell(serial, command, options) {
        if (command.includes("uiautomator dump")) reads.push(serial);
        return adb.shell(serial, command, options);
      },
    }),
  });
  return { site, reads, log };
}

/** Returns the room that the site asked for since its n-th frame, by device, up to the frame with the last of `sent`. */
function rooms(site: TestSite, since = 0, sent = Infinity): Record<string, Set<number>> {
  const asked: Record<string, Set<number>> = {};
  let reported = 0;
  for (const frame of site.edge.received.slice(since)) {
    if (frame.type === "report") reported += frame.items.filter(({ outcome }) => outcome === "sent").length;
    if (reported >= sent) break;
    const devices = frame.type === "pull" ? frame.devices : frame.type === "report" ? frame.asks ?? [] : [];
    for (const { id, room } of devices) (asked[id] ??= new Set()).add(room);
  }
  return asked;
}

async function untilSent(site: TestSite, count: number): Promise<void> {
  await site.edge.until(() =>
    [...site.edge.deliveries.values()].filter(({ state }) => state === "sent").length === count
  );
}

async function untilUpdated(
  site: TestSite,
  log: [string, Record<string, unknown>][],
  count: number,
): Promise<void> {
  await site.edge.until(() => log.filter(([event]) => event === "app_updated").length === count);
}

Deno.test("after an update a phone holds one delivery at a time and reads again before each tap, until three are proven", async () => {
  const { site, reads, log } = await startCountingSite(1);
  await using _ = site;
  site.edge.queue(1, { text: "לפני" }, numbers(3));
  await untilSent(site, 3);
  assert.ok(Math.max(...rooms(site).SIM0001!) > 1);

  site.simulator.phones[0]!.appVersion = NEXT;
  await untilUpdated(site, log, 1);
  const since = site.edge.received.length;
  reads.length = 0;
  site.edge.queue(2, { text: "אחרי" }, numbers(10).slice(3, 6));
  await untilSent(site, 6);
  assert.deepEqual(rooms(site, since, 3).SIM0001, new Set([1]));
  // The opening, the reading before the tap, the proof.
  assert.equal(reads.length, 9);

  const free = site.edge.received.length;
  reads.length = 0;
  site.edge.queue(3, { text: "שוב" }, numbers(10).slice(6));
  await untilSent(site, 10);
  assert.ok(Math.max(...rooms(site, free).SIM0001!) > 1);
  assert.equal(reads.length, 8);
  assert.equal(site.taps().length, 10);
});

Deno.test("the first delivery after an update is a canary already, however short ago the phone's apps were listed", async () => {
  const { site, reads, log } = await startCountingSite(1);
  await using _ = site;
  site.edge.queue(1, { text: "לפני" }, numbers(40));
  await untilSent(site, 5);
  const tapsBefore = site.taps().length;
  site.simulator.phones[0]!.appVersion = NEXT;
  reads.length = 0;
  await site.edge.until(() => log.some(([event]) => event === "app_updated"));
  // Only what had its phone's fence before the update.
  assert.ok(site.taps().length - tapsBefore <= 1, String(site.taps().length - tapsBefore));
  // A request for more may have left before the update was noticed.
  const since = site.edge.received.length + 1;
  await untilSent(site, tapsBefore + 3);
  assert.deepEqual(rooms(site, since, 2).SIM0001, new Set([1]));
  await untilSent(site, 40);
  assert.equal(site.taps().length, 40);
});

Deno.test("another phone of the version learns from the first one's proven sends", async () => {
  const { site, log } = await startCountingSite(2);
  await using _ = site;
  await site.edge.until(() => Object.keys(rooms(site)).length === 2);
  for (const phone of site.simulator.phones) phone.appVersion = NEXT;
  await untilUpdated(site, log, 2);
  const since = site.edge.received.length;
  site.simulator.phones[1]!.unplug();
  await site.edge.until(() =>
    log.some(([event, { device }]) => event === "device_away" && device === "SIM0002")
  );
  site.edge.queue(1, { text: "שלום" }, numbers(3));
  await untilSent(site, 3);
  assert.deepEqual(rooms(site, since, 3).SIM0001, new Set([1]));
  const later = site.edge.received.length;
  site.simulator.phones[1]!.replug();
  await site.edge.until(() => rooms(site, later).SIM0002?.has(PREFETCH_PER_DEVICE) === true);
});

Deno.test("an update is remembered over a restart, and a version that comes back is known", async () => {
  const { site, log } = await startCountingSite(1);
  await using _ = site;
  site.edge.queue(1, { text: "לפני" }, numbers(3));
  await untilSent(site, 3);
  const [phone] = site.simulator.phones;
  phone!.appVersion = NEXT;
  await untilUpdated(site, log, 1);
  await site.stop();
  const since = site.edge.received.length;
  site.start();
  await site.edge.until(() => rooms(site, since).SIM0001 !== undefined);
  assert.deepEqual(rooms(site, since).SIM0001, new Set([1]));
  phone!.appVersion = "2.25.37.76";
  await untilUpdated(site, log, 2);
  assert.deepEqual(log.filter(([event]) => event === "app_updated").map(([, { isKnown }]) => isKnown), [
    false,
    true,
  ]);
  const later = site.edge.received.length;
  await site.edge.until(() => rooms(site, later).SIM0001?.has(PREFETCH_PER_DEVICE) === true);
});

Deno.test("a phone that is updated while deliveries wait for it gives them back, and none is lost or sent twice", async () => {
  const { site, log } = await startCountingSite(1);
  await using _ = site;
  site.edge.queue(1, { text: "שלום" }, numbers(40));
  await untilSent(site, 5);
  site.simulator.phones[0]!.appVersion = NEXT;
  await untilUpdated(site, log, 1);
  await untilSent(site, 40);
  assert.equal(new Set(site.taps().map(({ phone: number }) => number)).size, 40);
  assert.equal(site.taps().length, 40);
});

for (const failure of ["empty", "error", "away"] as const) {
  Deno.test(`an update whose version could not be read (${failure}) is asked for again before the next text is typed`, async () => {
    let isArmed = false;
    const log: string[] = [];
    const reads: string[] = [];
    const site = await startTestSite({
      phones: { devices: 1, traits: () => ({ confirmsShare: false, appVersion: "2.25.37.76" }) },
      log: (_, event) => log.push(event),
      adb: (adb: AdbClient) => ({
        ...adb,
        async shell(serial, command, options) {
          if (command.includes("uiautomator dump")) reads.push(serial);
          if (!isArmed || !command.includes("dumpsys package")) {
            return await adb.shell(serial, command, options);
          }
          isArmed = false;
          if (failure === "away") throw new AdbDisconnectedError("device offline");
          if (failure === "error") return { stdout: "", stderr: "Can't find service: package", exitCode: 1 };
          const answer = await adb.shell(serial, command, options);
          return { ...answer, stdout: answer.stdout.replaceAll(/.*versionName.*/g, "") };
        },
      }),
    });
    await using _ = site;
    site.edge.queue(1, { text: "לפני" }, numbers(40));
    await untilSent(site, 5);
    isArmed = true;
    site.simulator.phones[0]!.appVersion = NEXT;
    const tapsBefore = site.taps().length;
    await site.edge.until(() => log.includes("app_updated"));
    assert.ok(site.taps().length - tapsBefore <= 2, String(site.taps().length - tapsBefore));
    await untilSent(site, 40);
    assert.equal(site.taps().length, 40);
  });
}
