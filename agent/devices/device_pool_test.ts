import assert from "node:assert/strict";
import { type AdbClient, createAdbClient } from "../adb/client.ts";
import { AdbTimeoutError } from "../adb/adb_error.ts";
import { DevicePool } from "./device_pool.ts";
import { control } from "../testing/control.ts";
import { startSimulator } from "../../simulator/start_simulator.ts";
import type { SimulatorOptions } from "../../simulator/start_simulator.ts";
import type { VirtualPhone } from "../../simulator/phone/virtual_phone.ts";
import { steadyAdb, steadyClock } from "../testing/steady_clock.ts";
import { tempFolder } from "../testing/temp_folder.ts";

/** The step for a time in which nothing should happen for long. */
const LONG_STEP_MS = 200;

const ADDRESS = "192.0.2.7:5555";

/** Starts a pool over simulated phones in a time of its own, and records its calls. */
async function startPool(phones: Partial<SimulatorOptions> = {}) {
  const clock = steadyClock();
  // Only a probe and the work after it have to be in time.
  clock.stepMs = 100;
  const tapLogPath = `${await tempFolder()}/taps.jsonl`;
  const simulator = await startSimulator({
    devices: 1,
    speed: Infinity,
    ...phones,
    now: () => clock.now(),
    sleep: clock.sleep,
    tapLogPath,
  });
  const asked: string[] = [];
  const probed: string[] = [];
  const deaf = new Set<string>();
  const withoutApps = new Set<string>();
  const losing = { isNext: false };
  const late = new Map<string, Promise<void>>();
  const answered: string[] = [];
  const met: string[] = [];
  const client = steadyAdb(createAdbClient({ hostname: "127.0.0.1", port: simulator.port }), clock);
  const adb: AdbClient = {
    ...client,
    async shell(address, command, options) {
      asked.push(address);
      if (command.includes("sys.boot_completed")) probed.push(address);
      const isHanging = withoutApps.has(address) && command.includes("pm list");
      if (deaf.has(address) || isHanging) throw new AdbTimeoutError("Nothing came back");
      if (losing.isNext && command.includes("sys.boot_completed") && command.includes("pm list")) {
        losing.isNext = false;
        await clock.sleep(options.timeoutMs);
        throw new AdbTimeoutError("Nothing came back");
      }
      const answer = await client.shell(address, command, options);
      answered.push(address);
      await late.get(address);
      return answer;
    },
  };
  const lost: string[] = [];
  const stop = new AbortController();
  const pool = new DevicePool({
    adb,
    clock,
    log: () => {},
    onDevice: (device) => void met.push(device),
    onChange() {},
    onLost: (device) => void lost.push(device),
  });
  const running = Promise.all([pool.track(stop.signal), pool.probe(stop.signal)]);
  const device = (name = "SIM0001") => pool.inventory().devices.find(({ device }) => device === name);
  return {
    pool,
    clock,
    simulator,
    /** Addresses of all commands so far. */
    asked,
    /** Addresses of all health checks. */
    probed,
    /** Addresses that give no answer. */
    deaf,
    /** Addresses that never answer a question about apps. */
    withoutApps,
    /** Whether the next answer of health and apps is lost. */
    losing,
    /** The promise that every answer over an address waits for. */
    late,
    /** Addresses of all answers so far, including the late ones. */
    answered,
    /** Devices in the order in which they were first identified. */
    met,
    lost,
    device,
    account: (name = "SIM0001/com.whatsapp/0") =>
      pool.inventory().accounts.find(({ account }) => account === name),
    control: (request: string) => control(simulator.port, request),
    async until(test: () => boolean): Promise<void> {
      while (!test()) await clock.sleep(100);
    },
    untilState: async (state: string) => {
      while (device()?.state !== state) await clock.sleep(100);
    },
    async [Symbol.asyncDispose]() {
      stop.abort();
      await running;
      await simulator.shutdown();
      clock[Symbol.dispose]();
    },
  };
}

