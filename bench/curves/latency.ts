/**
 * Measures the cost of round trips to a remote database; its stand-in is a local process that delays every
 * request.
 */
import { connectDatabase } from "../../edge/db/connect.ts";
import { freePort } from "../../e2e/product.ts";
import { pause } from "../../e2e/wait.ts";
import { type DispatchWorld, openDispatchWorld, sendThrough } from "../dispatch_world.ts";
import { percentile } from "../figure.ts";
import { openSessionOf } from "../open_session.ts";
import { startEdge, StormProcess } from "../storm/process.ts";
import { curvePart } from "./curve.ts";

const SENT = 600;
const BATCH = 20;
const READS_PER_SECOND = 20;
const READ_MS = 5_000;
const APP_KEY = "of this bench alone, for as long as it runs";

export const latency = curvePart({
  name: "latency",
  about:
    `every request to the database is delayed: ${SENT} deliveries leased, acknowledged and reported in batches of ` +
    `${BATCH} by one site, one round after another; ${READS_PER_SECOND} reads a second by the clock of the edge's ` +
    `lists for ${READ_MS / 1000} s`,
  of: "delay ms",
  sizes: [0, 5, 25, 50],
  costs: ["deliveries/s", "a round, p50 ms", "a read, p50 ms", "a read, p99 ms"],
  async measure(delayMs) {
    await using world = await openDispatchWorld({ deliveries: 2 * SENT, phones: BATCH });
    const session = await openSessionOf(world.ctx, 1, { userAgent: "bench", from: "" });
    const standIn = StormProcess.deno(["edge/testing/hrana_process.ts", world.path, `${delayMs}`, "2"]);
    try {
      const { urls } = await standIn.untilLine(
        (lines) => lines.urls !== undefined,
        30_000,
        "the stand-in listens",
      );
      const run = await sendRemotely(world, urls![0]);
      const reads = await readRemotely(urls![1], session);
      return [run.perSecond, run.roundP50Ms, percentile(reads, 0.5), percentile(reads, 0.99)];
    } finally {
      await standIn.end();
    }
  },
});

async function sendRemotely({ ctx }: DispatchWorld, url: string) {
  const db = await connectDatabase(url);
  try {
    await sendThrough({ ...ctx, db }, { phones: BATCH }, BATCH, BATCH);
    return await sendThrough({ ...ctx, db }, { phones: BATCH }, SENT, BATCH);
  } finally {
    db.close();
  }
}

async function readRemotely(databaseUrl: string, session: string): Promise<number[]> {
  const dataDir = await Deno.makeTempDir({ prefix: "shigur-latency-" });
  const port = freePort();
  const edge = await startEdge(dataDir, port, { DATABASE_URL: databaseUrl, APP_KEY });
  try {
    return await readByTheClock(`http://127.0.0.1:${port}`, session);
  } finally {
    await edge.end();
    await Deno.remove(dataDir, { recursive: true });
  }
}

/** Returns the milliseconds of each read; reads start on schedule and do not wait for each other. */
async function readByTheClock(edgeUrl: string, session: string): Promise<number[]> {
  const paths = [
    "/api/auth/me",
    "/api/campaigns",
    "/api/campaigns/1",
    "/api/campaigns/1/deliveries?limit=20",
  ];
  const read = async (path: string) => {
    const beganAt = performance.now();
    const response = await fetch(edgeUrl + path, { headers: { cookie: `shigur_session=${session}` } });
    const body = await response.text();
    if (!response.ok) throw new Error(`GET ${path}: ${response.status} ${body}`);
    return performance.now() - beganAt;
  };
  for (const path of paths) await read(path);
  const asked: Promise<number>[] = [];
  const beganAt = performance.now();
  while (performance.now() - beganAt < READ_MS) {
    const due = (performance.now() - beganAt) / 1000 * READS_PER_SECOND;
    while (asked.length < due) asked.push(read(paths[asked.length % paths.length]));
    await pause(1);
  }
  return await Promise.all(asked);
}
