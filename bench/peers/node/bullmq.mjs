/** `node bullmq.mjs '{"port":…,"serverPid":…,"jobs":…,"concurrency":…}'`: fetches and completes jobs that do nothing. */
import { Queue, Worker } from "bullmq";
import process from "node:process";
import { watchCpu } from "./server_cpu.mjs";

const ADD_AT_ONCE = 1_000;
const { port, serverPid, jobs, concurrency } = JSON.parse(process.argv[2]);
const connection = { host: "127.0.0.1", port, maxRetriesPerRequest: null };

await work("warm", Math.ceil(jobs / 10)); // Warms the compiler; a first run would measure that.
const measured = await work("measured", jobs);
process.stdout.write(`${JSON.stringify(measured)}\n`);
process.exit();

async function work(name, count) {
  const queue = new Queue(name, { connection });
  for (let from = 0; from < count; from += ADD_AT_ONCE) {
    const size = Math.min(ADD_AT_ONCE, count - from);
    await queue.addBulk(
      Array.from({ length: size }, (_, no) => ({ name: "send", data: { phone: 972540000000 + from + no } })),
    );
  }
  const worker = new Worker(name, async () => {}, { connection, concurrency, autorun: false });
  await worker.waitUntilReady();
  const stop = watchCpu(serverPid);
  let left = count;
  const done = new Promise((resolve) => worker.on("completed", () => --left === 0 && resolve()));
  worker.run();
  await done;
  const used = stop();
  const kept = await queue.getJobCountByTypes("completed");
  if (kept !== count) throw new Error(`${kept} of ${count} jobs were completed`);
  await worker.close();
  await queue.obliterate({ force: true });
  await queue.close();
  return used;
}