const STATES = [
  { act: "pin", state: "locked", detail: "it wants its PIN, pattern or password", undo: "unpin" },
  { act: "booting", state: "booting", detail: "the boot is not completed", undo: "booted" },
  { act: "heat:46", state: "hot", detail: "battery at 46.0 °C", undo: "heat:30" },
  { act: "storage:150", state: "low_storage", detail: "150 MB free on /data", undo: "storage:9000" },
  { act: "unauthorized", state: "unauthorized", detail: "adb lists it as unauthorized", undo: "replug" },
  { act: "offline", state: "offline", detail: "adb lists it as offline", undo: "replug" },
  { act: "unplug", state: "offline", detail: null, undo: "replug" },
];

for (const { act, state, detail, undo } of STATES) {
  Deno.test(`DevicePool reports ${state} within 30 s of "${act}", and online again after "${undo}"`, async () => {
    await using site = await startPool();
    await site.until(() => site.account()?.state === "ok");
    assert.equal(site.device()?.stateDetail, null);
    await site.control(`SIM0001:${act}`);
    const since = site.clock.monotonic();
    await site.untilState(state);
    assert.ok(site.clock.monotonic() - since <= 30_000);
    assert.equal(site.device()?.stateDetail, detail);
    assert.equal(site.account()?.state, "unreachable");
    await site.control(`SIM0001:${undo}`);
    await site.until(() => site.account()?.state === "ok");
  });
}

Deno.test("DevicePool reports the health of a phone that does not list its apps", async () => {
  await using site = await startPool();
  await site.until(() => site.account()?.state === "ok");
  site.withoutApps.add("SIM0001");
  await site.control("SIM0001:heat:46");
  const keepsAnswering = new AbortController();
  const working = (async () => {
    while (!keepsAnswering.signal.aborted) {
      await site.pool.reachable("SIM0001")?.run("echo at work", { timeoutMs: 5_000 });
      await site.clock.sleep(2_000);
    }
  })();
  const hotBy = site.clock.monotonic() + 60_000;
  await site.until(() => site.device()?.state === "hot" || site.clock.monotonic() > hotBy);
  assert.equal(
    site.device()?.state,
    "hot",
    "its work keeps it online, and its health is still asked for",
  );
  keepsAnswering.abort();
  await working;
});

Deno.test("DevicePool keeps an idle phone online when one answer is lost", async () => {
  await using site = await startPool();
  await site.until(() => site.account()?.state === "ok");
  site.losing.isNext = true;
  await site.until(() => !site.losing.isNext);
  const before = site.probed.length;
  await site.until(() => site.probed.length === before + 2);
  assert.deepEqual(site.lost, []);
});

Deno.test("DevicePool checks a phone at once that was plugged in again, however healthy it was before", async () => {
  await using site = await startPool();
  await site.until(() => site.account()?.state === "ok");
  const before = site.probed.length;
  // Unplug the phone shortly after a check.
  await site.until(() => site.probed.length > before);
  await site.clock.sleep(200);
  const [phone] = site.simulator.phones as [VirtualPhone];
  phone.unplug();
  await site.untilState("offline");
  phone.isPinSet = true;
  phone.lock();
  phone.replug();
  await site.until(() => site.device()?.state !== "offline");
  const from = site.clock.monotonic();
  await site.untilState("locked");
  assert.ok(site.clock.monotonic() - from < 5_000);
});

Deno.test("DevicePool ignores answers of a phone from before its restart", async () => {
  await using site = await startPool();
  await site.until(() => site.account()?.state === "ok");
  const [phone] = site.simulator.phones as [VirtualPhone];
  phone.unplug();
  await site.untilState("offline");
  phone.bootId = crypto.randomUUID();
  phone.isBooting = true;
  site.withoutApps.add("SIM0001");
  phone.replug();
  await site.until(() => site.device()?.state !== "offline");
  assert.equal(site.device()?.state, "booting");
  await site.clock.sleep(20_000);
  assert.equal(site.device()?.state, "booting", "whoever asks it for its apps would wait");
});

Deno.test("DevicePool reports low_battery only for a phone that does not charge", async () => {
  await using site = await startPool();
  await site.untilState("online");
  await site.control("SIM0001:battery:10");
  await site.until(() => site.device()?.batteryPercent === 10);
  assert.equal(site.device()?.state, "online");
  await site.control("SIM0001:charger:off");
  await site.untilState("low_battery");
  assert.equal(site.device()?.stateDetail, "battery at 10 %, not charging");
});

