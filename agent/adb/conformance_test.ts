import assert from "node:assert/strict";
import { AdbServerClient } from "@yume-chan/adb";
import { AdbServerNodeTcpConnector } from "@yume-chan/adb-server-node-tcp";
import { startSimulator } from "../../simulator/start_simulator.ts";
import {
  AdbDeviceNotFoundError,
  AdbDeviceOfflineError,
  AdbDeviceUnauthorizedError,
  AdbRefusedError,
} from "./adb_error.ts";
import { createAdbClient } from "./client.ts";
import { shellQuote } from "./quote.ts";

/** The calls that both clients must support, each by its own API. */
interface ConformanceClient {
  serials(): Promise<string[]>;
  shell(serial: string, command: string): Promise<{ stdout: string; stderr: string; exitCode: number }>;
  push(serial: string, path: string, bytes: Uint8Array): Promise<void>;
  pull(serial: string, path: string): Promise<Uint8Array>;
  close(): Promise<void>;
}

function ownClient(port: number): ConformanceClient {
  const adb = createAdbClient({ hostname: "127.0.0.1", port });
  const options = { timeoutMs: 10_000 };
  return {
    serials: async () => (await adb.devices()).map(({ serial }) => serial),
    shell: (serial, command) => adb.shell(serial, command, options),
    push: (serial, path, bytes) => adb.push(serial, bytes, path, options),
    pull: (serial, path) => adb.pull(serial, path, options),
    close: () => Promise.resolve(),
  };
}

function tangoClient(port: number): ConformanceClient {
  const client = new AdbServerClient(new AdbServerNodeTcpConnector({ host: "127.0.0.1", port }));
  const opened = new Map<string, ReturnType<AdbServerClient["createAdb"]>>();
  const adbOf = (serial: string) => {
    const adb = opened.get(serial) ?? client.createAdb({ serial });
    opened.set(serial, adb);
    return adb;
  };
  return {
    serials: async () => (await client.getDevices()).map(({ serial }) => serial),
    shell: async (serial, command) =>
      await (await adbOf(serial)).subprocess.shellProtocol!.spawnWaitText(command),
    async push(serial, path, bytes) {
      const sync = await (await adbOf(serial)).sync();
      await sync.write({ filename: path, file: ReadableStream.from([bytes]) as never });
      await sync.dispose();
    },
    async pull(serial, path) {
      const sync = await (await adbOf(serial)).sync();
      try {
        return new Uint8Array(await new Response(sync.read(path) as unknown as ReadableStream).arrayBuffer());
      } finally {
        await sync.dispose();
      }
    },
    async close() {
      for (const adb of opened.values()) await (await adb).close();
    },
  };
}

// A timer keeps the event loop alive: the sockets of Tango are unref'd.
async function withSimulator(
  use: (port: number, simulator: Awaited<ReturnType<typeof startSimulator>>) => Promise<void>,
) {
  const directory = await Deno.makeTempDir();
  const simulator = await startSimulator({
    devices: 3,
    speed: Infinity,
    tapLogPath: `${directory}/taps.jsonl`,
  });
  const alive = setInterval(() => {}, 1_000);
  try {
    await use(simulator.port, simulator);
  } finally {
    clearInterval(alive);
    await simulator.shutdown();
    await Deno.remove(directory, { recursive: true });
  }
}

for (const [name, makeClient] of Object.entries({ own: ownClient, Tango: tangoClient })) {
  Deno.test(`${name} client: lists phones, runs commands with exit codes, and moves files whole`, () =>
    withSimulator(async (port) => {
      const client = makeClient(port);
      try {
        assert.deepEqual(await client.serials(), ["SIM0001", "SIM0002", "SIM0003"]);
        assert.deepEqual(await client.shell("SIM0002", "getprop ro.serialno"), {
          stdout: "SIM0002\n",
          stderr: "",
          exitCode: 0,
        });
        assert.deepEqual(await client.shell("SIM0001", "echo out; nope 2>/dev/null; exit 7"), {
          stdout: "out\n",
          stderr: "",
          exitCode: 7,
        });
        const missing = await client.shell("SIM0001", "cat /sdcard/none");
        assert.deepEqual([missing.stdout, missing.exitCode], ["", 1]);
        assert.match(missing.stderr, /No such file/);
        const text = `שלום 'world' "🙂" $HOME \\ \n &;|`;
        assert.equal((await client.shell("SIM0001", `echo ${shellQuote(text)}`)).stdout, `${text}\n`);

        const bytes = new Uint8Array(300_000).map((_, i) => (i * 31) ^ (i >> 8));
        await client.push("SIM0001", "/sdcard/Download/picture.jpg", bytes);
        assert.deepEqual(await client.pull("SIM0001", "/storage/emulated/0/Download/picture.jpg"), bytes);
        await assert.rejects(client.pull("SIM0001", "/sdcard/none"));
      } finally {
        await client.close();
      }
    }));
}

Deno.test("own client: stat() distinguishes a file from nothing, and push() passes on the phone's refusal", () =>
  withSimulator(async (port) => {
    const adb = createAdbClient({ hostname: "127.0.0.1", port });
    const options = { timeoutMs: 10_000 };
    await adb.push("SIM0001", new Uint8Array(5), "/sdcard/a.bin", { ...options, mode: 0o600 });
    const stat = await adb.stat("SIM0001", "/sdcard/a.bin", options);
    assert.deepEqual([stat?.size, stat && stat.mode & 0o777], [5, 0o600]);
    assert.equal(await adb.stat("SIM0001", "/sdcard/b.bin", options), null);
    await assert.rejects(adb.push("SIM0001", new Uint8Array(1), "/system/x", options), AdbRefusedError);
  }));

Deno.test("own client: distinguishes unplugged, offline and unauthorized phones", () =>
  withSimulator(async (port, { phones: [first, second] }) => {
    const adb = createAdbClient({ hostname: "127.0.0.1", port });
    const shell = (serial: string) => adb.shell(serial, "true", { timeoutMs: 10_000 });
    first!.unplug();
    second!.setAvailability("offline");
    await assert.rejects(shell("SIM0001"), AdbDeviceNotFoundError);
    await assert.rejects(shell("SIM0002"), AdbDeviceOfflineError);
    second!.setAvailability("unauthorized");
    await assert.rejects(shell("SIM0002"), AdbDeviceUnauthorizedError);
    second!.setAvailability("device");
    assert.equal((await shell("SIM0002")).exitCode, 0);
  }));

Deno.test("own client: trackDevices() returns the whole list at every change", () =>
  withSimulator(async (port, { phones: [first] }) => {
    const adb = createAdbClient({ hostname: "127.0.0.1", port });
    const seen: string[] = [];
    for await (const devices of adb.trackDevices(new AbortController().signal)) {
      seen.push(
        devices.map(({ serial, state, transportId }) => `${serial} ${state} ${transportId}`).join(", "),
      );
      if (seen.length === 1) first!.setAvailability("offline");
      if (seen.length === 2) first!.unplug();
      if (seen.length === 3) first!.replug();
      if (seen.length === 4) break;
    }
    assert.deepEqual(seen, [
      "SIM0001 device 1, SIM0002 device 2, SIM0003 device 3",
      "SIM0001 offline 1, SIM0002 device 2, SIM0003 device 3",
      "SIM0002 device 2, SIM0003 device 3",
      "SIM0001 device 4, SIM0002 device 2, SIM0003 device 3",
    ]);
  }));
