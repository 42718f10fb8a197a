/** Runs the product as real processes on this machine; a test may kill, freeze or restart each of them. */
import { DatabaseSync } from "node:sqlite";
import type { Tap } from "../simulator/phone/tap_log.ts";
import { freePort } from "../agent/testing/free_port.ts";
import config from "../deno.json" with { type: "json" };
import type { Login } from "./caller.ts";
import { Program } from "./program.ts";
import { readTaps } from "./read_taps.ts";
import { PATIENCE_MS, until } from "./wait.ts";

export { freePort };

export interface ProductOptions {
  devices: number;
  /** Speed factor of the simulated phones. */
  speed?: number;
  faults?: number;
  /** Minimum seconds between two messages of one device; the product's own default is 1. */
  rateLimit?: number;
  maxMessagesPerDay?: number;
  /** Folder of the built screens; without it the edge serves only its API. */
  webDir?: string;
  /** The edge names its own address in messages, as PUBLIC_URL. */
  hasPublicUrl?: boolean;
  /** Seed of the phones' traits and luck. */
  simulatorSeed?: string;
  /** Receives the ports of the edge and of the phones' adb server; returns the ports that the agent connects to. */
  relays?(ports: { edge: number; adb: number }): { edge: number; adb: number };
  /** Prefix of a part's command line, for example a program that changes its limits and runs the rest. */
  prefix?: Partial<Record<PartName, string[]>>;
  /** Additional environment variables of a part. */
  env?: Partial<Record<PartName, Record<string, string>>>;
  /** An existing empty folder; by default a new one. */
  dataDir?: string;
  /** Folder of the release that starts a part, with a trailing slash; by default the present one. */
  releases?: Partial<Record<PartName, string>>;
}

export type PartName = "edge" | "simulator" | "agent";
/** Tasks that an operator runs on the edge's database. */
export type Command = "audit" | "backup" | "restore" | "restored";

const root = new URL("../", import.meta.url).pathname;
/** Each part starts like its task, with the same flags and permissions. */
const wordsOf = (task: "edge" | "agent" | Command, { tasks }: typeof config) =>
  tasks[task].split(" ").slice(1);

/** Reads the tasks of the release in `folder`, which may keep its programs in other places. */
async function readTasks(folder: string): Promise<typeof config> {
  return JSON.parse(await Deno.readTextFile(`${folder}deno.json`));
}

export class Product {
  readonly #parts = new Map<PartName, Program>();
  readonly lines: string[] = [];
  /** The release that each part starts from next time. */
  readonly releases: Partial<Record<PartName, string>>;

  private constructor(
    readonly dataDir: string,
    readonly url: string,
    private readonly options: ProductOptions,
    /** Port of the phones' adb server. */
    readonly adbPort: number,
  ) {
    this.releases = { ...options.releases };
  }

  /** Starts edge, simulator and agent on an empty folder and waits until the edge responds. */
  static async start(options: ProductOptions): Promise<Product> {
    const dataDir = options.dataDir ?? await Deno.makeTempDir({ prefix: "shigur-e2e-" });
    const product = new Product(dataDir, `http://127.0.0.1:${freePort()}`, options, freePort());
    await product.launch("edge");
    product.#applySettings();
    await product.launch("simulator");
    await product.launch("agent");
    return product;
  }

