/**
 * A site whose agent is a real process, between an edge and phones that live in the test. The test can freeze it,
 * inspect it from outside, kill it and start it again. The agent has no code for this.
 */
import { DatabaseSync } from "node:sqlite";
import { enroll } from "../edge/identity.ts";
import type { RowState } from "../journal/decide.ts";
import type { LieName } from "../../simulator/phone/lies.ts";
import { displayNumber } from "../../simulator/phone/phone_number.ts";
import { type SimulatorOptions, startSimulator } from "../../simulator/start_simulator.ts";
import type { Tap } from "../../simulator/phone/tap_log.ts";
import { FakeEdge, type FakeEdgeOptions, JOIN_TOKEN } from "./fake_edge.ts";
import { AGENT_PERMISSIONS } from "shared/testing/permissions.ts";

const AGENT = new URL("../main.ts", import.meta.url).pathname;
const COMMAND = [Deno.execPath(), "run", "-q", "--no-check", ...AGENT_PERMISSIONS, AGENT];
const LOOK_MS = 5;
const GIVE_UP_MS = 60_000;

export interface SeenRow {
  token: string;
  phone: string;
  state: RowState;
}

export interface ProcessSiteOptions {
  edge?: FakeEdgeOptions;
  phones?: Partial<SimulatorOptions>;
}

/** Starts edge and phones. `launch()` starts the agent, and starts it again after it has ended. */
export async function startProcessSite(options: ProcessSiteOptions = {}) {
  const agentDir = await Deno.makeTempDir({ prefix: "shigur-site-" });
  let passedMs = 0;
  const lies: Partial<Record<LieName, number>> = {};
  const tapLogPath = `${agentDir}/taps.jsonl`;
  const edge = new FakeEdge(options.edge);
  const simulator = await startSimulator({
    devices: 1,
    speed: Infinity,
    now: () => Date.now() + passedMs,
    lies,
    traits: () => ({ language: "he", confirmsShare: false }),
    ...options.phones,
    tapLogPath,
  });
  await enroll({ edgeUrl: edge.url, agentDir, joinToken: JOIN_TOKEN });
  const environment = {
    EDGE_URL: edge.url,
    ADB_SERVER: `127.0.0.1:${simulator.port}`,
    AGENT_DIR: agentDir,
  };
  let child: Deno.ChildProcess | null = null;
  let reading: Promise<unknown> = Promise.resolve();

  const site = {
    edge,
    lies,
    agentDir,
    journalPath: `${agentDir}/journal.db`,
    /** The state of the first phone, read directly. */
    phone: simulator.phones[0]!,
    /** The agent's output lines, of both outputs. */
    lines: [] as string[],
    get pid(): number {
      return child!.pid;
    },

    /** Starts the agent. `wrapper` is a shell script that ends in `exec "$@"`. */
    launch(wrapper = 'exec "$@"'): void {
      child = new Deno.Command("bash", {
        args: ["-c", wrapper, "agent", ...COMMAND, "run"],
        env: { ...environment, LOG_LEVEL: "debug", SHIGUR_PARENT_PIPE: "1" },
        // The agent ends with the test, even if the test crashes.
        stdin: "piped",
        stdout: "piped",
        stderr: "piped",
      }).spawn();
      reading = Promise.all([child.stdout, child.stderr].map(keep));
    },

    /** Runs another command of the agent on the same folder until its end. */
    async command(...args: string[]): Promise<{ code: number; out: string; errors: string }> {
      const [program, ...words] = COMMAND;
      const { code, stdout, stderr } = await new Deno.Command(program!, {
        args: [...words, ...args],
        env: environment,
        stdin: "null",
      }).output();
      const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
      return { code, out: text(stdout), errors: text(stderr) };
    },

    /** Starts another command of the agent on the same folder. Its input and outputs are pipes. */
    begin(...args: string[]): Deno.ChildProcess {
      const [program, ...words] = COMMAND;
      const [stdin, stdout, stderr] = ["piped", "piped", "piped"] as const;
      return new Deno.Command(program!, {
        args: [...words, ...args],
        env: environment,
        stdin,
        stdout,
        stderr,
      }).spawn();
    },

    /** Resolves with the exit code after the agent has ended and all its output was read. */
    async ended(): Promise<number> {
      const { code } = await child!.status;
      await Promise.all([reading, child!.stdin.close().catch(() => {})]);
      child = null;
      return code;
    },

    async kill(): Promise<void> {
      child!.kill("SIGKILL");
      await site.ended();
    },

    /** Resolves when the test holds. After a minute it fails, so that no test hangs. */
    async until(test: () => boolean): Promise<void> {
      const giveUpAt = performance.now() + GIVE_UP_MS;
      while (!test()) await sleepOr(giveUpAt, test);
    },

    /** Stops the agent at the first moment at which the test holds, and leaves it stopped. */
    async freezeWhen(test: (rows: SeenRow[]) => boolean): Promise<void> {
      const giveUpAt = performance.now() + GIVE_UP_MS;
      while (true) {
        child!.kill("SIGSTOP");
        await site.until(() => stateOf(child!.pid) === "T");
        if (test(site.journal())) return;
        site.thaw();
        await sleepOr(giveUpAt, test);
      }
    },

    /** Stops the agent when its next look shows the chat with a number, before the result reaches it. */
    async freezeWhenSeen(number: string): Promise<void> {
      const { files } = site.phone;
      const write = files.write;
      let isSeen = false;
      files.write = (...file) => {
        write.apply(files, file);
        if (isSeen || !site.wasSeen(number)) return;
        isSeen = true;
        child!.kill("SIGSTOP");
      };
      await site.until(() => isSeen && stateOf(child!.pid) === "T");
      files.write = write;
    },

    /** Lets a frozen agent go on. */
    thaw(): void {
      child!.kill("SIGCONT");
    },

    /** Moves the phones' own clocks forward at once: a deadline there is over, without a race. */
    pass(ms: number): void {
      passedMs += ms;
    },

    /** Makes phones tell a lie while the test holds. */
    lieWhile(lie: LieName, test: () => boolean): void {
      Object.defineProperty(lies, lie, { configurable: true, get: () => test() ? 1 : 0 });
    },

    /** True when the agent's last look at the phone showed the chat with a number, "+972501234567". */
    wasSeen(number: string): boolean {
      const dump = site.phone.files.read("/sdcard/shigur-screen.xml")?.bytes;
      return new TextDecoder().decode(dump).includes(displayNumber(number.slice(1)));
    },

    /** Returns the journal's rows on disk. The agent must be frozen or gone. */
    journal(): SeenRow[] {
      return rowsOnDisk(site.journalPath);
    },

    taps(): Tap[] {
      return Deno.readTextFileSync(tapLogPath).split("\n").filter(Boolean).map((line) => JSON.parse(line));
    },

    async [Symbol.asyncDispose]() {
      if (child) await site.kill();
      await edge.close();
      await simulator.shutdown();
      await Deno.remove(agentDir, { recursive: true });
    },
  };
  return site;

  async function keep(stream: ReadableStream<Uint8Array<ArrayBuffer>>): Promise<void> {
    let rest = "";
    for await (const text of stream.pipeThrough(new TextDecoderStream())) {
      const lines = (rest + text).split("\n");
      rest = lines.pop()!;
      site.lines.push(...lines);
    }
  }
}

