/** A child process of the bench; it ends with the bench, because its stdin is a pipe. */
import config from "../../deno.json" with { type: "json" };
import { pause, until } from "../../e2e/wait.ts";

const root = new URL("../../", import.meta.url).pathname;
/** The same memory limit as a real edge. */
const V8_FLAGS = config.tasks.edge.split(" ").find((word) => word.startsWith("--v8-flags="))!;

export interface DriverLine {
  all?: "hello" | "leased" | "open" | "listening";
  dumped?: true;
  /** Addresses of the stand-in for a remote database. */
  urls?: string[];
  at?: number;
}

export class StormProcess {
  readonly lines: DriverLine[] = [];
  readonly #child: Deno.ChildProcess;
  readonly #stdin: WritableStreamDefaultWriter<Uint8Array>;
  readonly #read: Promise<void>;

  /** Starts one of our programs: `args` are those of `deno run`. */
  static deno(args: string[], env: Record<string, string> = {}): StormProcess {
    return new StormProcess(Deno.execPath(), { args: ["run", "-q", "-A", ...args], cwd: root, env });
  }

  constructor(program: string, options: Deno.CommandOptions) {
    const pipes = { stdin: "piped", stdout: "piped", stderr: "inherit" } as const;
    this.#child = new Deno.Command(program, { ...options, ...pipes }).spawn();
    this.#stdin = this.#child.stdin.getWriter();
    this.#read = this.#keep();
  }

  get pid(): number {
    return this.#child.pid;
  }

  async send(word: string): Promise<void> {
    await this.#stdin.write(new TextEncoder().encode(`${word}\n`));
  }

  /**
   * Waits for a line of output that `is` accepts.
   *
   * @throws {Error} after `timeoutMs`
   */
  async untilLine(is: (line: DriverLine) => boolean, timeoutMs: number, what: string): Promise<DriverLine> {
    const until = performance.now() + timeoutMs;
    while (performance.now() < until) {
      const found = this.lines.find(is);
      if (found) return found;
      await pause(20);
    }
    throw new Error(
      `This did not happen within ${timeoutMs / 1000} s: ${what}; the process printed ${
        JSON.stringify(this.lines.slice(-5))
      }`,
    );
  }

  async kill(): Promise<void> {
    this.#child.kill("SIGKILL");
    await this.#gone();
  }

  async end(): Promise<void> {
    await this.#stdin.close().catch(() => {});
    await this.#gone();
  }

  async #gone(): Promise<void> {
    await this.#child.status;
    await this.#read;
    await this.#stdin.abort().catch(() => {});
  }

  async #keep(): Promise<void> {
    let rest = "";
    for await (const text of this.#child.stdout.pipeThrough(new TextDecoderStream())) {
      const lines = (rest + text).split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines) if (line.startsWith("{")) this.lines.push(JSON.parse(line));
    }
  }
}

/** Starts an edge without agent over the database in `dataDir`; resolves when it responds. */
export async function startEdge(
  dataDir: string,
  port: number,
  more: Record<string, string> = {},
): Promise<StormProcess> {
  const env = { ...more, DATA_DIR: dataDir, WEB_DIR: dataDir, PORT: `${port}`, LOG_LEVEL: "error" };
  const edge = StormProcess.deno([V8_FLAGS, "edge/main.ts"], {
    ...env,
    SHIGUR_PARENT_PIPE: "1",
  });
  try {
    await until(() => answers(`http://127.0.0.1:${port}/readyz`), 60_000, "the edge's first answer");
    return edge;
  } catch (error) {
    await edge.kill();
    throw error;
  }
}

/** Writes a driver's options to a file that only its owner can read, and starts it. */
export async function startDriver(
  dataDir: string,
  kind: "agents" | "browsers",
  index: number,
  options: unknown,
): Promise<StormProcess> {
  const path = `${dataDir}/${kind}.${index}.json`;
  await Deno.writeTextFile(path, JSON.stringify(options), { mode: 0o600 });
  return StormProcess.deno([`bench/storm/${kind}_driver.ts`, path, `${dataDir}/${kind}.${index}.out`]);
}

/** Sends campaigns as their owners, through the edge's HTTP calls. */
export async function sendCampaigns(
  edgeUrl: string,
  campaigns: { id: number; session: string }[],
): Promise<void> {
  for (const { id, session } of campaigns) {
    const response = await fetch(`${edgeUrl}/api/campaigns/${id}/send`, {
      method: "POST",
      headers: { cookie: `shigur_session=${session}`, origin: edgeUrl },
    });
    if (!response.ok) throw new Error(`Cannot send: ${response.status} ${await response.text()}`);
    await response.body?.cancel();
  }
}

async function answers(url: string): Promise<boolean> {
  const response = await fetch(url);
  await response.body?.cancel();
  return response.ok;
}
