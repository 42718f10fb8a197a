/** A whole site for tests: a fake edge, simulated phones and the real worker between them. */
import { createAdbClient } from "../adb/client.ts";
import { enroll } from "../identity.ts";
import { Journal } from "../journal.ts";
import type { Log } from "../log.ts";
import { type SimulatorOptions, startSimulator } from "../simulator/start_simulator.ts";
import { runWorker } from "../worker.ts";
import { fastClock } from "./fast_clock.ts";
import { FakeEdge, type FakeEdgeOptions, JOIN_TOKEN } from "./fake_edge.ts";

export interface TestSiteOptions {
  edge?: FakeEdgeOptions;
  phones?: Partial<SimulatorOptions>;
  log?: Log;
  /** How many times faster than real the site and its phones live. */
  factor?: number;
}

export interface Tap {
  at: string;
  serial: string;
  phone: string;
  text: string;
  image: string | null;
}

/** Starts all three; `start()` may be called again after `stop()`, as a new process on the same directory. */
export async function startTestSite(options: TestSiteOptions = {}) {
  const clock = fastClock(options.factor ?? 1);
  const folder = await Deno.makeTempDir();
  const tapLogPath = `${folder}/taps.jsonl`;
  const edge = new FakeEdge({ ...options.edge, settings: { rateLimit: 0, ...options.edge?.settings } });
  const simulator = await startSimulator({
    devices: 2,
    speed: Infinity,
    now: () => clock.now(),
    ...options.phones,
    tapLogPath,
  });
  const identity = await enroll({ edgeUrl: edge.url, agentDir: folder, joinToken: JOIN_TOKEN });
  let stopping = new AbortController();
  let running: Promise<void> = Promise.resolve();
  const site = {
    edge,
    simulator,
    clock,
    journalPath: `${folder}/journal.db`,
    start(): void {
      stopping = new AbortController();
      const journal = new Journal(site.journalPath, { now: () => clock.now(), newId: randomId });
      running = runWorker({
        edgeUrl: edge.url,
        agentDir: folder,
        identity,
        journal,
        adb: createAdbClient({ hostname: "127.0.0.1", port: simulator.port }),
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
    },
  };
  site.start();
  return site;
}

/** Distinct numbers "+9725…", none of which simulated phones take for unknown to the app. */
export function numbers(count: number): string[] {
  return Array.from({ length: count }, (_, i) => `+97250${String(1_000_001 + i)}`);
}

function randomId(): string {
  return crypto.randomUUID().replaceAll("-", "");
}