export type ProcessSite = Awaited<ReturnType<typeof startProcessSite>>;

async function sleepOr(giveUpAt: number, test: { toString(): string }): Promise<void> {
  if (performance.now() > giveUpAt) throw new Error(`Waited a minute for ${test}`);
  await new Promise((done) => setTimeout(done, LOOK_MS));
}

/** Returns one letter, as in proc(5): T is stopped. */
function stateOf(pid: number): string {
  return /\) (\w)/.exec(Deno.readTextFileSync(`/proc/${pid}/stat`))?.[1] ?? "";
}

/** Returns a journal's rows on disk. A copy is read, because the owner holds a lock on the file. */
export function rowsOnDisk(path: string): SeenRow[] {
  const folder = Deno.makeTempDirSync({ prefix: "shigur-journal-" });
  try {
    for (const end of ["", "-wal"]) {
      try {
        Deno.copyFileSync(`${path}${end}`, `${folder}/journal.db${end}`);
      } catch (error) {
        if (!(error instanceof Deno.errors.NotFound)) throw error;
      }
    }
    const db = new DatabaseSync(`${folder}/journal.db`);
    try {
      if (!db.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'deliveries'").get()) return [];
      return db.prepare("SELECT token, phone, state FROM deliveries ORDER BY seq")
        .all() as unknown as SeenRow[];
    } finally {
      db.close();
    }
  } finally {
    Deno.removeSync(folder, { recursive: true });
  }
}
