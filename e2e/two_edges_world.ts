/** Two or more real edges over one database, with clocks four seconds apart, and the tools of their tests. */
import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import type { Tap } from "../simulator/phone/tap_log.ts";
import { createSite } from "../edge/sites/create_site.ts";
import type { EdgeContext } from "../edge/context.ts";
import { connectDatabase } from "../edge/db/connect.ts";
import { auditQueue } from "../edge/queue/audit.ts";
import { testContext } from "../edge/testing/test_context.ts";
import type { HranaDoors, SiteChange } from "../edge/testing/hrana_process.ts";
import { Relay } from "./faults/relay.ts";
import { FalseClock } from "./faults/site_machine.ts";
import { launchSite, Process } from "./two_edges_process.ts";
import { Caller, type Login } from "./caller.ts";
import { mulberry32 } from "shared/random.ts";

export type DatabaseKind = "file" | "remote";
export type EdgeName = "a" | "b" | "c";

/** Delay of a round trip between an edge and its remote database. */
const REMOTE_DELAY_MS = 5;
/** The edges' clock errors, in seconds. */
const CLOCKS_S: Record<EdgeName, number> = { a: 2, b: -2, c: 0 };
const APP_KEY = "the same on every edge of this installation";

export interface Edge {
  process: Process;
  clock: FalseClock;
  url: string;
  dataDir: string;
  /** Starts it; with a `url`, at the same address again. */
  launch(): Promise<void>;
}

export interface Balancer {
  url: string;
  /** Sends new connections to another edge; `cut` also ends the present ones, which otherwise stay where they are. */
  moveTo(edge: Edge, options: { cut: boolean }): void;
}

export class World {
  readonly #closing: (() => unknown)[] = [];
  readonly #over = new AbortController();

  constructor(
    readonly kind: DatabaseKind,
    readonly folder: string,
    /** Path of the SQLite file, also when it is served as a remote database. */
    readonly path: string,
    /** A third instance without sockets: its acts reach agents and browsers only through the outbox. */
    readonly ctx: EdgeContext,
    readonly edges: [a: Edge, b: Edge, ...more: Edge[]],
    readonly processes: Process[],
  ) {}

  /** Starts all edges at the same moment on an empty database. */
  static async start(
    kind: DatabaseKind,
    settings: Record<string, number>,
    edges: EdgeName[],
  ): Promise<World> {
    const folder = await Deno.makeTempDir({ prefix: "shigur-two-edges-" });
    const processes: Process[] = [];
    try {
      return await open(kind, folder, processes, settings, edges);
    } catch (error) {
      await Promise.all(processes.map((process) => process.stop()));
      await Deno.remove(folder, { recursive: true });
      throw error;
    }
  }

  /** Aborts when the world ends, together with all watchers. */
  get over(): AbortSignal {
    return this.#over.signal;
  }

  /** Returns the first logins, from whichever edge wrote them. */
  logins(): Login[] {
    const files = [...new Set(this.edges.map((edge) => `${edge.dataDir}/logins.json`))];
    return files.flatMap((file) => {
      try {
        return JSON.parse(Deno.readTextFileSync(file));
      } catch (error) {
        if (error instanceof Deno.errors.NotFound) return [];
        throw error;
      }
    });
  }

  async login(role: Login["role"], edge: Edge): Promise<Caller> {
    const login = this.logins().find((one) => one.role === role);
    assert.ok(login);
    return await Caller.login(edge.url, login);
  }

  /** Creates a client with a quota through the administrator's calls, and logs them in at `edge`. */
  async addClient(username: string, messageQuota: number, edge: Edge): Promise<Caller> {
    const admin = await this.login("admin", edge);
    const login = { username, password: "correct horse", role: "client" as const };
    const { id } = await admin.read<{ id: number }>("POST", "/api/users", { json: login });
    await admin.read("PATCH", `/api/users/${id}/quota`, { json: { messageQuota } });
    return await Caller.login(edge.url, login);
  }

  /** Starts a balancer between sites and the edges, which ends with the world. */
  balance(edge: Edge): Balancer {
    const relay = new Relay(mulberry32(0));
    const moveTo = ({ url }: Edge, { cut }: { cut: boolean }) => {
      relay.target = Number(new URL(url).port);
      if (cut) relay.cut();
    };
    moveTo(edge, { cut: false });
    this.#closing.push(() => relay.close());
    return { url: `http://127.0.0.1:${relay.port}`, moveTo };
  }

  /** Starts a simulator and the real agent of a new site, which connects to the edges at `url`. */
  async startSite(name: string, url: string, devices: number, speed: number): Promise<{ taps(): Tap[] }> {
    const { joinToken } = await createSite(this.ctx, name);
    const site = { name, url, joinToken, devices, speed };
    return await launchSite(`${this.folder}/${name}`, site, this.processes);
  }

