/** Compares our queue with BullMQ on Redis and graphile-worker on PostgreSQL, within the same minutes. */
import { measureDispatch, SITES } from "../dispatch.ts";
import type { Figure, Part } from "../figure.ts";
import { contestFigures, inTurn, type Run } from "./rounds.ts";
import { openScratch } from "./scratch.ts";
import { type AppendFsync, startPostgres, startRedis } from "./servers.ts";
import { unwound } from "./unwound.ts";

const JOBS = 20_000;
const ROUNDS = 3;
const BATCH = 20;
/** Settings from graphile-worker's performance page. */
const DOCUMENTED = { concurrentJobs: 24, maxPoolSize: 25, localQueue: { size: 500 } };
const sameBatch = (jobs: number) => ({
  concurrentJobs: jobs,
  maxPoolSize: jobs + 2,
  localQueue: { size: jobs },
});
const IN_BATCHES = { completeJobBatchDelay: 0, failJobBatchDelay: 0 };

export const queue: Part = {
  name: "queue",
  about:
    `P2: ${
      JOBS.toLocaleString("en")
    } jobs that do nothing, waiting when the clock starts, in ${ROUNDS} rounds in ` +
    `turn, medians; each side one worker process`,
  measure: () => unwound(measure),
};

/** Our side of a comparison: batch size per site; each site has one batch at a time. */
interface Ours {
  batch: number;
  sites: number;
  /** Work that a power cut may lose; by default nothing, as at every edge. */
  mayLose?: "a second";
}

const ONE_SITE: Ours = { batch: BATCH, sites: 1 };
const SEVERAL_SITES: Ours = { batch: BATCH, sites: SITES };

interface Peer {
  name: string;
  about: string;
  ours: Ours;
  /** True when our ratio has a limit, which needs our real batch size. */
  isHeld: boolean;
  run(): Promise<Run>;
}

async function* measure(stack: AsyncDisposableStack): AsyncGenerator<Figure | string> {
  const peers = await startPeers(stack);
  yield "ours: one Deno process on an SQLite file, WAL, synchronous=FULL (a commit is on disk when it is answered) unless " +
    "stated otherwise; " +
    `a round acknowledges a batch, then reports it and leases the next, in two transactions, and keeps counters, ledger, caps, ` +
    `events and the fencing by triggers; a claim asks for suppressions, caps, hours and turn`;
  yield "peers: take a job and complete it; they decide and keep nothing else. Node 24 and the server are processes " +
    "of their own, so they have both cores, and we have one";
  await measureDispatch(JOBS / 10, BATCH);
  for (const { name, about, ours, isHeld, run } of peers) {
    yield `${name}: ${about}; ours in batches of ${ours.batch}, sites: ${ours.sites}` +
      (ours.mayLose
        ? ", synchronous=NORMAL and a sync each second (a second of work may be lost, as theirs)"
        : "");
    const contest = await inTurn(ROUNDS, () => measureDispatch(JOBS, ours.batch, ours), run);
    const bar = isHeld ? { atLeast: 1 } : undefined;
    yield* contestFigures(name, contest, { amount: JOBS, unit: "jobs", bar });
  }
}

async function startPeers(stack: AsyncDisposableStack): Promise<Peer[]> {
  const scratch = await openScratch(stack);
  const postgres = await startPostgres(stack);
  const redis = { everysec: await startRedis(stack, "everysec"), always: await startRedis(stack, "always") };
  const bullmq = (appendfsync: AppendFsync, concurrency: number, ours: Ours): Peer => ({
    name: "BullMQ",
    about: `6.7.0 on redis-server, appendonly yes, appendfsync ${appendfsync} (${
      appendfsync === "always" ? "as durable as ours" : "a second of work may be lost"
    }), no snapshots; added by addBulk, one worker, concurrency ${concurrency}`,
    ours,
    isHeld: ours.batch === BATCH,
    run: () => scratch.run("bullmq.mjs", { ...redis[appendfsync], jobs: JOBS, concurrency }),
  });
  const graphile = (worker: typeof DOCUMENTED, ours: Ours): Peer => ({
    name: "graphile-worker",
    about: `0.18.0 on PostgreSQL, fsync on, synchronous_commit on (as durable as ours); ` +
      JSON.stringify({ ...worker, ...IN_BATCHES }),
    ours,
    isHeld: ours.batch === BATCH,
    run: () =>
      scratch.run("graphile_worker.mjs", { ...postgres, jobs: JOBS, worker: { ...worker, ...IN_BATCHES } }),
  });
  return [
    bullmq("everysec", BATCH, ONE_SITE),
    bullmq("everysec", BATCH, { ...ONE_SITE, mayLose: "a second" }),
    bullmq("everysec", BATCH * SITES, SEVERAL_SITES),
    bullmq("everysec", BATCH * SITES, { ...SEVERAL_SITES, mayLose: "a second" }),
    bullmq("always", BATCH, ONE_SITE),
    bullmq("always", BATCH * SITES, SEVERAL_SITES),
    bullmq("everysec", 100, { batch: 100, sites: 1 }),
    graphile(sameBatch(BATCH), ONE_SITE),
    graphile(sameBatch(BATCH * SITES), SEVERAL_SITES),
    graphile(DOCUMENTED, { batch: 400, sites: 1 }),
  ];
}
