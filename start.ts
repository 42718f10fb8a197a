/**
 * `deno task start`: runs the whole product on one machine. It builds the screens if they changed, then runs the
 * edge, the phone simulator and one site's agent as three processes. Each of them can be killed alone.
 */
import config from "./deno.json" with { type: "json" };
import { buildWeb } from "./web/build/build.ts";

const STOP_GRACE_MS = 8_000;
const READY_TIMEOUT_MS = 25_000;
const RESTART_PAUSE_MS = 1_000;
/** Flags and permissions come from the parts' own tasks, as in production. */
const wordsOf = (task: "edge" | "agent") => config.tasks[task].split(" ").slice(1);

interface Part {
  name: string;
  args: string[];
  env: Record<string, string>;
  onLine?: (line: string) => void;
}

interface Running {
  part: Part;
  child: Deno.ChildProcess;
  stdin: WritableStreamDefaultWriter<Uint8Array>;
  /** Resolves to the exit code, after both output streams were read to their end. */
  ended: Promise<number>;
}

/** Ends the start; without a message the reason was printed already. */
class StartError extends Error {}

const root = new URL(".", import.meta.url).pathname;
const dataDir = Deno.env.get("DATA_DIR") ?? ".data";
const stopping = new AbortController();
const running = new Map<string, Running>();

for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
  Deno.addSignalListener(signal, () => stopping.abort());
}
Deno.exit(await main());

async function main(): Promise<number> {
  try {
    await buildWeb({ outDir: `${root}web/dist`, library: "preact", minify: true, compress: "fast" });
    const url = await startEdge();
    const simulatorPort = await startSimulator();
    startAgent(url, simulatorPort);
    await printBlock(url);
    await untilAborted(stopping.signal);
    print("עוצר. Stopping: current taps finish, reports are flushed.");
    return 0;
  } catch (error) {
    if (!(error instanceof StartError)) throw error;
    if (error.message) print(error.message);
    return 1;
  } finally {
    stopping.abort();
    await stopAll();
  }
}

async function startEdge(): Promise<string> {
  const ready = Promise.withResolvers<string>();
  const part: Part = {
    name: "edge",
    args: wordsOf("edge"),
    env: { EMBEDDED_SITE: "1", WEB_DIR: `${root}web/dist` },
    onLine: (line) => {
      const url = readyUrl(line);
      if (url) ready.resolve(url);
    },
  };
  supervise(part, ready.reject);
  const url = await withTimeout(ready.promise, "The edge did not come up");
  // After a restart a part must keep its address, also when its first port was chosen by the system.
  part.env.PORT = new URL(url).port;
  return url;
}

async function startSimulator(): Promise<number> {
  const portFile = `${dataDir}/simulator/port`;
  await Deno.remove(portFile).catch(() => {});
  const failed = Promise.withResolvers<never>();
  const part: Part = { name: "simulator", args: [...wordsOf("agent"), "simulate"], env: {} };
  supervise(part, failed.reject);
  const port = await withTimeout(
    Promise.race([pollPort(portFile), failed.promise]),
    "The simulator did not come up",
  );
  part.env.SIMULATOR_PORT = `${port}`;
  return port;
}

function startAgent(edgeUrl: string, simulatorPort: number): void {
  supervise({
    name: "agent",
    args: [...wordsOf("agent"), "run"],
    env: { EDGE_URL: edgeUrl, ADB_SERVER: `127.0.0.1:${simulatorPort}` },
  });
}

/**
 * Keeps one part running until the stop. If it ends before it was ever up, `fail` reports it. Exit code 1 or 2 is
 * a refusal to start (a used port, a wrong variable) and is not retried.
 */
async function supervise(part: Part, fail?: (error: StartError) => void): Promise<void> {
  while (!stopping.signal.aborted) {
    const started = launch(part);
    running.set(part.name, started);
    const code = await started.ended;
    running.delete(part.name);
    if (stopping.signal.aborted) return;
    if (code === 1 || code === 2) {
      print(`${part.name} refused to start; see the reason above.`);
      return fail?.(new StartError());
    }
    print(`${part.name} ended (code ${code}) and is started again.`);
    await pause(RESTART_PAUSE_MS, stopping.signal);
  }
}

