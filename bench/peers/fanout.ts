/** Compares our live channel with `ws` on Node, each with the same browsers, in turn. */
import { type FanoutRun, runFanout, startOurs, type StartServer } from "../fanout/run_fanout.ts";
import { type Figure, median, type Part } from "../figure.ts";
import { openScratch } from "./scratch.ts";
import { unwound } from "./unwound.ts";

const ROUNDS = 3;
const SOCKETS = 1_000;
const RATES = [20, 100];
const WATCH_MS = 5_000;

export const fanout: Part = {
  name: "fanout",
  about:
    `${RATES.join(" and ")} events a second, each to ${
      SOCKETS.toLocaleString("en")
    } browsers' sockets of one process, ` +
    `${
      WATCH_MS / 1000
    } s in ${ROUNDS} rounds in turn, medians; the age of an event is the time from its creation to its arrival`,
  measure: () => unwound(measure),
};

async function* measure(stack: AsyncDisposableStack): AsyncGenerator<Figure | string> {
  const scratch = await openScratch(stack);
  const startWs: StartServer = (port, eventsPerSecond, cookieFile) => {
    Deno.writeTextFileSync(cookieFile, "peer=1");
    return scratch.start("ws_server.mjs", { port, eventsPerSecond });
  };
  yield "ours: Deno, each socket authenticated by its session, each event committed to the database " +
    "(synchronous=FULL), read by the outbox tail and sent to those who may see it";
  yield "ws: 8.23.0 on Node 24, no compression, each frame encoded once; no authentication, every socket receives every event, nothing " +
    "is stored";
  for (const eventsPerSecond of RATES) {
    const size = { sockets: SOCKETS, eventsPerSecond, watchMs: WATCH_MS };
    const ours: FanoutRun[] = [];
    const peer: FanoutRun[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      ours.push(await runFanout(startOurs, size));
      peer.push(await runFanout(startWs, size));
    }
    yield* figuresOf(`ours, ${eventsPerSecond} events/s`, ours);
    yield* figuresOf(`ws, ${eventsPerSecond} events/s`, peer);
    const cpu = ours.map(({ cpuMicros }, round) => cpuMicros / peer[round].cpuMicros);
    yield { name: "processor time of an arrival, ours to ws", value: median(cpu), unit: "×" };
  }
}

function* figuresOf(name: string, runs: FanoutRun[]): Generator<Figure> {
  const of = (what: keyof FanoutRun) => median(runs.map((run) => run[what]));
  yield { name: `${name}, arrivals`, value: of("perSecond"), unit: "/s" };
  yield { name: `${name}, age p50`, value: of("ageP50Ms"), unit: "ms" };
  yield { name: `${name}, age p99`, value: of("ageP99Ms"), unit: "ms" };
  yield { name: `${name}, server's processor time`, value: of("cpuMicros"), unit: "µs an arrival" };
  yield { name: `${name}, resident`, value: of("rssMb"), unit: "MB" };
}
