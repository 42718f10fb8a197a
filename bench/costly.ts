/** Measures a client's reads while another client makes its most expensive calls, twenty of each at once. */
import { freePort } from "../e2e/product.ts";
import { pause } from "../e2e/wait.ts";
import { connectDatabase } from "../edge/db/connect.ts";
import { type Figure, type Part, percentile } from "./figure.ts";
import { cpuSecondsOf, mainThreadMs, watchProcess } from "./process_use.ts";
import { startEdge, type StormProcess } from "./storm/process.ts";
import { makeStormWorld, type StormWorld } from "./storm/world.ts";

/** Contacts in the list; set `COSTLY_ROWS` lower for a shorter run. */
const ROWS = Number(Deno.env.get("COSTLY_ROWS") ?? 1_000_000);
/** Runs only the calls whose name contains this; "" means all. */
const ONLY = Deno.env.get("COSTLY_ONLY") ?? "";
const AT_ONCE = 20;
const ROWS_OF_OTHER = 20_000;
const READS_PER_SECOND = 50;
/** Minimum time of reads, also when the call ends sooner. */
const LEAST_MS = 2_000;
const FILE_ROWS = 100_000;

export const costly: Part = {
  name: "costly",
  about: `P9: one edge; a client with ${ROWS.toLocaleString("en")} contacts, as many unknown outcomes and ` +
    `as many removals does each costly call ${AT_ONCE} times at once; ${READS_PER_SECOND} reads a second of another ` +
    `client by the clock (session, list, one campaign, 20 recipients). What is refused (a third export, a second ` +
    `copy) is refused at once`,
  measure,
};

/** One of the first client's calls; without a path no request is sent. */
interface Call {
  name: string;
  method: "GET" | "POST" | "DELETE";
  path: string;
  body?: () => string | FormData;
}

async function* measure(): AsyncGenerator<Figure> {
  const dataDir = await Deno.makeTempDir({ prefix: "shigur-costly-" });
  let edge: StormProcess | undefined;
  try {
    const path = `${dataDir}/shigur.db`;
    const world = await makeStormWorld(path, {
      sites: 0,
      clients: 2,
      browsersPerClient: 1,
      adminBrowsers: 0,
      contactsPerCampaign: ROWS_OF_OTHER,
      contactsOfFirst: ROWS,
    });
    const unknown = await fill(path, world);
    const port = freePort();
    edge = await startEdge(dataDir, port);
    const edgeUrl = `http://127.0.0.1:${port}`;
    yield* measureReads(edgeUrl, edge.pid, world, { name: "nothing else", method: "GET", path: "" });
    for (const call of callsOf(world.campaigns[0]!.id, unknown)) {
      if (!call.name.includes(ONLY)) continue;
      yield* measureReads(edgeUrl, edge.pid, world, call);
    }
  } finally {
    await edge?.end();
    await Deno.remove(dataDir, { recursive: true });
  }
}

/**
 * Fills a campaign of the first client with unknown outcomes, and a suppression list of the same length; returns
 * the campaign's id.
 */
async function fill(path: string, { campaigns: [first] }: StormWorld): Promise<number> {
  const db = await connectDatabase(`file:${path}`);
  try {
    const [{ rows: [made] }] = await db.batch([
      {
        sql: `INSERT INTO campaigns (client, name, message, status, unknown_count, created_at, updated_at)
          SELECT client, name, message, 'completed_with_errors', queued_count, 0, 0 FROM campaigns WHERE id = ?
          RETURNING id`,
        args: [first!.id],
      },
      {
        sql: `INSERT INTO deliveries (campaign, phone, state, updated_at)
          SELECT last_insert_rowid(), phone, 'unknown', 0 FROM deliveries WHERE campaign = ? ORDER BY phone`,
        args: [first!.id],
      },
      {
        sql: `INSERT INTO suppressions (client, phone, source, at)
          SELECT c.client, phone + 10000000, 'manual', 0 FROM deliveries d JOIN campaigns c ON c.id = d.campaign
          WHERE c.id = ? ORDER BY phone`,
        args: [first!.id],
      },
    ], "write");
    return Number(made!.id);
  } finally {
    db.close();
  }
}

