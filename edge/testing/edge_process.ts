/** The edge as a process, started as `start` and an operator start it. */
import { EDGE_PERMISSIONS } from "shared/testing/permissions.ts";

/** An edge in its own process, with the permissions of its task. */
export class EdgeProcess {
  readonly lines: string[] = [];
  readonly #child: Deno.ChildProcess;
  readonly #stdin: WritableStreamDefaultWriter<Uint8Array>;
  readonly #read: Promise<unknown>;
  readonly #ready = Promise.withResolvers<string>();

  /** `before` is the command line of a program that runs it, such as one that removes rights. */
  constructor(env: Record<string, string>, before: string[] = []) {
    const main = new URL("../main.ts", import.meta.url).pathname;
    const [program, ...args] = [...before, Deno.execPath(), "run", "-q", ...EDGE_PERMISSIONS, main];
    this.#child = new Deno.Command(program!, {
      args,
      env: { PORT: "0", ...env },
      stdin: "piped",
      stdout: "piped",
      stderr: "piped",
    }).spawn();
    this.#stdin = this.#child.stdin.getWriter();
    this.#read = Promise.all([this.#collect(this.#child.stdout), this.#collect(this.#child.stderr)])
      .then(() => this.#ready.reject(new Error(`The process ended too early: ${this.lines.join("\n")}`)));
    this.#ready.promise.catch(() => {});
  }

  /** Resolves with the edge's address, once it answers. */
  get url(): Promise<string> {
    return this.#ready.promise;
  }

  get pid(): number {
    return this.#child.pid;
  }

  closeStdin(): Promise<void> {
    return this.#stdin.close();
  }

  kill(signal: Deno.Signal): void {
    this.#child.kill(signal);
  }

  /** Resolves with its exit code, after the last line was read. */
  async ended(): Promise<number> {
    await this.#read;
    await this.#stdin.close().catch(() => {});
    return (await this.#child.status).code;
  }

  async #collect(stream: ReadableStream<Uint8Array<ArrayBuffer>>): Promise<void> {
    let rest = "";
    for await (const text of stream.pipeThrough(new TextDecoderStream())) {
      const lines = (rest + text).split("\n");
      rest = lines.pop()!;
      for (const line of lines) {
        this.lines.push(line);
        if (line.startsWith('{"event":"edge_ready"')) this.#ready.resolve(JSON.parse(line).url);
      }
    }
  }
}

/** Runs `test` with a DATA_DIR that is deleted afterwards. */
export async function withFolder(test: (dataDir: string) => Promise<void>): Promise<void> {
  const dataDir = await Deno.makeTempDir({ prefix: "shigur-main-" });
  try {
    await test(dataDir);
  } finally {
    await Deno.remove(dataDir, { recursive: true });
  }
}