function launch(part: Part): Running {
  const child = new Deno.Command(Deno.execPath(), {
    args: part.args,
    cwd: root,
    env: { DATA_DIR: absolute(dataDir), ...part.env, SHIGUR_PARENT_PIPE: "1" },
    stdin: "piped",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  const read = Promise.all([
    eachLine(child.stdout, (line) => {
      part.onLine?.(line);
      if (!readyUrl(line)) print(`${part.name} | ${line}`);
    }),
    eachLine(child.stderr, (line) => print(`${part.name} | ${line}`)),
  ]);
  const ended = Promise.all([child.status, read]).then(([status]) => status.code);
  return { part, child, stdin: child.stdin.getWriter(), ended };
}

/** Stop the agent first, so that its last reports still reach the edge. */
async function stopAll(): Promise<void> {
  for (const name of ["agent", "simulator", "edge"]) {
    const one = running.get(name);
    if (!one) continue;
    await one.stdin.close().catch(() => {});
    const timer = setTimeout(() => kill(one.child), STOP_GRACE_MS);
    await one.ended;
    clearTimeout(timer);
  }
}

function kill(child: Deno.ChildProcess): void {
  try {
    child.kill("SIGKILL");
  } catch {
    // The process ended in the meantime.
  }
}

function readyUrl(line: string): string | null {
  if (!line.includes('"edge_ready"')) return null;
  const url: unknown = JSON.parse(line).url;
  return typeof url === "string" ? url : null;
}

async function pollPort(path: string): Promise<number> {
  while (!stopping.signal.aborted) {
    const port = Number(await Deno.readTextFile(path).catch(() => ""));
    if (port > 0) return port;
    await pause(50, stopping.signal);
  }
  throw new StartError("Stopped.");
}

async function printBlock(url: string): Promise<void> {
  const text = await Deno.readTextFile(`${dataDir}/logins.json`).catch(() => null);
  const logins: { username: string; role: string; password: string }[] = text ? JSON.parse(text) : [];
  const lines = logins.map((login) =>
    `  ${login.role === "admin" ? "מנהל   admin " : "לקוח   client"}  ${login.username}  ${login.password}`
  );
  if (lines.length === 0) lines.push("  Logins were set earlier; deno task admin:password sets a new one.");
  print(
    [
      "",
      `  שיגור  ${url}`,
      ...lines,
      "  A demonstration begins without sending hours and without an hourly share; the settings turn both on.",
      "  Ctrl+C ends everything.",
      "",
    ].join("\n"),
  );
}

async function eachLine(
  stream: ReadableStream<Uint8Array<ArrayBuffer>>,
  handle: (line: string) => void,
): Promise<void> {
  let rest = "";
  for await (const text of stream.pipeThrough(new TextDecoderStream())) {
    const lines = (rest + text).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) handle(line);
  }
  if (rest) handle(rest);
}

async function withTimeout<T>(promise: Promise<T>, message: string): Promise<T> {
  const timeout = Promise.withResolvers<never>();
  const timer = setTimeout(
    () => timeout.reject(new StartError(`${message} within ${READY_TIMEOUT_MS / 1000} s.`)),
    READY_TIMEOUT_MS,
  );
  const stop = () => timeout.reject(new StartError("Stopped."));
  stopping.signal.addEventListener("abort", stop);
  try {
    return await Promise.race([promise, timeout.promise]);
  } finally {
    clearTimeout(timer);
    stopping.signal.removeEventListener("abort", stop);
  }
}

function untilAborted(signal: AbortSignal): Promise<void> {
  return signal.aborted
    ? Promise.resolve()
    : new Promise((done) => signal.addEventListener("abort", () => done()));
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((done) => {
    const timer = setTimeout(finish, ms);
    signal.addEventListener("abort", finish, { once: true });
    function finish() {
      clearTimeout(timer);
      signal.removeEventListener("abort", finish);
      done();
    }
  });
}

function absolute(path: string): string {
  return path.startsWith("/") ? path : `${Deno.cwd()}/${path}`;
}

function print(line: string): void {
  try {
    Deno.stdout.writeSync(new TextEncoder().encode(`${line}\n`));
  } catch {
    // The terminal is gone; the parts still stop in order.
  }
}
