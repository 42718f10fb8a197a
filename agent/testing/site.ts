/** A whole site for tests: a fake edge, simulated phones and the real worker between them. */
import { createAdbClient } from "../adb/client.ts";
import { enroll } from "../edge/identity.ts";
import { Journal } from "../journal/journal.ts";
import type { Log } from "../log.ts";
import { type Simulator, type SimulatorOptions, startSimulator } from "../../simulator/start_simulator.ts";
import type { Tap } from "../../simulator/phone/tap_log.ts";
import { runWorker } from "../site/worker.ts";
import type { AdbClient } from "../adb/client.ts";
import type { Clock } from "../time/clock.ts";
import { FakeEdge, type FakeEdgeOptions, JOIN_TOKEN } from "./fake_edge.ts";
import { steadyAdb, steadyClock } from "./steady_clock.ts";
import { tempFolder } from "./temp_folder.ts";

export interface TestSiteOptions {
  edge?: FakeEdgeOptions;
  phones?: Partial<SimulatorOptions>;
  log?: Log;
  /** Replaces the site's own steady clock. */
  clock?: Clock;
  /** Makes the adb server connect to these addresses of its phones. */
  networkPhones?: (simulator: Simulator) => string[];
  /** Puts a wrapper between the site and its phones' adb server. */
  adb?: (adb: AdbClient) => AdbClient;
}

/**
 * Starts all three in a time of their own. `start()` may be called again after `stop()`, as a new process on the same
 * directory.
 */
export async function startTestSite(options: TestSiteOptions = {}) {
  const own = new DisposableStack();
  const clock = options.clock ?? own.use(steadyClock());
  const folder = await tempFolder();
  const tapLogPath = `${folder}/taps.jsonl`;
  const edge = new FakeEdge({
    now: () => clock.now(),
    ...options.edge,
    settings: { rateLimit: 0, ...options.edge?.settings },
  });
  const simulator = await startSimulator({
    devices: 2,
    speed: Infinity,
    // The disk does not follow the test's clock: a slow sync would count as half a minute.
    syncsTaps: false,
    now: () => clock.now(),
    sleep: clock.sleep,
    ...options.phones,
    tapLogPath,
  });
  const client = createAdbClient({ hostname: "127.0.0.1", port: simulator.port });
  const adb = steadyAdb(options.adb?.(client) ?? client, clock);
  const identity = await enroll({ edgeUrl: edge.url, agentDir: folder, joinToken: JOIN_TOKEN });
  let stopping = new AbortController();
  let running: Promise<void> = Promise.resolve();
  const site = {
    edge,
    simulator,
    clock,
    agentDir: folder,
    journalPath: `${folder}/journal.db`,
    start(): void {
      stopping = new AbortController();
      const journal = new Journal(site.journalPath, { now: () => clock.now(), newId: randomId });
      running = runWorker({
        edgeUrl: edge.url,
        agentDir: folder,
        identity,
        journal,
        adb,
        networkPhones: options.networkPhones?.(simulator),
        clock,
        random: () => 0,
        newId: randomId,
        log: options.log ?? (() => {}),
        agentVersion: "1.0.0",
      }, stopping.signal).finally(() => journal.close());
    },
    async stop(): Promise<void> {
      stopping.abort();
      await running;
    },
    taps(): Tap[] {
      const lines = Deno.readTextFileSync(tapLogPath).split("\n").filter((line) => line !== "");
      return lines.map((line) => JSON.parse(line));
    },
    async [Symbol.asyncDispose]() {
      await site.stop();
      await site.edge.close();
      await simulator.shutdown();
      own.dispose();
    },
  };
  site.start();
  return site;
}

/** Returns distinct numbers "+9725…". Simulated phones take none of them for unknown to the app. */
export function numbers(count: number): string[] {
  return Array.from({ length: count }, (_, i) => `+97250${String(1_000_001 + i)}`);
}

function randomId(): string {
  return crypto.randomUUID().replaceAll("-", "");
}
