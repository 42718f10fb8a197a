import assert from "node:assert/strict";
import { createAdbClient } from "./client.ts";
import { superviseAdbServer } from "./adb_server.ts";
import { ExitError } from "../exit_error.ts";
import { startSimulator } from "../../simulator/start_simulator.ts";
import { fastClock } from "../testing/fast_clock.ts";
import { freePort, whenFree } from "../testing/free_port.ts";
import { tempFolder } from "../testing/temp_folder.ts";

const PROGRAM = [
  Deno.execPath(),
  "run",
  "-q",
  "--no-check",
  "--allow-net",
  new URL("../testing/adb_program.ts", import.meta.url).pathname,
];

/** A supervised server on a free port, and the log it has written so far. */
function supervise(port = freePort(), program = PROGRAM) {
  const stop = new AbortController();
  const logged: string[] = [];
  // A program that needs a second to start still gets fifteen seconds to answer.
  const clock = fastClock(2);
  const server = { hostname: "127.0.0.1", port };
  const log = (_: string, event: string) => void logged.push(event);
  const running = superviseAdbServer({ clock, log, server, program }, stop.signal);
  return {
    logged,
    running,
    answers: () => createAdbClient(server).version().then(() => true, () => false),
    async [Symbol.asyncDispose]() {
      stop.abort();
      await running;
    },
    async untilLogged(event: string, times = 1) {
      while (logged.filter((each) => each === event).length < times) await clock.sleep(100);
    },
    pid: () => pidOfServer(port)!,
  };
}

/** Returns the process whose command line ends as that of a server on the port does. */
function pidOfServer(port: number): number | null {
  for (const { name } of Deno.readDirSync("/proc")) {
    if (!/^\d+$/.test(name)) continue;
    try {
      const line = Deno.readTextFileSync(`/proc/${name}/cmdline`).split("\0").slice(0, -1);
      if (!line[0]!.endsWith("sh") && line.slice(-4).join(" ") === `-P ${port} server nodaemon`) {
        return Number(name);
      }
    } catch {
      // The process has ended in the meantime.
    }
  }
  return null;
}

Deno.test("superviseAdbServer() restarts a killed server, and ends it with itself", async () => {
  const site = supervise();
  await site.untilLogged("adb_server_started");
  Deno.kill(site.pid(), "SIGKILL");
  await site.untilLogged("adb_server_started", 2);
  assert.deepEqual(site.logged, ["adb_server_started", "adb_server_ended", "adb_server_started"]);
  await site[Symbol.asyncDispose]();
  assert.equal(await site.answers(), false);
});

Deno.test("superviseAdbServer() ends a server that hangs and starts another", async () => {
  await using site = supervise();
  await site.untilLogged("adb_server_started");
  Deno.kill(site.pid(), "SIGSTOP");
  await site.untilLogged("adb_server_started", 2);
  assert.deepEqual(site.logged.slice(1), ["adb_server_hangs", "adb_server_ended", "adb_server_started"]);
});

Deno.test("superviseAdbServer() leaves no server behind when its process is killed", async () => {
  const port = freePort();
  const owner = new URL("../testing/adb_owner.ts", import.meta.url).pathname;
  const child = new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "-q", "--no-check", owner, `${port}`, ...PROGRAM],
    stdout: "piped",
  }).spawn();
  const output = child.stdout.getReader();
  const { value } = await output.read();
  assert.equal(new TextDecoder().decode(value), "adb_server_started\n");
  assert.ok(pidOfServer(port));
  child.kill("SIGKILL");
  await Promise.all([child.status, output.cancel()]);
  while (pidOfServer(port) !== null) await new Promise((done) => setTimeout(done, 20));
});

Deno.test("superviseAdbServer() reports another program's server on the port, and replaces it", async () => {
  const tapLogPath = `${await tempFolder()}/taps.jsonl`;
  const options = { port: freePort(), devices: 0, speed: Infinity, tapLogPath };
  const simulator = await whenFree(() => startSimulator(options));
  await using site = supervise(simulator.port);
  await site.untilLogged("adb_server_foreign");
  assert.deepEqual(site.logged, ["adb_server_foreign"]);
  await simulator.shutdown();
  await site.untilLogged("adb_server_started");
  assert.deepEqual(site.logged, ["adb_server_foreign", "adb_server_started"]);
});

Deno.test("superviseAdbServer() reports another service on the port", async () => {
  const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const accepting = (async () => {
    for await (const conn of listener) {
      await conn.write(new TextEncoder().encode("HTTP/1.1 400 Bad Request\r\n\r\n"));
      conn.close();
    }
  })();
  await using site = supervise(listener.addr.port);
  await site.untilLogged("adb_port_taken");
  assert.deepEqual(site.logged, ["adb_port_taken"]);
  listener.close();
  await accepting;
});

Deno.test("superviseAdbServer() cannot start without an installed adb", async () => {
  const site = supervise(freePort(), ["/nonexistent/adb"]);
  await assert.rejects(site.running, ExitError);
});
