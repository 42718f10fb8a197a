/** Runs a program as a process that a test may freeze and thaw. */
import type { Tap } from "../simulator/phone/tap_log.ts";
import { isRunning, pause, sendSignal } from "./product.ts";
import { readTaps } from "./read_taps.ts";
import { AGENT_PERMISSIONS } from "shared/testing/permissions.ts";

const root = new URL("../", import.meta.url).pathname;
const STOP_WITHIN_MS = 10_000;

/** A process started by any command line. */
export class Program {
  readonly lines: string[] = [];
  readonly #child: Deno.ChildProcess;
  readonly #ended: Promise<void>;
  #hasEnded = false;
  #said = Promise.withResolvers<void>();

  constructor(readonly name: string, command: string[], env: Record<string, string>, cwd = root) {
    const [program, ...args] = command;
    this.#child = new Deno.Command(program!, {
      args,
      cwd,
      env,
      stdin: "piped",
      stdout: "piped",
      stderr: "piped",
    }).spawn();
    this.#ended = Promise.all([this.#keep(this.#child.stdout), this.#keep(this.#child.stderr)])
      .then(async () => {
        await this.#child.status;
        this.#hasEnded = true;
        this.#said.resolve();
      });
  }

  /**
   * Returns the first line that starts with `start`, past or future.
   *
   * @throws {Error} when the process ends without it
   */
  async line(start: string): Promise<string> {
    while (true) {
      const found = this.lines.find((line) => line.startsWith(start));
      if (found !== undefined) return found;
      if (this.#hasEnded) {
        throw new Error(`${this.name} ended too early:\n${this.lines.slice(-20).join("\n")}`);
      }
      await this.#said.promise;
    }
  }

  /** Freezes it without notice, and returns when none of its threads runs. */
  async freeze(): Promise<void> {
    sendSignal(this.#child.pid, "SIGSTOP");
    while (isRunning(this.#child.pid)) await pause(1);
  }

  thaw(): void {
    sendSignal(this.#child.pid, "SIGCONT");
  }

  /** Sends a supervisor's signal, and returns the exit code after the end of its output. */
  async end(signal: "SIGTERM" | "SIGINT"): Promise<number> {
    sendSignal(this.#child.pid, signal);
    await this.#ended;
    return (await this.#child.status).code;
  }

  /** Kills it. */
  async kill(): Promise<void> {
    sendSignal(this.#child.pid, "SIGKILL");
    await this.#ended;
  }

  /** Ends it in order; thaws it first if needed. */
  async stop(): Promise<void> {
    if (!this.#hasEnded) this.thaw();
    await this.#child.stdin.close().catch(() => {});
    const timer = setTimeout(() => sendSignal(this.#child.pid, "SIGKILL"), STOP_WITHIN_MS);
    await this.#ended;
    clearTimeout(timer);
  }

  async #keep(stream: ReadableStream<Uint8Array<ArrayBuffer>>): Promise<void> {
    let rest = "";
    for await (const text of stream.pipeThrough(new TextDecoderStream())) {
      const lines = (rest + text).split("\n");
      rest = lines.pop() ?? "";
      this.lines.push(...lines);
      this.#said.resolve();
      this.#said = Promise.withResolvers();
    }
  }
}

/** A program of this repository; it ends when this process does. */
export class Process extends Program {
  /** Starts `args[0]` of the release in `cwd`; `prefix` is the start of its command line. */
  constructor(name: string, args: string[], env: Record<string, string>, prefix: string[] = [], cwd = root) {
    const command = [...prefix, Deno.execPath(), "run", "-q", ...AGENT_PERMISSIONS, ...args];
    super(name, command, { SHIGUR_PARENT_PIPE: "1", ...env }, cwd);
  }
}

/**
 * Starts, in a new folder, a simulator and the real agent of a site. The site joins with `joinToken` and connects
 * to the edges at `url`. Adds both to `processes`.
 */
export async function launchSite(
  dataDir: string,
  { name, url, joinToken, devices, speed, root }: {
    name: string;
    url: string;
    joinToken: string;
    devices: number;
    speed: number;
    /** Folder of the release that starts the agent; by default the present one. */
    root?: string;
  },
  processes: Process[],
): Promise<{ taps(): Tap[] }> {
  await Deno.mkdir(dataDir, { recursive: true });
  await Deno.writeTextFile(`${dataDir}/site_join_token`, joinToken);
  const simulator = new Process(`simulator ${name}`, ["agent/main.ts", "simulate", "--seed", name], {
    DATA_DIR: dataDir,
    SIMULATED_DEVICES: `${devices}`,
    SIMULATED_SPEED: `${speed}`,
    SIMULATOR_PORT: "0",
  });
  processes.push(simulator);
  await simulator.line("Simulating");
  const port = (await Deno.readTextFile(`${dataDir}/simulator/port`)).trim();
  const env = { DATA_DIR: dataDir, EDGE_URL: url, ADB_SERVER: `127.0.0.1:${port}` };
  const agent = new Process(`agent ${name}`, ["agent/main.ts", "run"], env, [], root);
  processes.push(agent);
  return { taps: () => readTaps(dataDir) };
}
