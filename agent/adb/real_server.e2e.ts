import assert from "node:assert/strict";
import { systemClock } from "../time/system_clock.ts";
import { enroll } from "../edge/identity.ts";
import { type SimulatorOptions, startSimulator } from "../../simulator/start_simulator.ts";
import { FakeEdge, JOIN_TOKEN } from "../testing/fake_edge.ts";
import { startRealAdbServer } from "../testing/real_adb_server.ts";
import { numbers, startTestSite } from "../testing/site.ts";
import { AdbDeviceUnauthorizedError } from "./adb_error.ts";
import { tempFolder } from "../testing/temp_folder.ts";

// Not named _test: it needs the `adb` binary and fails without it. Run: deno test -A agent/adb/real_server.e2e.ts

const BOUND = { timeoutMs: 10_000 };

/** Starts a real adb server, connected to virtual phones that speak the device side of adb. */
async function startPhones(options: Partial<SimulatorOptions> = {}) {
  const tapLogPath = `${await tempFolder()}/taps.jsonl`;
  const simulator = await startSimulator({
    devices: 1,
    speed: Infinity,
    adbdPorts: 1,
    ...options,
    tapLogPath,
  });
  const real = await startRealAdbServer();
  const addresses = simulator.adbd.map(([port]) => port!.address);
  for (const address of addresses) await real.adb.connect(address);
  return {
    ...real,
    simulator,
    addresses,
    async [Symbol.asyncDispose]() {
      await real[Symbol.asyncDispose]();
      await simulator.shutdown();
    },
  };
}

Deno.test("a real adb server carries shells, exit codes and files between the client and adbd", async () => {
  await using site = await startPhones();
  const { adb, addresses: [address = ""] } = site;
  assert.equal(await adb.version(), 41);
  const [listed] = await adb.devices();
  assert.deepEqual([listed?.serial, listed?.state], [address, "device"]);
  const output = await adb.shell(address, "getprop ro.serialno; nonesuch; exit 7", BOUND);
  assert.deepEqual([output.stdout, output.exitCode], ["SIM0001\n", 7]);
  assert.match(output.stderr, /not found/);
  const bytes = new Uint8Array(3_000_000).map((_, i) => (i * 7) ^ (i >> 10));
  await adb.push(address, bytes, "/sdcard/Download/a.bin", BOUND);
  assert.deepEqual(await adb.pull(address, "/sdcard/Download/a.bin", BOUND), bytes);
  assert.equal((await adb.stat(address, "/sdcard/Download/a.bin", BOUND))?.size, bytes.length);
  assert.equal(await adb.stat(address, "/sdcard/none", BOUND), null);
  await assert.rejects(adb.connect("127.0.0.1:1"), /Cannot connect to 127.0.0.1:1: failed to connect/);
});

Deno.test("a real adb server answers many shells of many phones at once, each its own", async () => {
  await using site = await startPhones({ devices: 20 });
  const numbers = [1, 2, 3, 4, 5];
  const asked = site.addresses.flatMap((address) =>
    numbers.map((n) => site.adb.shell(address, `getprop ro.serialno; echo ${n}`, BOUND))
  );
  const wanted = site.simulator.phones.flatMap(({ serial }) => numbers.map((n) => `${serial}\n${n}\n`));
  assert.deepEqual((await Promise.all(asked)).map(({ stdout }) => stdout), wanted);
});

Deno.test("a real adb server lists a phone that refuses its key as unauthorized, until a person accepts it", async () => {
  await using site = await startPhones();
  const { simulator: { phones: [phone] }, addresses: [address = ""] } = site;
  phone!.unplug();
  await site.until(async () => await site.stateOf(address) === "offline");
  phone!.setAvailability("unauthorized");
  await site.until(async () => await site.stateOf(address) === "unauthorized");
  await assert.rejects(site.adb.shell(address, "true", BOUND), AdbDeviceUnauthorizedError);
  phone!.setAvailability("device");
  await site.until(async () => await site.stateOf(address) === "device");
  assert.equal((await site.adb.shell(address, "getprop ro.serialno", BOUND)).stdout, "SIM0001\n");
});

/** Starts a whole site. Its agent reaches its phones through a real adb server. */
async function startSite(devices: number, adbdPorts = 1) {
  const real = await startRealAdbServer();
  const site = await startTestSite({
    // The adb server runs on the machine's real time.
    clock: systemClock,
    phones: { devices, adbdPorts },
    edge: { settings: { rateLimit: 0.5 } },
    adb: () => real.adb,
    networkPhones: (simulator) => simulator.adbd.flat().map(({ address }) => address),
  });
  return {
    site,
    real,
    phones: site.simulator.phones,
    sent: () => site.edge.states().sent ?? 0,
    device: () => site.edge.received.findLast((frame) => frame.type === "inventory")?.devices[0],
    /** Checks in the phones' own log that every number was tapped once. */
    assertOnce(wanted: string[]) {
      assert.deepEqual(site.taps().map(({ phone }) => phone).sort(), wanted);
    },
    async [Symbol.asyncDispose]() {
      await site[Symbol.asyncDispose]();
      await real[Symbol.asyncDispose]();
    },
  };
}