Deno.test("DevicePool shows a phone that allowed no debugging yet by its address, until it gives its serial", async () => {
  await using site = await startPool();
  const [phone] = site.simulator.phones;
  await site.untilState("online");
  phone!.unplug();
  phone!.reportedSerial = "R58M";
  phone!.setNetwork("192.0.2.7:5555", "unauthorized");
  await site.until(() => site.device("192.0.2.7:5555")?.state === "unauthorized");
  phone!.setNetwork("192.0.2.7:5555");
  await site.until(() => site.device("R58M")?.state === "online");
  const states = site.pool.inventory().devices.map(({ device, state }) => `${device} ${state}`);
  assert.deepEqual(states, ["SIM0001 offline", "R58M online"]);
});

Deno.test("DevicePool counts a phone once that no longer allows debugging over the network", async () => {
  await using site = await startPool({ devices: 2 });
  const [phone, other] = site.simulator.phones;
  const names = () => site.pool.inventory().devices.map(({ device }) => device);
  await site.until(() => ["SIM0001", "SIM0002"].every((name) => site.device(name)?.state === "online"));
  phone!.setNetwork("192.0.2.7:5555");
  await site.until(() => site.device()?.addresses.length === 2);
  phone!.unplug();
  phone!.setNetwork(null);
  await site.untilState("offline");
  phone!.setNetwork("192.0.2.7:5555", "unauthorized");
  await site.untilState("unauthorized");
  assert.deepEqual(names(), ["SIM0001", "SIM0002"]);
  phone!.replug();
  await site.untilState("online");
  assert.deepEqual(site.device()?.addresses, ["SIM0001", "192.0.2.7:5555"]);

  phone!.setNetwork(null);
  await site.until(() => site.device()?.addresses.length === 1);
  other!.unplug();
  other!.setNetwork("192.0.2.7:5555", "unauthorized");
  await site.until(() => site.device()?.addresses.length === 2);
  other!.setNetwork("192.0.2.7:5555");
  await site.until(() => site.device("SIM0002")?.address === "192.0.2.7:5555");
  assert.deepEqual(site.device()?.addresses, ["SIM0001"], "whoever answers there has said who it is");
});

Deno.test("DevicePool checks a hanging phone less often, others as before, and at once when adb lists a change", async () => {
  await using site = await startPool({ devices: 2 });
  await site.until(() => site.pool.inventory().accounts.filter(({ state }) => state === "ok").length === 2);
  await site.control("SIM0001:mute");
  await site.untilState("not_answering");
  assert.match(site.device()!.stateDetail!, /^no answer: /);
  assert.equal(site.account()?.state, "unreachable");
  const from = site.clock.monotonic();
  site.asked.length = 0;
  site.clock.stepMs = LONG_STEP_MS;
  await site.clock.sleep(200_000);
  const count = (serial: string) => site.asked.filter((address) => address === serial).length;
  assert.ok(count("SIM0001") >= 1 && count("SIM0001") <= 5, `${count("SIM0001")} times`);
  assert.ok(count("SIM0002") >= 15, `the other ${count("SIM0002")} times`);
  assert.equal(site.device("SIM0002")?.state, "online");
  assert.ok(site.clock.monotonic() - from >= 200_000);
  await site.control("SIM0001:unmute");
  await site.control("SIM0001:unplug");
  await site.control("SIM0001:replug");
  const replugged = site.clock.monotonic();
  await site.untilState("online");
  assert.ok(site.clock.monotonic() - replugged < 30_000);
});