  /** Reads the database's file directly, like another program. */
  query<Row>(sql: string, ...args: (string | number)[]): Row[] {
    const db = new DatabaseSync(this.path, { readOnly: true });
    try {
      return db.prepare(sql).all(...args) as Row[];
    } finally {
      db.close();
    }
  }

  /** Holds the database's write lock while `act` runs: the edges' writes wait meanwhile. */
  async whileLocked<T>(act: () => Promise<T>): Promise<T> {
    const db = new DatabaseSync(this.path);
    try {
      db.exec("PRAGMA busy_timeout = 10000");
      db.exec("BEGIN IMMEDIATE");
      return await act();
    } finally {
      db.close();
    }
  }

  /** Returns changes of site data through one edge's connection to the remote database, one entry per statement. */
  changesThrough(edge: Edge): SiteChange[] {
    const door = this.edges.indexOf(edge);
    const database = this.processes.find((process) => process.name === "database");
    return (database?.lines ?? []).filter((line) => line.startsWith('{"door"'))
      .map((line): SiteChange => JSON.parse(line))
      .filter((change) => change.door === door);
  }

  /** Returns violations of the rules of queue, ledger and counters. */
  audit() {
    return auditQueue(this.ctx.db);
  }

  /** Returns the last lines of all processes, for a failure's report. */
  lastLines(): string {
    return this.processes.flatMap(({ name, lines }) =>
      lines.slice(-15).map((line) => `${name} | ${line.slice(0, 200)}`)
    )
      .join("\n").slice(-20_000);
  }

  /** Ends everything, agents first and the database last, and removes the folder. */
  async stop(): Promise<void> {
    this.#over.abort();
    const order = ["agent", "simulator", "edge", "database"];
    for (const start of order) {
      await Promise.all(this.processes.filter(({ name }) => name.startsWith(start)).map((one) => one.stop()));
    }
    for (const close of this.#closing) await close();
    for (const { clock } of this.edges) clock.remove();
    this.ctx.db.close();
    await Deno.remove(this.folder, { recursive: true });
  }
}

async function open(
  kind: DatabaseKind,
  folder: string,
  processes: Process[],
  settings: Record<string, number>,
  names: EdgeName[],
): Promise<World> {
  const path = `${folder}/shigur.db`;
  // One more than there are edges, for the test itself.
  let urls = [...names, "own"].map(() => `file:${path}`);
  if (kind === "remote") {
    const args = ["edge/testing/hrana_process.ts", path, `${REMOTE_DELAY_MS}`, `${urls.length}`];
    const server = new Process("database", args, {});
    processes.push(server);
    const doors: HranaDoors = JSON.parse(await server.line('{"urls"'));
    urls = doors.urls;
  }
  const edges = await Promise.all(names.map(async (name, index): Promise<Edge> => {
    const clock = FalseClock.make(CLOCKS_S[name]);
    // Edges of one file share its folder; edges of a remote database are separate machines.
    const dataDir = kind === "file" ? folder : `${folder}/${name}`;
    const edge = { clock, dataDir, url: "", launch } as Edge;
    await launch();
    return edge;

    async function launch(): Promise<void> {
      edge.process = new Process(`edge ${name}`, ["edge/main.ts"], {
        PORT: edge.url === "" ? "0" : new URL(edge.url).port,
        DATA_DIR: dataDir,
        WEB_DIR: dataDir,
        DATABASE_URL: urls[index],
        EMBEDDED_SITE: "1",
        LOG_LEVEL: "debug",
        STOP_DRAIN_MS: "500",
        ...(kind === "remote" ? { APP_KEY } : {}),
      }, clock.prefix);
      processes.push(edge.process);
      edge.url = JSON.parse(await edge.process.line('{"event":"edge_ready"')).url;
    }
  }));
  const ctx = testContext(await connectDatabase(urls.at(-1)!));
  // Faults are intended here, so turn the breaker off: every campaign must come to its end.
  const breaker = { breakerFailedPercent: 100, breakerUnknownPercent: 100, unconfirmedPerDay: 10_000 };
  for (const [key, value] of Object.entries({ ...breaker, ...settings })) {
    await ctx.db.execute({
      sql: "INSERT INTO settings (key, value, updated_at) VALUES (?, ?, ?)",
      args: [key, JSON.stringify(value), Date.now()],
    });
  }
  return new World(kind, folder, path, ctx, edges as World["edges"], processes);
}

/** Runs `test` in its own world; a failure includes the last lines of its processes. */
export async function withWorld<T>(
  kind: DatabaseKind,
  settings: Record<string, number>,
  test: (world: World) => Promise<T>,
  edges: EdgeName[] = ["a", "b"],
): Promise<T> {
  const world = await World.start(kind, settings, edges);
  try {
    return await test(world);
  } catch (error) {
    throw new Error(`On a ${kind} database; the processes' last lines:\n${world.lastLines()}`, {
      cause: error,
    });
  } finally {
    await world.stop();
  }
}
