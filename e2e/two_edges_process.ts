/** Starts programs of this repository, and a site of them. */
import type { Tap } from "../simulator/phone/tap_log.ts";
import { Program } from "./program.ts";
import { readTaps } from "./read_taps.ts";
import { AGENT_PERMISSIONS } from "shared/testing/permissions.ts";

const root = new URL("../", import.meta.url).pathname;

/** A program of this repository; it ends when this process does. */
export class Process extends Program {
  /** Starts `args[0]` of the release in `cwd`; `prefix` is the start of its command line. */
  constructor(name: string, args: string[], env: Record<string, string>, prefix: string[] = [], cwd = root) {
    const command = [...prefix, Deno.execPath(), "run", "-q", ...AGENT_PERMISSIONS, ...args];
    super(name, command, { SHIGUR_PARENT_PIPE: "1", ...env }, cwd);
  }
}

/**
 * Starts, in a new folder, a simulator and the real agent of a site. The site joins with `joinToken` and connects
 * to the edges at `url`. Adds both to `processes`.
 */
export async function launchSite(
  dataDir: string,
  { name, url, joinToken, devices, speed, root }: {
    name: string;
    url: string;
    joinToken: string;
    devices: number;
    speed: number;
    /** Folder of the release that starts the agent; by default the present one. */
    root?: string;
  },
  processes: Process[],
): Promise<{ taps(): Tap[] }> {
  await Deno.mkdir(dataDir, { recursive: true });
  await Deno.writeTextFile(`${dataDir}/site_join_token`, joinToken);
  const simulator = new Process(`simulator ${name}`, ["agent/main.ts", "simulate", "--seed", name], {
    DATA_DIR: dataDir,
    SIMULATED_DEVICES: `${devices}`,
    SIMULATED_SPEED: `${speed}`,
    SIMULATOR_PORT: "0",
  });
  processes.push(simulator);
  await simulator.line("Simulating");
  const port = (await Deno.readTextFile(`${dataDir}/simulator/port`)).trim();
  const env = { DATA_DIR: dataDir, EDGE_URL: url, ADB_SERVER: `127.0.0.1:${port}` };
  const agent = new Process(`agent ${name}`, ["agent/main.ts", "run"], env, [], root);
  processes.push(agent);
  return { taps: () => readTaps(dataDir) };
}
