/** Runs a real adb server for a test. Needs the adb program. */
import { createAdbClient } from "../adb/client.ts";
import { superviseAdbServer } from "../adb/adb_server.ts";
import { fastClock } from "./fast_clock.ts";
import { freePort } from "./free_port.ts";

/** Resolves when the server answers. Disposal ends the server and deletes its files. */
export async function startRealAdbServer() {
  const home = await Deno.makeTempDir({ prefix: "shigur-adb-" });
  const clock = fastClock(1);
  const server = { hostname: "127.0.0.1", port: freePort() };
  const logged: string[] = [];
  const stop = new AbortController();
  const supervising = superviseAdbServer({
    clock,
    log: (_, event) => void logged.push(event),
    server,
    // The server keeps its keys and traces in this folder.
    program: ["env", `HOME=${home}`, "adb"],
  }, stop.signal);
  const adb = createAdbClient(server);
  const real = {
    adb,
    /** The address in the form of ADB_SERVER. */
    address: `${server.hostname}:${server.port}`,
    logged,
    async until(test: () => boolean | Promise<boolean>): Promise<void> {
      while (!await test()) await clock.sleep(50);
    },
    /** Returns the state in which the server lists an address now. */
    async stateOf(address: string): Promise<string | undefined> {
      return (await adb.devices()).find(({ serial }) => serial === address)?.state;
    },
    /** Kills the server as a crash would; its supervisor starts it again. */
    kill(): void {
      Deno.kill(pidOf(server.port), "SIGKILL");
    },
    async [Symbol.asyncDispose]() {
      stop.abort();
      await supervising;
      await Deno.remove(home, { recursive: true });
    },
  };
  await real.until(() => logged.includes("adb_server_started"));
  return real;
}

function pidOf(port: number): number {
  for (const { name } of Deno.readDirSync("/proc")) {
    if (!/^\d+$/.test(name)) continue;
    try {
      const line = Deno.readTextFileSync(`/proc/${name}/cmdline`).split("\0").join(" ").trim();
      if (line === `adb -P ${port} server nodaemon`) return Number(name);
    } catch {
      // It has ended in the meantime.
    }
  }
  throw new Error(`Cannot find the adb server on port ${port}`);
}
