import assert from "node:assert/strict";
import { superviseAdbServer } from "./adb_server.ts";
import { startSimulator } from "./simulator/start_simulator.ts";
import { fastClock } from "./testing/fast_clock.ts";

Deno.test("superviseAdbServer() uses a server that was left behind, and says so once", async () => {
  const simulator = await startSimulator({
    devices: 0,
    speed: Infinity,
    tapLogPath: `${await Deno.makeTempDir()}/taps.jsonl`,
  });
  const said: string[] = [];
  const stop = new AbortController();
  let sleeps = 0;
  const clock = {
    ...fastClock(100),
    sleep: () => Promise.resolve(++sleeps === 3 ? stop.abort() : undefined),
  };
  const server = { hostname: "127.0.0.1", port: simulator.port };
  await superviseAdbServer({ clock, log: (_, event) => said.push(event), server }, stop.signal);
  assert.deepEqual(said, ["adb_server_reused"]);
  await simulator.shutdown();
});