Deno.test("DevicePool checks a working phone half as often, unless something is wrong", async () => {
  await using site = await startPool({ devices: 2 });
  await site.until(() => site.pool.inventory().accounts.filter(({ state }) => state === "ok").length === 2);
  site.clock.stepMs = LONG_STEP_MS;
  const work = async () => {
    site.probed.length = site.asked.length = 0;
    for (const end = site.clock.monotonic() + 150_000; site.clock.monotonic() < end;) {
      await site.pool.reachable("SIM0001")!.run("echo at work", { timeoutMs: 5_000 });
      await site.clock.sleep(2_000);
    }
    return (serial: string) => site.probed.filter((address) => address === serial).length;
  };
  const whileWell = await work();
  assert.ok(whileWell("SIM0001") >= 5 && whileWell("SIM0001") * 1.5 < whileWell("SIM0002"));
  const asked = site.asked.filter((address) => address === "SIM0002").length;
  assert.equal(asked, whileWell("SIM0002"), "its accounts are asked for in the same command");
  await site.control("SIM0001:heat:46");
  await site.untilState("hot");
  const whileHot = await work();
  assert.ok(whileHot("SIM0001") * 1.5 > whileHot("SIM0002"));
  assert.equal(site.device()?.state, "hot");
});

Deno.test("DevicePool counts a phone on USB and network once, switches to the other path, and back to the cable", async () => {
  await using site = await startPool();
  await site.untilState("online");
  await site.control("SIM0001:network:192.0.2.7:5555");
  await site.until(() => site.device()?.addresses.length === 2);
  assert.deepEqual(site.device()?.addresses, ["SIM0001", "192.0.2.7:5555"]);
  assert.equal(site.pool.inventory().devices.length, 1);
  const phone = site.pool.reachable("SIM0001")!;
  await site.control("SIM0001:unplug");
  await site.until(() => site.device()?.addresses.length === 1);
  assert.deepEqual([site.device()?.address, site.device()?.state], ["192.0.2.7:5555", "online"]);
  site.asked.length = 0;
  assert.equal(await phone.run("getprop ro.serialno"), "SIM0001\n");
  assert.ok(site.asked.includes("192.0.2.7:5555"));
  await site.control("SIM0001:replug");
  await site.until(() => site.device()?.address === "SIM0001");
  await site.control("SIM0001:network");
  await site.until(() => site.device()?.addresses.length === 1);
  assert.deepEqual(site.device()?.addresses, ["SIM0001"]);
  assert.deepEqual(site.lost, [], "it was never away");
});

Deno.test("DevicePool leaves a cable without answers, and tries it again after a minute", async () => {
  await using site = await startPool();
  await site.untilState("online");
  await site.control("SIM0001:network:192.0.2.7:5555");
  await site.until(() => site.device()?.addresses.length === 2);
  site.deaf.add("SIM0001");
  site.clock.stepMs = LONG_STEP_MS;
  await site.until(() => site.device()?.address === "192.0.2.7:5555");
  assert.equal(site.device()?.state, "online");
  site.deaf.clear();
  await site.until(() => site.device()?.address === "SIM0001");
  assert.deepEqual(site.lost, []);
});

Deno.test("DevicePool makes the adb server reconnect a network phone that it forgot", async () => {
  await using site = await startPool();
  await site.untilState("online");
  await site.control("SIM0001:network:192.0.2.7:5555");
  await site.until(() => site.device()?.addresses.length === 2);
  site.clock.stepMs = LONG_STEP_MS;
  await site.control("SIM0001:forget");
  await site.until(() => site.device()?.addresses.length === 1);
  await site.until(() => site.device()?.addresses.length === 2);
  await site.control("SIM0001:network");
  await site.until(() => site.device()?.addresses.length === 1);
  await site.clock.sleep(60_000);
  assert.deepEqual(site.device()?.addresses, ["SIM0001"], "one that has left is not found by asking");
});

Deno.test("DevicePool treats two phones with one serial number as two, and works with the first", async () => {
  await using site = await startPool({ devices: 2 });
  const [first, second] = site.simulator.phones;
  await site.until(() => site.pool.inventory().accounts.filter(({ state }) => state === "ok").length === 2);
  second!.unplug();
  second!.reportedSerial = "SIM0001";
  second!.setNetwork("192.0.2.9:5555");
  await site.until(() => site.device()?.stateDetail !== null);
  assert.match(site.device()!.stateDetail!, /192\.0\.2\.9:5555, has the same serial number/);
  assert.deepEqual(site.device()?.addresses, ["SIM0001"]);
  const boot = await site.pool.reachable("SIM0001")!.run("cat /proc/sys/kernel/random/boot_id");
  assert.equal(boot.trim(), first!.bootId);
  second!.setNetwork(null);
  await site.until(() => site.device()?.stateDetail === null);
});

