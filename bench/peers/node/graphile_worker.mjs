/** `node graphile_worker.mjs '{"port":…,"serverPid":…,"jobs":…,"worker":{…}}'`: fetches and completes jobs that do nothing. */
import { Logger, makeWorkerUtils, run } from "graphile-worker";
import { EventEmitter } from "node:events";
import process from "node:process";
import pg from "pg";
import { watchCpu } from "./server_cpu.mjs";

const LOOK_MS = 5;
const ADD_AT_ONCE = 1_000;
const { port, serverPid, jobs, worker } = JSON.parse(process.argv[2]);
const connectionString = `postgres://bench@127.0.0.1:${port}/postgres`;
const logger = new Logger(() => () => {});
const utils = await makeWorkerUtils({ connectionString, logger });
await utils.migrate();
const client = new pg.Client({ connectionString });
await client.connect();

await work(Math.ceil(jobs / 10)); // Warms the compiler; a first run would measure that.
const measured = await work(jobs);
process.stdout.write(`${JSON.stringify(measured)}\n`);
process.exit();

async function work(count) {
  for (let from = 0; from < count; from += ADD_AT_ONCE) {
    const size = Math.min(ADD_AT_ONCE, count - from);
    await utils.addJobs(
      Array.from({ length: size }, (_, no) => ({
        identifier: "send",
        payload: { phone: 972540000000 + from + no },
      })),
    );
  }
  await client.query("VACUUM ANALYZE");
  const events = new EventEmitter();
  let stop;
  // Start the clock at the first job: a worker's startup is not part of the measurement.
  events.once("job:start", () => stop = watchCpu(serverPid));
  let left = count;
  const done = new Promise((resolve) => events.on("job:success", () => --left === 0 && resolve()));
  const runner = await run({
    preset: { worker: { connectionString, logger, events, ...worker } },
    taskList: { send: async () => {} },
    noHandleSignals: true,
  });
  await done;
  // A job is done once its row is deleted: completed jobs are deleted in batches after their success.
  while (await rowsLeft() > 0) await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  const used = stop();
  await runner.stop();
  return used;
}

async function rowsLeft() {
  const { rows } = await client.query(
    "SELECT count(*)::int AS n FROM (SELECT 1 FROM graphile_worker._private_jobs LIMIT 1) j",
  );
  return rows[0].n;
}