Deno.test("deliveries go once each through a real adb server while phones are unplugged and the server is killed", async () => {
  await using all = await startSite(3);
  const { site: { edge }, real, phones } = all;
  const wanted = numbers(30);
  edge.queue(1, { text: "שלום 'עולם' 🙂" }, wanted);
  await edge.until(() => all.sent() >= 4);
  phones[0]!.unplug();
  await edge.until(() => all.sent() >= 8);
  phones[0]!.replug();
  await edge.until(() => all.sent() >= 12);
  real.kill();
  await real.until(() => real.logged.filter((event) => event === "adb_server_started").length === 2);
  phones[1]!.setAvailability("unauthorized");
  await edge.until(() => all.sent() >= 20);
  phones[1]!.setAvailability("device");
  await edge.until(() => all.sent() === wanted.length);
  all.assertOnce(wanted);
});

Deno.test("deliveries go on through a real adb server when one of a phone's two ways is cut", async () => {
  await using all = await startSite(1, 2);
  const { site: { edge, simulator } } = all;
  await edge.until(() => all.device()?.addresses.length === 2);
  const wanted = numbers(12);
  edge.queue(1, { text: "שלום" }, wanted);
  const [ways] = simulator.adbd;
  for (const [at, way] of [ways![0]!, ways![1]!].entries()) {
    await edge.until(() => all.sent() >= 3 + 4 * at);
    way.cut(true);
    await edge.until(() => all.sent() >= 5 + 4 * at);
    way.cut(false);
    await edge.until(() => all.device()?.addresses.length === 2);
  }
  await edge.until(() => all.sent() === wanted.length);
  all.assertOnce(wanted);
  assert.equal(
    new Set(
      all.site.edge.received.flatMap((frame) =>
        frame.type === "inventory" ? frame.devices.map(({ device }) => device) : []
      ),
    ).size,
    1,
    "it was one phone all along",
  );
});

Deno.test("a rehearsal by its commands: simulated phones, Debian's adb, doctor, and one delivery that the tap log saw", async () => {
  const dataDir = await tempFolder();
  const env = { DATA_DIR: dataDir, AGENT_DIR: dataDir, LOG_FORMAT: "json" };
  await using simulator = new AgentProcess(["simulate", "--adbd", "--devices", "2"], env);
  const lines = await simulator.until((output) => {
    const found = [...output.matchAll(/^adb connect (\S+) {2}# (SIM\d+)$/gm)];
    return found.length === 2 && found;
  });
  assert.deepEqual(lines.map(([, , serial]) => serial), ["SIM0001", "SIM0002"]);
  await using real = await startRealAdbServer();
  const addresses = lines.map(([, address = ""]) => address);
  const adb = (...args: string[]) =>
    new Deno.Command("adb", { args: ["-P", real.address.split(":")[1]!, ...args] }).output();
  for (const address of addresses) {
    const { stdout } = await adb("connect", address);
    assert.equal(new TextDecoder().decode(stdout), `connected to ${address}\n`);
  }

  const edge = new FakeEdge();
  try {
    await enroll({ edgeUrl: edge.url, agentDir: env.AGENT_DIR, joinToken: JOIN_TOKEN });
    const site = { ...env, EDGE_URL: edge.url, ADB_SERVER: real.address };
    await using doctor = new AgentProcess(["doctor", "--json"], site);
    const found: { code: string; facts: { device?: string } }[] = JSON.parse(
      await doctor.until((output, hasEnded) => hasEnded && output),
    );
    const ready = found.filter(({ code }) => code === "phone_ok").map(({ facts }) => facts.device);
    assert.deepEqual(ready.sort(), ["SIM0001", "SIM0002"]);
    await using _agent = new AgentProcess(["run"], site);
    edge.queue(1, { text: "שלום" }, numbers(1));
    await edge.until(() => edge.states().sent === 1);
    const taps = (await Deno.readTextFile(`${dataDir}/simulator/taps.jsonl`)).trim().split("\n");
    assert.deepEqual(taps.map((line) => JSON.parse(line).phone), numbers(1));
  } finally {
    await edge.close();
  }
});

/** Runs a command of the agent as a process, and ends it with its test. */
class AgentProcess {
  readonly #child: Deno.ChildProcess;
  readonly #read: Promise<void>;
  #output = "";
  #progress = Promise.withResolvers<void>();
  #hasEnded = false;

  constructor(args: string[], env: Record<string, string>) {
    const main = new URL("../main.ts", import.meta.url).pathname;
    this.#child = new Deno.Command(Deno.execPath(), {
      args: ["run", "-q", "-A", main, ...args],
      env,
      stdin: "null",
      stdout: "piped",
    }).spawn();
    this.#read = this.#keep();
  }

  /** Returns what `look` finds in the output so far, as soon as it is not false. */
  async until<T>(look: (output: string, hasEnded: boolean) => T | false): Promise<T> {
    while (true) {
      const found = look(this.#output, this.#hasEnded);
      if (found !== false) return found;
      if (this.#hasEnded) throw new Error(`The process ended too early: ${this.#output}`);
      await this.#progress.promise;
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (!this.#hasEnded) this.#child.kill("SIGTERM");
    await this.#read;
    await this.#child.status;
  }

  async #keep(): Promise<void> {
    for await (const text of this.#child.stdout.pipeThrough(new TextDecoderStream())) {
      this.#output += text;
      this.#wake();
    }
    this.#hasEnded = true;
    this.#wake();
  }

  #wake(): void {
    this.#progress.resolve();
    this.#progress = Promise.withResolvers();
  }
}
