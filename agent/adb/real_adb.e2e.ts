import assert from "node:assert/strict";
import { startSimulator } from "../../simulator/start_simulator.ts";

// Not named _test: it needs the `adb` binary and fails without it. Run: deno test -A agent/adb/real_adb.e2e.ts

async function withRealAdb(
  use: (adb: (...args: string[]) => Promise<Ran>, directory: string) => Promise<void>,
) {
  const directory = await Deno.makeTempDir();
  const simulator = await startSimulator({
    devices: 3,
    speed: Infinity,
    tapLogPath: `${directory}/taps.jsonl`,
  });
  try {
    // With -H, adb never starts a server. Version 41 gives it no reason to replace this one.
    await use((...args) => runAdb(["-H", "127.0.0.1", "-P", `${simulator.port}`, ...args]), directory);
  } finally {
    await simulator.shutdown();
    await Deno.remove(directory, { recursive: true });
  }
}

interface Ran {
  code: number;
  stdout: string;
  stderr: string;
}

async function runAdb(args: string[]): Promise<Ran> {
  const { code, stdout, stderr } = await new Deno.Command("adb", { args, stdin: "null" }).output();
  const decoder = new TextDecoder();
  return { code, stdout: decoder.decode(stdout), stderr: decoder.decode(stderr) };
}

Deno.test("adb devices lists every phone, short and long", () =>
  withRealAdb(async (adb) => {
    const short = await adb("devices");
    assert.equal(
      short.stdout,
      "List of devices attached\nSIM0001\tdevice\nSIM0002\tdevice\nSIM0003\tdevice\n\n",
    );
    const long = await adb("devices", "-l");
    assert.match(
      long.stdout,
      /^SIM0002 {16}device usb:1-2 product:\S+ model:\S+ device:\S+ transport_id:2$/m,
    );
  }));

Deno.test("adb asks for state, serial, features, and waits for a phone", () =>
  withRealAdb(async (adb) => {
    assert.equal((await adb("-s", "SIM0001", "get-state")).stdout, "device\n");
    assert.equal((await adb("-s", "SIM0001", "get-serialno")).stdout, "SIM0001\n");
    assert.match((await adb("-s", "SIM0001", "features")).stdout, /^shell_v2$/m);
    assert.equal((await adb("-s", "SIM0003", "wait-for-device")).code, 0);
    assert.equal((await adb("-t", "2", "shell", "getprop", "ro.serialno")).stdout, "SIM0002\n");
  }));

Deno.test("adb shell passes exit codes on and keeps stderr apart", () =>
  withRealAdb(async (adb) => {
    assert.equal((await adb("-s", "SIM0001", "shell", "exit 7")).code, 7);
    const unknown = await adb("-s", "SIM0001", "shell", "nonesuch");
    assert.deepEqual([unknown.code, unknown.stdout], [127, ""]);
    assert.match(unknown.stderr, /not found/);
    const piped = await adb(
      "-s",
      "SIM0001",
      "shell",
      "dumpsys package com.whatsapp | grep versionName | cut -d= -f2",
    );
    assert.match(piped.stdout, /^2\.\d+/);
    assert.notEqual((await adb("-s", "NONE", "shell", "true")).code, 0);
  }));

Deno.test("adb push and pull move a file whole, to a path and into a folder", () =>
  withRealAdb(async (adb, directory) => {
    const bytes = new Uint8Array(3_000_000).map((_, i) => (i * 7) ^ (i >> 10));
    await Deno.writeFile(`${directory}/a.bin`, bytes);
    assert.equal((await adb("-s", "SIM0001", "push", `${directory}/a.bin`, "/sdcard/b.bin")).code, 0);
    assert.equal((await adb("-s", "SIM0001", "push", `${directory}/a.bin`, "/sdcard/Download/")).code, 0);
    assert.equal(
      (await adb("-s", "SIM0001", "pull", "/sdcard/Download/a.bin", `${directory}/c.bin`)).code,
      0,
    );
    assert.deepEqual(await Deno.readFile(`${directory}/c.bin`), bytes);
    assert.match((await adb("-s", "SIM0001", "ls", "/sdcard")).stdout, /b\.bin/);
    const missing = await adb("-s", "SIM0001", "pull", "/sdcard/none", `${directory}/d.bin`);
    assert.equal(missing.code, 1);
    assert.match(missing.stdout + missing.stderr, /No such file/);
  }));

Deno.test("adb exec-out gets bytes untouched, and adb kill-server does not end the simulator", () =>
  withRealAdb(async (adb) => {
    const picture = await adb("-s", "SIM0001", "exec-out", "screencap", "-p");
    assert.match(picture.stdout, /PNG/);
    await adb("kill-server");
    assert.equal((await adb("-s", "SIM0001", "get-state")).stdout, "device\n");
  }));
