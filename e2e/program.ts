/** Runs a program as a process that a test may kill, freeze and thaw. */
import { setTimeout as pause } from "node:timers/promises";

const root = new URL("../", import.meta.url).pathname;
const STOP_WITHIN_MS = 10_000;

/** A process started by any command line. */
export class Program {
  readonly lines: string[] = [];
  /** Null while it runs; after a signal, 128 plus the signal's number. */
  exitCode: number | null = null;
  readonly #child: Deno.ChildProcess;
  readonly #ended: Promise<void>;
  #hasEnded = false;
  #progress = Promise.withResolvers<void>();

  /** `onLine` gets each line of its output. */
  constructor(
    readonly name: string,
    command: string[],
    env: Record<string, string>,
    cwd = root,
    private readonly onLine = (_line: string) => {},
  ) {
    const [program, ...args] = command;
    this.#child = new Deno.Command(program!, {
      args,
      cwd,
      env,
      stdin: "piped",
      stdout: "piped",
      stderr: "piped",
    }).spawn();
    this.#child.status.then(({ code }) => this.exitCode = code);
    this.#ended = Promise.all([this.#keep(this.#child.stdout), this.#keep(this.#child.stderr)])
      .then(async () => {
        await this.#child.status;
        await this.#child.stdin.abort().catch(() => {});
        this.#hasEnded = true;
        this.#progress.resolve();
      });
  }

  get pid(): number {
    return this.#child.pid;
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
      if (this.#hasEnded) throw new Error(`${this.name} ended first:\n${this.lines.slice(-20).join("\n")}`);
      await this.#progress.promise;
    }
  }

  /** Freezes it without notice, and returns when none of its threads runs. */
  async freeze(): Promise<void> {
    this.#signal("SIGSTOP");
    while (isRunning(this.pid)) await pause(1);
  }

  thaw(): void {
    this.#signal("SIGCONT");
  }

  /** Sends a supervisor's signal, and returns the exit code after the end of its output. */
  async end(signal: "SIGTERM" | "SIGINT"): Promise<number> {
    this.#signal(signal);
    await this.#ended;
    return (await this.#child.status).code;
  }

  /** Kills it. */
  async kill(): Promise<void> {
    this.#signal("SIGKILL");
    await this.#ended;
  }

  /** Ends it in order; thaws it first if needed. */
  async stop(): Promise<void> {
    this.thaw();
    await this.#child.stdin.close().catch(() => {});
    const timer = setTimeout(() => this.#signal("SIGKILL"), STOP_WITHIN_MS);
    await this.#ended;
    clearTimeout(timer);
  }

  /** Sends a signal; an ended process is ignored. */
  #signal(name: Deno.Signal): void {
    try {
      if (this.exitCode === null) Deno.kill(this.pid, name);
    } catch (error) {
      if (!(error instanceof Deno.errors.NotFound)) throw error;
    }
  }

  async #keep(stream: ReadableStream<Uint8Array<ArrayBuffer>>): Promise<void> {
    let rest = "";
    for await (const text of stream.pipeThrough(new TextDecoderStream())) {
      const lines = (rest + text).split("\n");
      rest = lines.pop() ?? "";
      this.#addLines(lines);
    }
    if (rest !== "") this.#addLines([rest]);
  }

  #addLines(lines: string[]): void {
    this.lines.push(...lines);
    for (const line of lines) this.onLine(line);
    this.#progress.resolve();
    this.#progress = Promise.withResolvers();
  }
}

/** Returns whether a thread of the process runs or may run: neither stopped nor ended. */
function isRunning(pid: number): boolean {
  const tasks = `/proc/${pid}/task`;
  const names = whileThere(() => Array.from(Deno.readDirSync(tasks), ({ name }) => name)) ?? [];
  return names.some((name) => {
    const stat = whileThere(() => Deno.readTextFileSync(`${tasks}/${name}/stat`));
    // proc(5): the state follows the name, which is in parentheses.
    return stat !== null && !/^[TtZX]/.test(stat.slice(stat.lastIndexOf(")") + 2));
  });
}

/** Returns null when the process has ended: its file in /proc is missing, or reading it fails. */
function whileThere<T>(look: () => T): T | null {
  try {
    return look();
  } catch (error) {
    // ESRCH has no error class of its own.
    if (error instanceof Deno.errors.NotFound || String(error).includes("(os error 3)")) return null;
    throw error;
  }
}