  /** Starts one part; waits until the edge or the simulator responds. */
  async launch(name: PartName): Promise<void> {
    const base = { DATA_DIR: this.dataDir, SHIGUR_PARENT_PIPE: "1" };
    const port = new URL(this.url).port;
    const real = { edge: Number(port), adb: this.adbPort };
    const seen = this.options.relays?.(real) ?? real;
    const from = this.releases[name] ?? root;
    const tasks = await readTasks(from);
    const commands: Record<PartName, [string[], Record<string, string>]> = {
      edge: [wordsOf("edge", tasks), {
        PORT: port,
        EMBEDDED_SITE: "1",
        WEB_DIR: this.options.webDir ?? this.dataDir,
        ...(this.options.hasPublicUrl && { PUBLIC_URL: this.url }),
      }],
      simulator: [[...wordsOf("agent", tasks), "simulate", ...this.#seedArgs()], {
        SIMULATED_DEVICES: `${this.options.devices}`,
        SIMULATED_SPEED: `${this.options.speed ?? 10}`,
        SIMULATED_FAULTS: `${this.options.faults ?? 0}`,
        SIMULATOR_PORT: `${this.adbPort}`,
      }],
      agent: [[...wordsOf("agent", tasks), "run"], {
        EDGE_URL: `http://127.0.0.1:${seen.edge}`,
        ADB_SERVER: `127.0.0.1:${seen.adb}`,
      }],
    };
    const [args, env] = commands[name];
    const command = [...(this.options.prefix?.[name] ?? []), Deno.execPath(), ...args];
    const part = new Program(
      name,
      command,
      { ...base, ...env, ...this.options.env?.[name] },
      from,
      (line) => {
        this.lines.push(`${name} | ${line}\n`);
      },
    );
    this.#parts.set(name, part);
    const isUp =
      { edge: () => this.#answers(), simulator: () => isListening(this.adbPort), agent: null }[name];
    if (!isUp) return;
    // Stop waiting for a part that has ended; its last lines contain the reason.
    await until(async () => part.exitCode !== null || await isUp(), PATIENCE_MS, `${name} is up`);
    if (part.exitCode !== null) throw new Error(`${name} ended too early\n${this.lines.slice(-30).join("")}`);
  }

  /** Kills parts at once with SIGKILL, and waits until they are gone; a part that has ended is no error. */
  async kill(...names: PartName[]): Promise<void> {
    await Promise.all(names.map((name) => this.#parts.get(name)?.kill()));
    for (const name of names) this.#parts.delete(name);
  }

  /** Freezes parts with SIGSTOP, and returns when none of their threads runs. */
  async freeze(...names: PartName[]): Promise<void> {
    await Promise.all(names.map((name) => this.#parts.get(name)?.freeze()));
  }

  /** Thaws frozen parts. */
  thaw(...names: PartName[]): void {
    for (const name of names) this.#parts.get(name)?.thaw();
  }

  /** Returns the process id of a part, or null when it does not run. */
  pid(name: PartName): number | null {
    const part = this.#parts.get(name);
    return part?.exitCode === null ? part.pid : null;
  }

  /** Returns the exit code of a part that ended by itself, or null. */
  exitCode(name: PartName): number | null {
    return this.#parts.get(name)?.exitCode ?? null;
  }

  /** Ends one part in order, by closing its stdin. */
  async stopPart(name: PartName): Promise<void> {
    await this.#parts.get(name)?.stop();
    this.#parts.delete(name);
  }

  /** Ends every part by closing its stdin, the agent first, and removes the folder unless `keepsData`. */
  async stop({ keepsData = false } = {}): Promise<void> {
    for (const name of ["agent", "simulator", "edge"] as const) await this.stopPart(name);
    if (!keepsData) await Deno.remove(this.dataDir, { recursive: true });
  }

  logins(): Login[] {
    return JSON.parse(Deno.readTextFileSync(`${this.dataDir}/logins.json`));
  }

  /** Returns every accepted tap, in order. */
  taps(): Tap[] {
    return readTaps(this.dataDir);
  }

  /** Returns the output of `deno task audit` for the database. */
  async audit(): Promise<string> {
    return (await this.command("audit")).text.trim();
  }

  /** Runs `deno task <name>` of the edge's release on its database; `text` is its output. */
  async command(name: Command, ...args: string[]): Promise<{ code: number; text: string }> {
    const release = this.releases.edge ?? root;
    const { code, stdout } = await new Deno.Command(Deno.execPath(), {
      args: [...wordsOf(name, await readTasks(release)), ...args],
      cwd: release,
      env: { DATA_DIR: this.dataDir },
      stderr: "inherit",
    }).output();
    return { code, text: new TextDecoder().decode(stdout) };
  }

  /** Reads the edge's database directly, like another program. */
  query<Row>(sql: string, ...args: (string | number)[]): Row[] {
    const db = new DatabaseSync(`${this.dataDir}/shigur.db`, { readOnly: true });
    try {
      return db.prepare(sql).all(...args) as Row[];
    } finally {
      db.close();
    }
  }

  #seedArgs(): string[] {
    return this.options.simulatorSeed === undefined ? [] : ["--seed", this.options.simulatorSeed];
  }

  #applySettings(): void {
    const db = new DatabaseSync(`${this.dataDir}/shigur.db`);
    db.exec("PRAGMA busy_timeout = 5000");
    const { rateLimit, maxMessagesPerDay } = this.options;
    // Faults are intended here, so turn the breaker off: every campaign must come to its end.
    const breaker = { breakerFailedPercent: 100, breakerUnknownPercent: 100, unconfirmedPerDay: 10_000 };
    for (const [key, value] of Object.entries({ rateLimit, maxMessagesPerDay, ...breaker })) {
      if (value === undefined) continue;
      db.prepare("INSERT OR REPLACE INTO settings (key, value, updated_at) VALUES (?, ?, ?)")
        .run(key, JSON.stringify(value), Date.now());
    }
    db.close();
  }

  async #answers(): Promise<boolean> {
    const response = await fetch(`${this.url}/readyz`);
    await response.body?.cancel();
    return response.ok;
  }
}

async function isListening(port: number): Promise<boolean> {
  (await Deno.connect({ hostname: "127.0.0.1", port })).close();
  return true;
}
