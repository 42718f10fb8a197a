/**
 * Sends events to many browser sockets, from the edge's live channel or from another server with the same
 * protocol.
 */
import { freePort } from "../../e2e/product.ts";
import { pause } from "../../e2e/wait.ts";
import { percentile } from "../figure.ts";
import { watchProcess } from "../process_use.ts";
import { StormProcess } from "../storm/process.ts";

export interface FanoutSize {
  sockets: number;
  eventsPerSecond: number;
  watchMs: number;
}

export interface FanoutRun {
  /** Delivered events per second. */
  perSecond: number;
  ageP50Ms: number;
  ageP99Ms: number;
  /** Processor time of the server's process per delivered event. */
  cpuMicros: number;
  rssMb: number;
}

/** Starts a server on the port that sends after the word `go`, and writes a cookie to the file. */
export type StartServer = (port: number, eventsPerSecond: number, cookieFile: string) => StormProcess;

const WARM_UP_MS = 2_000;

export const startOurs: StartServer = (port, eventsPerSecond, cookieFile) =>
  StormProcess.deno(["bench/fanout/server.ts", `${port}`, `${eventsPerSecond}`, cookieFile]);

/** Measures one server with its own sockets. */
export async function runFanout(startServer: StartServer, size: FanoutSize): Promise<FanoutRun> {
  const dir = await Deno.makeTempDir({ prefix: "shigur-fanout-" });
  const port = freePort();
  const server = startServer(port, size.eventsPerSecond, `${dir}/cookie`);
  let listeners: StormProcess | undefined;
  try {
    await server.untilLine(({ all }) => all === "listening", 30_000, "the server listens");
    const cookie = await Deno.readTextFile(`${dir}/cookie`);
    const options = { url: `http://127.0.0.1:${port}`, sockets: size.sockets, cookie };
    await Deno.writeTextFile(`${dir}/options`, JSON.stringify(options), { mode: 0o600 });
    listeners = StormProcess.deno(["bench/fanout/listeners.ts", `${dir}/options`, `${dir}/ages`]);
    await listeners.untilLine(({ all }) => all === "open", 60_000, "every socket is open");
    await server.send("go");
    await pause(WARM_UP_MS);
    await listeners.send("mark");
    const watch = watchProcess(server.pid);
    const beganAt = performance.now();
    await pause(size.watchMs);
    const { cpuPercent, rssMb } = watch();
    const seconds = (performance.now() - beganAt) / 1000;
    await listeners.send("dump");
    await listeners.untilLine(
      ({ dumped }) => dumped === true,
      30_000,
      "the times at which the sockets received",
    );
    const ages: number[] = JSON.parse(await Deno.readTextFile(`${dir}/ages`));
    return {
      perSecond: ages.length / seconds,
      ageP50Ms: percentile(ages, 0.5),
      ageP99Ms: percentile(ages, 0.99),
      cpuMicros: cpuPercent / 100 * seconds * 1e6 / ages.length,
      rssMb,
    };
  } finally {
    await listeners?.end();
    await server.end();
    await Deno.remove(dir, { recursive: true });
  }
}