function callsOf(list: number, unknown: number): Call[] {
  const json = (body: unknown) => () => JSON.stringify(body);
  let file = 0;
  const removals = () => {
    const first = 30_000_000 + FILE_ROWS * file++;
    const numbers = Array.from({ length: FILE_ROWS }, (_, index) => `05${first + index}`);
    const form = new FormData();
    form.set("file", new File([numbers.join("\n")], "list.csv"));
    return form;
  };
  const search = `/api/campaigns/${unknown}/deliveries/search`;
  const resolve = `/api/campaigns/${unknown}/deliveries/resolve`;
  return [
    { name: "export", method: "GET", path: `/api/campaigns/${list}/deliveries.csv` },
    { name: "export of removals", method: "GET", path: "/api/suppressions.csv" },
    {
      name: "copy",
      method: "POST",
      path: `/api/campaigns/${list}/duplicate`,
      body: json({ contacts: "all" }),
    },
    { name: "search", method: "POST", path: search, body: json({ q: "0540" }) },
    {
      name: "search within a state",
      method: "POST",
      path: search,
      body: json({ q: "054", state: "failed" }),
    },
    {
      name: "search of removals",
      method: "POST",
      path: "/api/suppressions/search",
      body: json({ q: "0559" }),
    },
    {
      name: `file of ${FILE_ROWS.toLocaleString("en")} removals`,
      method: "POST",
      path: "/api/suppressions/file",
      body: removals,
    },
    { name: "outcomes settled", method: "POST", path: resolve, body: json({ ids: "all", as: "failed" }) },
    { name: "campaign list", method: "GET", path: "/api/campaigns" },
    { name: "contacts removed", method: "DELETE", path: `/api/campaigns/${list}/contacts` },
  ];
}

interface SentBody {
  type: string | null;
  bytes?: ArrayBuffer;
}

async function bodyOf(call: Call): Promise<SentBody> {
  const body = call.body?.();
  if (body === undefined) return { type: null };
  if (typeof body === "string") {
    return { type: "application/json", bytes: new TextEncoder().encode(body).buffer };
  }
  const whole = new Response(body);
  return { type: whole.headers.get("content-type"), bytes: await whole.arrayBuffer() };
}

async function* measureReads(
  edgeUrl: string,
  edge: number,
  { campaigns: [first, other] }: StormWorld,
  call: Call,
): AsyncGenerator<Figure> {
  const reads = [
    "/api/auth/me",
    "/api/campaigns",
    `/api/campaigns/${other!.id}`,
    `/api/campaigns/${other!.id}/deliveries?limit=20`,
  ];
  const worked: number[] = [];
  const read = async (index: number) => {
    const workedBefore = mainThreadMs(edge);
    const beganAt = performance.now();
    const headers = { cookie: `shigur_session=${other!.session}` };
    const answer = await fetch(edgeUrl + reads[index % reads.length], { headers });
    await answer.body?.cancel();
    if (!answer.ok) throw new Error(`GET ${reads[index % reads.length]}: ${answer.status}`);
    worked.push(mainThreadMs(edge) - workedBefore);
    return performance.now() - beganAt;
  };
  const statuses = new Map<number, number>();
  const ask = async ({ type, bytes: body }: SentBody) => {
    const headers: Record<string, string> = { cookie: `shigur_session=${first!.session}`, origin: edgeUrl };
    if (type !== null) headers["content-type"] = type;
    const answer = await fetch(edgeUrl + call.path, { method: call.method, headers, body });
    for await (const _ of answer.body ?? []);
    statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
  };
  for (let warm = 0; warm < 20; warm++) await read(warm);
  worked.length = 0;
  // Build the bodies first: that takes this process hundreds of ms, which must not count as waiting time of the
  // reads.
  const bodies: SentBody[] = [];
  while (call.path !== "" && bodies.length < AT_ONCE) bodies.push(await bodyOf(call));
  const cpuBefore = cpuSecondsOf(edge);
  const used = watchProcess(edge);
  const beganAt = performance.now();
  let isOver = call.path === "";
  const calls = bodies.map(ask);
  const all = Promise.all(calls).then(() => isOver = true);
  const asked: Promise<number>[] = [];
  while (!isOver || performance.now() - beganAt < LEAST_MS) {
    const due = (performance.now() - beganAt) / 1000 * READS_PER_SECOND;
    while (asked.length < due) {
      // The wait counts from the time the read was due, not from the time this loop sent it.
      const lateMs = performance.now() - beganAt - asked.length / READS_PER_SECOND * 1000;
      asked.push(read(asked.length).then((ms) => ms + lateMs));
    }
    await pause(1);
  }
  await all;
  const seconds = (performance.now() - beganAt) / 1000;
  const cpuSeconds = cpuSecondsOf(edge) - cpuBefore;
  const times = await Promise.all(asked);
  const counts = [...statuses].sort().map(([status, count]) => `${count} × ${status}`).join(", ");
  const name = counts === "" ? call.name : `${call.name} (${counts})`;
  yield { name: `${name}: a read meanwhile, p50`, value: percentile(times, 0.5), unit: "ms" };
  yield { name: `${call.name}: p99`, value: percentile(times, 0.99), unit: "ms", bar: { atMost: 100 } };
  yield {
    name: `${call.name}: what the edge worked while a read waited, p99`,
    value: percentile(worked, 0.99),
    unit: "ms",
  };
  yield { name: `${call.name}: all of them took`, value: seconds, unit: "s" };
  yield { name: `${call.name}: of a processor`, value: cpuSeconds, unit: "s" };
  yield {
    name: `${call.name}: time the edge was ready and had no processor`,
    value: used().queuedPercent,
    unit: "%",
  };
}
