/** Measures the screens' reads while the edge sends, and pages of a very long list. */
import { freePort } from "../e2e/product.ts";
import { pause } from "../e2e/wait.ts";
import { type Figure, type Part, percentile } from "./figure.ts";
import { watchProcess } from "./process_use.ts";
import { sendCampaigns, startDriver, startEdge, type StormProcess } from "./storm/process.ts";
import { makeStormWorld, type StormWorld } from "./storm/world.ts";

const SITES = 20;
const SEND_EVERY_MS = 500;
const ROWS = 1_000_000;
/** Enough clients to keep each far below the rate limit of one user (edge/auth/call_rate.ts). */
const CLIENTS = 20;
const ROWS_OF_OTHERS = 20_000;
const PER_SECOND = 500;
const READ_MS = 15_000;
const PAGES = 300;

/** How the clients of P5 are known to the edge. */
type Way = "session" | "key";

export const reads: Part = {
  name: "reads",
  about:
    `P5: one edge, ${SITES} sites that send ${
      SITES * 1000 / SEND_EVERY_MS
    } messages a second; ${PER_SECOND} ` +
    `reads a second of ${CLIENTS} clients by the clock, none waiting for another (session, list, one campaign, 20 ` +
    `recipients); then ` +
    `${PAGES} pages of 100 at places all over a list of ${ROWS.toLocaleString("en")}, one after the other`,
  measure: () => measure("session"),
};

export const readsByKey: Part = {
  name: "reads-by-key",
  about: "P5 again, by API keys",
  measure: () => measure("key"),
};

async function* measure(way: Way): AsyncGenerator<Figure> {
  const dataDir = await Deno.makeTempDir({ prefix: "shigur-reads-" });
  const running: StormProcess[] = [];
  try {
    const world = await makeStormWorld(`${dataDir}/shigur.db`, {
      sites: SITES,
      clients: CLIENTS,
      browsersPerClient: 1,
      adminBrowsers: 0,
      contactsPerCampaign: ROWS_OF_OTHERS,
      contactsOfFirst: ROWS,
    });
    const port = freePort();
    const edgeUrl = `http://127.0.0.1:${port}`;
    running.push(await startEdge(dataDir, port));
    const { sites } = world;
    running.push(await startDriver(dataDir, "agents", 0, { edgeUrl, sendEveryMs: SEND_EVERY_MS, sites }));
    await sendCampaigns(edgeUrl, world.campaigns);
    await running[1].untilLine(({ all }) => all === "leased", 60_000, "every site leased");
    yield* measureReads(edgeUrl, running[0].pid, { world, way });
  } finally {
    for (const one of running.reverse()) await one.end();
    await Deno.remove(dataDir, { recursive: true });
  }
}

async function* measureReads(
  edgeUrl: string,
  edge: number,
  { world: { campaigns }, way }: { world: StormWorld; way: Way },
): AsyncGenerator<Figure> {
  const read = async (path: string, { session, key } = campaigns[0]) => {
    const beganAt = performance.now();
    const headers: HeadersInit = way === "key"
      ? { authorization: `Bearer ${key}` }
      : { cookie: `shigur_session=${session}` };
    const response = await fetch(edgeUrl + path, { headers });
    const body = await response.text();
    if (!response.ok) throw new Error(`GET ${path}: ${response.status} ${body}`);
    return { ms: performance.now() - beganAt, body };
  };
  const mixed = campaigns.flatMap((campaign) =>
    [
      "/api/auth/me",
      "/api/campaigns",
      `/api/campaigns/${campaign.id}`,
      `/api/campaigns/${campaign.id}/deliveries?limit=20`,
    ].map((path) => ({ path, campaign }))
  );
  const readNext = (index: number) => {
    const { path, campaign } = mixed[index % mixed.length];
    return read(path, campaign);
  };
  for (let warm = 0; warm < 200; warm++) await readNext(warm);
  const asked: Promise<number>[] = [];
  const used = watchProcess(edge);
  const beganAt = performance.now();
  while (performance.now() - beganAt < READ_MS) {
    const due = (performance.now() - beganAt) / 1000 * PER_SECOND;
    while (asked.length < due) {
      // The wait counts from the time the read was due, not from the time this loop sent it.
      const lateMs = performance.now() - beganAt - asked.length / PER_SECOND * 1000;
      asked.push(readNext(asked.length).then(({ ms }) => ms + lateMs));
    }
    await pause(1);
  }
  const times = await Promise.all(asked);
  const { cpuPercent, queuedPercent } = used();
  yield { name: "reads", value: times.length / (READ_MS / 1000), unit: "/s" };
  yield { name: "a read, p50", value: percentile(times, 0.5), unit: "ms" };
  yield { name: "a read, p99", value: percentile(times, 0.99), unit: "ms", bar: { atMost: 25 } };
  yield { name: "the edge's processor meanwhile", value: cpuPercent, unit: "% of a core" };
  yield { name: "time it was ready to run and had none", value: queuedPercent, unit: "%" };

  const [{ id }] = campaigns;
  const pages: number[] = [];
  for (let page = 0; page < PAGES; page++) {
    // Row ids of the first campaign follow the order of their numbers.
    const after = 1 + Math.floor((page * 0.618_034 % 1) * (ROWS - 200));
    const { ms, body } = await read(`/api/campaigns/${id}/deliveries?limit=100&cursor=0.${after}`);
    if (JSON.parse(body).items.length !== 100) throw new Error("A page of another size");
    pages.push(ms);
  }
  yield { name: "a page of the long list, p50", value: percentile(pages, 0.5), unit: "ms" };
  yield {
    name: "a page of the long list, p95",
    value: percentile(pages, 0.95),
    unit: "ms",
    bar: { atMost: 50 },
  };
}