Deno.test("DevicePool does not confuse a phone with another of the same serial that hangs on its cable", async () => {
  await using site = await startPool({ devices: 2 });
  const [first, second] = site.simulator.phones;
  await site.until(() => site.pool.inventory().accounts.filter(({ state }) => state === "ok").length === 2);
  second!.unplug();
  second!.reportedSerial = "SIM0001";
  site.deaf.add("SIM0001");
  second!.setNetwork("192.0.2.9:5555");
  await site.until(() =>
    site.answered.includes("192.0.2.9:5555") && site.device()?.state === "not_answering"
  );
  assert.deepEqual(site.device()?.addresses, ["SIM0001"]);
  site.deaf.delete("SIM0001");
  await site.until(() => site.device()?.state === "online");
  const boot = await site.pool.reachable("SIM0001")!.run("cat /proc/sys/kernel/random/boot_id");
  assert.equal(boot.trim(), first!.bootId);
});

Deno.test("DevicePool reports app_missing for a removed app, and for a phone that never had one", async () => {
  await using site = await startPool();
  await site.until(() => site.account()?.state === "ok");
  await site.control("SIM0001:uninstall:com.whatsapp/0");
  await site.until(() => site.account()?.state === "app_missing");
  assert.equal(site.device()?.stateDetail, "no messaging app is installed");
  assert.equal(site.pool.usable("SIM0001"), null);
  await site.control("SIM0001:install:com.whatsapp/0");
  await site.until(() => site.account()?.state === "ok");
  await using bare = await startPool({ traits: () => ({ accounts: [] }) });
  await bare.until(() => bare.account()?.state === "app_missing");
  assert.equal(bare.account()?.account, "SIM0001/com.whatsapp/0");
});

Deno.test("DevicePool cannot reach an account whose Android user is not in front", async () => {
  const firstInstalledAt = Date.UTC(2025, 0);
  await using site = await startPool({
    traits: () => ({
      accounts: [
        { app: "com.whatsapp", user: 0, firstInstalledAt },
        { app: "com.whatsapp", user: 11, firstInstalledAt },
      ],
      users: { 11: { name: "Second", flags: 0x410, isRunning: true } },
    }),
  });
  await site.until(() => site.account("SIM0001/com.whatsapp/11") !== undefined);
  const states = () => site.pool.inventory().accounts.map(({ state }) => state).join();
  assert.equal(states(), "ok,unreachable");
  await site.control("SIM0001:user:11");
  await site.until(() => states() === "unreachable,ok");
  assert.equal(site.pool.inventory().accounts[1]?.userKind, "secondary");
});

Deno.test("DevicePool keeps a phone when another one answers at its old address, and closes that connection", async () => {
  await using test = await startPool({ devices: 2 });
  const [first, second] = test.simulator.phones as [VirtualPhone, VirtualPhone];
  second.unplug();
  first.setNetwork(ADDRESS);
  const waysOf = (name: string) => test.device(name)?.addresses.length;
  await test.until(() => waysOf("SIM0001") === 2);
  first.setNetwork(null);
  await test.until(() => waysOf("SIM0001") === 1);

  const answer = Promise.withResolvers<void>();
  test.late.set(ADDRESS, answer.promise);
  const before = test.answered.length;
  second.setNetwork(ADDRESS);
  await test.until(() => test.answered.includes(ADDRESS, before));
  // Its answer is on the way when it asks for permission again.
  second.setNetwork(ADDRESS, "unauthorized");
  await test.until(() => waysOf("SIM0001") === 2);
  answer.resolve();
  await test.until(() => test.device("SIM0002") !== undefined);
  await test.clock.sleep(30_000);
  assert.equal(test.device("SIM0001")?.state, "online");
  assert.deepEqual(test.met, ["SIM0001", "SIM0002"], "each has one worker");
});
