/** The product as real processes on this machine, each of which a test may kill, freeze or start again. */
import { DatabaseSync } from "node:sqlite";

export interface ProductOptions {
  devices: number;
  /** Times real speed of the simulated phones. */
  speed?: number;
  faults?: number;
  /** Least seconds between two messages of one device; the product's own default is 1. */
  rateLimit?: number;
  maxMessagesPerDay?: number;
  /** Folder of the built screens; without one the edge serves only its calls. */
  webDir?: string;
}

export type PartName = "edge" | "simulator" | "agent";

export interface Login {
  username: string;
  role: "admin" | "client";
  password: string;
}

export interface Tap {
  at: string;
  serial: string;
  account: string;
  phone: string;
  text: string;
  image: string | null;
}

const root = new URL("../", import.meta.url).pathname;
const PERMISSIONS = ["--allow-net", "--allow-read", "--allow-write", "--allow-env", "--allow-sys"];

export class Product {
  readonly #parts = new Map<
    PartName,
    { child: Deno.ChildProcess; stdin: WritableStream<Uint8Array>; read: Promise<void> }
  >();
  readonly lines: string[] = [];

  private constructor(
    readonly dataDir: string,
    readonly url: string,
    private readonly options: ProductOptions,
    private simulatorPort: number,
  ) {}

  /** Starts edge, simulator and agent on an empty folder and waits until the edge answers. */
  static async start(options: ProductOptions): Promise<Product> {
    const dataDir = await Deno.makeTempDir({ prefix: "shigur-e2e-" });
    const product = new Product(dataDir, `http://127.0.0.1:${freePort()}`, options, freePort());
    await product.launch("edge");
    product.#applySettings();
    await product.launch("simulator");
    await product.launch("agent");
    return product;
  }

  /** Starts one part, and waits for the edge and the simulator until they answer. */
  async launch(name: PartName): Promise<void> {
    const base = { DATA_DIR: this.dataDir, SHIGUR_PARENT_PIPE: "1" };
    const port = new URL(this.url).port;
    const commands: Record<PartName, [string[], Record<string, string>]> = {
      edge: [[...PERMISSIONS, "edge/main.ts"], {
        PORT: port,
        EMBEDDED_SITE: "1",
        WEB_DIR: this.options.webDir ?? this.dataDir,
      }],
      simulator: [[...PERMISSIONS, "agent/main.ts", "simulate"], {
        SIMULATED_DEVICES: `${this.options.devices}`,
        SIMULATED_SPEED: `${this.options.speed ?? 10}`,
        SIMULATED_FAULTS: `${this.options.faults ?? 0}`,
        SIMULATOR_PORT: `${this.simulatorPort}`,
      }],
      agent: [[...PERMISSIONS, "--allow-run", "agent/main.ts", "run"], {
        EDGE_URL: this.url,
        ADB_SERVER: `127.0.0.1:${this.simulatorPort}`,
      }],
    };
    const [args, env] = commands[name];
    const child = new Deno.Command(Deno.execPath(), {
      args: ["run", "-q", ...args],
      cwd: root,
      env: { ...base, ...env },
      stdin: "piped",
      stdout: "piped",
      stderr: "piped",
    }).spawn();
    const keep = async (stream: ReadableStream<Uint8Array<ArrayBuffer>>) => {
      for await (const text of stream.pipeThrough(new TextDecoderStream())) {
        this.lines.push(`${name} | ${text}`);
      }
    };
    const read = Promise.all([keep(child.stdout), keep(child.stderr)]).then(() => {});
    this.#parts.set(name, { child, stdin: child.stdin, read });
    if (name === "edge") await this.#untilAnswers(`${this.url}/readyz`);
    if (name === "simulator") await untilListening(this.simulatorPort);
  }

  /** Kills one part with SIGKILL and waits until it is gone. */
  async kill(name: PartName): Promise<void> {
    const part = this.#parts.get(name);
    if (!part) return;
    part.child.kill("SIGKILL");
    await this.#gone(name);
  }

  /** Ends every part by closing its stdin, agent first, and removes the folder. */
  async stop(): Promise<void> {
    for (const name of ["agent", "simulator", "edge"] as const) {
      const part = this.#parts.get(name);
      if (!part) continue;
      await part.stdin.close().catch(() => {});
      const timer = setTimeout(() => part.child.kill("SIGKILL"), 10_000);
      await this.#gone(name);
      clearTimeout(timer);
    }
    await Deno.remove(this.dataDir, { recursive: true });
  }

  logins(): Login[] {
    return JSON.parse(Deno.readTextFileSync(`${this.dataDir}/logins.json`));
  }

  /** Every accepted tap, in order, from the phones' own log. */
  taps(): Tap[] {
    const text = Deno.readTextFileSync(`${this.dataDir}/simulator/taps.jsonl`);
    return text.split("\n").filter((line) => line.endsWith("}")).map((line) => JSON.parse(line));
  }

