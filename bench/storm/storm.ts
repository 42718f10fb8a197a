/** A thousand sites and a thousand browsers on one edge, and their return after the edge is killed. */
import { freePort } from "../../e2e/product.ts";
import { pause } from "../../e2e/wait.ts";
import { type Figure, type Part, percentile } from "../figure.ts";
import { watchProcess } from "../process_use.ts";
import type { ReportMoments } from "./agents_driver.ts";
import { nowMs } from "./driver_words.ts";
import { reportLatencies } from "./latency.ts";
import { sendCampaigns, startDriver, startEdge, type StormProcess } from "./process.ts";
import { makeStormWorld, type StormSize } from "./world.ts";

const SIZE: StormSize = {
  sites: 1_000,
  clients: 49,
  browsersPerClient: 20,
  adminBrowsers: 20,
  contactsPerCampaign: 1_000,
};
/** Two processes, so that the drivers are not the bottleneck. */
const AGENT_PROCESSES = 2;
const SEND_EVERY_MS = 10_000;
const IDLE_WATCH_MS = 10_000;
const WARM_UP_MS = 10_000;
const WATCH_MS = 30_000;

export const storm: Part = {
  name: "storm",
  about:
    `P4: one edge process, ${SIZE.sites} agents of one phone that sends every ${SEND_EVERY_MS / 1000} s ` +
    `(they keep the protocol, without disk or adb), ${SIZE.clients} running campaigns, each watched by ` +
    `${SIZE.browsersPerClient} browsers, and ${SIZE.adminBrowsers} administrators; drivers in processes of their ` +
    `own; then kill -9 of the edge and a start`,
  measure,
};

async function* measure(): AsyncGenerator<Figure> {
  const dataDir = await Deno.makeTempDir({ prefix: "shigur-storm-" });
  const running = new Set<StormProcess>();
  try {
    yield* measureIn(dataDir, running);
  } finally {
    await Promise.all([...running].map((one) => one.end()));
    await Deno.remove(dataDir, { recursive: true });
  }
}

async function* measureIn(dataDir: string, running: Set<StormProcess>): AsyncGenerator<Figure> {
  const world = await makeStormWorld(`${dataDir}/shigur.db`, SIZE);
  const port = freePort();
  const edgeUrl = `http://127.0.0.1:${port}`;
  const keep = async (starting: Promise<StormProcess>) => {
    const one = await starting;
    running.add(one);
    return one;
  };
  let edge = await keep(startEdge(dataDir, port));
  const emptyRssMb = watchProcess(edge.pid)().rssMb;
  const browsers = await keep(startDriver(dataDir, "browsers", 0, { edgeUrl, browsers: world.browsers }));
  const agents: StormProcess[] = [];
  for (let index = 0; index < AGENT_PROCESSES; index++) {
    const sites = world.sites.filter((_, site) => site % AGENT_PROCESSES === index);
    agents.push(
      await keep(startDriver(dataDir, "agents", index, { edgeUrl, sendEveryMs: SEND_EVERY_MS, sites })),
    );
  }
  await all(agents, "hello");
  await all([browsers], "open");

  const idle = watchProcess(edge.pid);
  await pause(IDLE_WATCH_MS);
  const idleUse = idle();
  yield { name: "before anyone came, resident", value: emptyRssMb, unit: "MB" };
  yield { name: "nothing to send, resident", value: idleUse.rssMb, unit: "MB", bar: { atMost: 200 } };
  yield { name: "nothing to send, the edge's CPU", value: idleUse.cpuPercent, unit: "% of a core" };

  await sendCampaigns(edgeUrl, world.campaigns);
  await all(agents, "leased");
  await pause(WARM_UP_MS);
  const watch = watchProcess(edge.pid);
  const from = nowMs();
  await pause(WATCH_MS);
  const use = watch();
  const to = nowMs();
  // Wait for events still on their way at the end of the window.
  await pause(2_000);
  const latencies = reportLatencies(
    await Promise.all(
      agents.map((agent, index) => dump<ReportMoments>(agent, `${dataDir}/agents.${index}.out`)),
    ),
    await dump(browsers, `${dataDir}/browsers.0.out`),
    { from, to },
  );
  const reports = latencies.length / SIZE.browsersPerClient;
  yield { name: "at work, reports", value: reports / (WATCH_MS / 1000), unit: "/s" };
  yield { name: "at work, events received in time", value: latencies.length, unit: "" };
  yield { name: "at work, the edge's CPU", value: use.cpuPercent, unit: "% of a core" };
  yield { name: "at work, resident", value: use.rssMb, unit: "MB", bar: { atMost: 200 } };
  yield {
    name: "report → browser, p50",
    value: percentile(latencies, 0.5),
    unit: "ms",
    bar: { atMost: 150 },
  };
  yield {
    name: "report → browser, p99",
    value: percentile(latencies, 0.99),
    unit: "ms",
    bar: { atMost: 500 },
  };

  for (const one of [browsers, ...agents]) await one.send("mark");
  for (const one of [browsers, ...agents]) one.lines.length = 0;
  const killedAt = nowMs();
  await edge.kill();
  running.delete(edge);
  edge = await keep(startEdge(dataDir, port));
  const answeredAt = nowMs();
  const hello = await all(agents, "hello");
  const leased = await all(agents, "leased");
  const open = await all([browsers], "open");
  yield { name: "killed → the edge answers again", value: (answeredAt - killedAt) / 1000, unit: "s" };
  yield { name: "killed → every site sent hello", value: (hello - killedAt) / 1000, unit: "s" };
  yield {
    name: "killed → every site leased again",
    value: (leased - killedAt) / 1000,
    unit: "s",
    bar: { atMost: 15 },
  };
  yield { name: "killed → every browser open and read", value: (open - killedAt) / 1000, unit: "s" };
  const after = watchProcess(edge.pid)();
  yield { name: "highest resident in the storm", value: after.peakRssMb, unit: "MB", bar: { atMost: 200 } };
}

/** Returns the time at which the last driver reported all. */
async function all(drivers: StormProcess[], what: "hello" | "leased" | "open"): Promise<number> {
  const lines = await Promise.all(
    drivers.map((driver) =>
      driver.untilLine((line) => line.all === what, 120_000, `everybody is at ${what}`)
    ),
  );
  return Math.max(...lines.map(({ at }) => at!));
}

async function dump<T>(driver: StormProcess, path: string): Promise<T> {
  await driver.send("dump");
  await driver.untilLine(({ dumped }) => dumped === true, 60_000, "what a driver kept");
  return JSON.parse(await Deno.readTextFile(path));
}
