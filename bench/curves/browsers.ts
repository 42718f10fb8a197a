/** Measures the cost of an event for each receiving browser. */
import { runFanout, startOurs } from "../fanout/run_fanout.ts";
import { curvePart } from "./curve.ts";

const EVENTS_PER_SECOND = 20;
const WATCH_MS = 5_000;

export const browsers = curvePart({
  name: "browsers",
  about: `sockets of one client on one edge process, ${EVENTS_PER_SECOND} events a second to each for ${
    WATCH_MS / 1000
  } s, from the commit through the outbox`,
  of: "browsers",
  sizes: [10, 100, 1_000],
  costs: ["edge CPU µs/arrival", "age p50 ms", "age p99 ms", "edge resident MB"],
  async measure(sockets) {
    const run = await runFanout(startOurs, {
      sockets,
      eventsPerSecond: EVENTS_PER_SECOND,
      watchMs: WATCH_MS,
    });
    return [run.cpuMicros, run.ageP50Ms, run.ageP99Ms, run.rssMb];
  },
});