  /** What `deno task audit` says of the database. */
  async audit(): Promise<string> {
    const { stdout } = await new Deno.Command(Deno.execPath(), {
      args: ["run", "-q", ...PERMISSIONS, "edge/audit.ts"],
      cwd: root,
      env: { DATA_DIR: this.dataDir },
    }).output();
    return new TextDecoder().decode(stdout).trim();
  }

  /** Reads the edge's database directly, as another program would. */
  query<Row>(sql: string, ...args: (string | number)[]): Row[] {
    const db = new DatabaseSync(`${this.dataDir}/shigur.db`, { readOnly: true });
    try {
      return db.prepare(sql).all(...args) as Row[];
    } finally {
      db.close();
    }
  }

  #applySettings(): void {
    const db = new DatabaseSync(`${this.dataDir}/shigur.db`);
    db.exec("PRAGMA busy_timeout = 5000");
    for (const key of ["rateLimit", "maxMessagesPerDay"] as const) {
      const value = this.options[key];
      if (value === undefined) continue;
      db.prepare("INSERT OR REPLACE INTO settings (key, value, updated_at) VALUES (?, ?, ?)")
        .run(key, JSON.stringify(value), Date.now());
    }
    db.close();
  }

  async #untilAnswers(url: string): Promise<void> {
    for (let attempt = 0; attempt < 300; attempt++) {
      const response = await fetch(url).catch(() => null);
      await response?.body?.cancel();
      if (response?.ok) return;
      await pause(100);
    }
    throw new Error(`No answer from ${url}\n${this.lines.slice(-30).join("")}`);
  }

  async #gone(name: PartName): Promise<void> {
    const part = this.#parts.get(name);
    if (!part) return;
    await part.child.status;
    await part.read;
    await part.stdin.abort().catch(() => {});
    this.#parts.delete(name);
  }
}

/** One logged-in caller of the HTTP interface, with its cookie and its own origin. */
export class Caller {
  #cookie = "";

  constructor(private readonly url: string) {}

  static async login(url: string, login: Login): Promise<Caller> {
    const caller = new Caller(url);
    const response = await caller.call("POST", "/api/auth/login", {
      json: { username: login.username, password: login.password },
    });
    if (!response.ok) throw new Error(`Cannot log in: ${response.status} ${await response.text()}`);
    await response.body?.cancel();
    return caller;
  }

  async call(
    method: string,
    path: string,
    body: { json?: unknown; form?: FormData } = {},
  ): Promise<Response> {
    const headers = new Headers({ origin: this.url });
    if (this.#cookie) headers.set("cookie", this.#cookie);
    if (body.json !== undefined) headers.set("content-type", "application/json");
    const response = await fetch(this.url + path, {
      method,
      headers,
      body: body.form ?? (body.json === undefined ? undefined : JSON.stringify(body.json)),
    });
    const set = response.headers.getSetCookie().map((cookie) => cookie.split(";")[0]);
    if (set.length > 0) this.#cookie = set.join("; ");
    return response;
  }

  /** Calls, and gives the JSON answer. @throws {Error} when the answer is not OK. */
  async read<T>(method: string, path: string, body: { json?: unknown; form?: FormData } = {}): Promise<T> {
    const response = await this.call(method, path, body);
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
    return JSON.parse(text);
  }
}

/** Makes a campaign with `count` distinct Israeli numbers, ready to send, and gives its id. */
export async function makeReadyCampaign(caller: Caller, name: string, count: number): Promise<number> {
  const form = new FormData();
  form.set("name", name);
  form.set("message", `שלום, זו הודעה מאת ${name} 🙂\nשורה שנייה`);
  form.set("status", "draft");
  const { id } = await caller.read<{ id: number }>("POST", "/api/campaigns", { form });
  const file = new FormData();
  const rows = Array.from({ length: count }, (_, index) => `לקוח ${index},05${41_000_001 + index}`);
  file.set("file", new File([`שם,טלפון\n${rows.join("\n")}\n`], "contacts.csv", { type: "text/csv" }));
  await caller.read("POST", `/api/campaigns/${id}/contacts`, { form: file });
  return id;
}

/** Asks every 200 ms until `check` gives something, for at most `timeoutMs`. */
export async function until<T>(
  check: () => Promise<T | null | false>,
  timeoutMs: number,
  what: string,
): Promise<T> {
  const end = Date.now() + timeoutMs;
  while (Date.now() < end) {
    const result = await check().catch(() => null);
    if (result) return result;
    await pause(200);
  }
  throw new Error(`Not within ${timeoutMs / 1000} s: ${what}`);
}

export function pause(ms: number): Promise<void> {
  return new Promise((done) => setTimeout(done, ms));
}

function freePort(): number {
  const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  listener.close();
  return listener.addr.port;
}

async function untilListening(port: number): Promise<void> {
  for (let attempt = 0; attempt < 300; attempt++) {
    const connection = await Deno.connect({ hostname: "127.0.0.1", port }).catch(() => null);
    if (connection) return connection.close();
    await pause(50);
  }
  throw new Error(`Nobody listens on port ${port}`);
}
