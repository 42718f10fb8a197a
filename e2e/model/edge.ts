/**
 * One edge process that can die and freeze: the agents' real endpoint, hub and outbox tail over the shared
 * database.
 */
import type { Client, InArgs, InStatement, Transaction, TransactionMode } from "@libsql/client/web";
import { connectSite } from "../../edge/sites/connect.ts";
import { createAgentHub } from "../../edge/sites/hub.ts";
import { serveAgent } from "../../edge/sites/socket.ts";
import type { EdgeContext, StartWait } from "../../edge/context.ts";
import { isReadOnly } from "../../edge/db/read_only.ts";
import type { WriteLock } from "../../edge/db/write_lock.ts";
import { TEST_MARK_KEYS, testAuditParts } from "../../edge/testing/audit_parts.ts";
import { createTail } from "../../edge/live/tail.ts";
import type { Link } from "./link.ts";

/** Thrown inside a dead process, to end whatever it was doing. */
export class EdgeGoneError extends Error {
  override name = "EdgeGoneError";
}

/** A fault of the process, after this many more database calls. */
export interface EdgeFault {
  kind: "crash" | "freeze";
  calls: number;
}

export interface EdgeHost {
  now(): number;
  randomBytes(length: number): Uint8Array<ArrayBuffer>;
  /** Held over each write until it was checked: otherwise one check would see the moves of two commits as one. */
  readonly writing: WriteLock;
  /** The wait of an edge that starts now. */
  readonly startWait: StartWait;
  /** Called after a transaction was committed. */
  committed(): void;
  /** Called for an unexpected error at the agents' endpoint. */
  failed(event: string, error: string): void;
}

export class EdgeProcess {
  readonly ctx: EdgeContext;
  fault: EdgeFault | null = null;
  /** Number of database calls under way. */
  busy = 0;
  isGone = false;
  readonly #host: EdgeHost;
  readonly #links: Link[] = [];
  readonly #hub = createAgentHub();
  readonly #stop = new AbortController();
  readonly #tail;
  #frozen: PromiseWithResolvers<void> | null = null;
  #tailRests: (() => void) | null = null;

  constructor(db: Client, host: EdgeHost) {
    this.#host = host;
    const fail = (event: string, fields = {}) => {
      if (!this.isGone) host.failed(event, JSON.stringify(fields));
    };
    this.ctx = {
      db: this.#gated(db),
      now: host.now,
      randomBytes: host.randomBytes,
      wakeOutbox() {},
      log: {
        debug: (event, fields) => event === "agent_frame_refused" && fail(event, fields),
        info() {},
        warn() {},
        error: fail,
      },
      audit: testAuditParts(),
      databaseMarkKeys: TEST_MARK_KEYS,
      startWait: host.startWait,
    };
    this.#tail = createTail({
      db: this.ctx.db,
      log: this.ctx.log,
      sleep: (_ms, signal) =>
        new Promise((resolve) => {
          this.#tailRests = resolve;
          signal.addEventListener("abort", () => resolve(), { once: true });
        }),
      browsers: { deliver() {}, flush: () => null },
      deliverToAgents: this.#hub.deliver,
    });
    this.#tail.run(this.#stop.signal);
  }

  /** Serves a new connection, like the route after its check of the token. */
  async accept(link: Link): Promise<void> {
    this.#links.push(link);
    const welcome = await connectSite(this.ctx, link.site);
    if (welcome === null || this.isGone) return link.socket.close();
    const door = { hub: this.#hub, joinOutbox: this.#tail.join };
    serveAgent(this.ctx, door, link.socket as unknown as WebSocket, link.site, welcome);
    link.socket.onopen?.();
  }

  /** Reads the outbox once; returns whether any connection was following it. */
  lookAtOutbox(): boolean {
    const rests = this.#tailRests;
    this.#tailRests = null;
    rests?.();
    return rests !== null;
  }

  /** Continues at the point where it was frozen. */
  thaw(): boolean {
    this.fault = null;
    const frozen = this.#frozen;
    this.#frozen = null;
    frozen?.resolve();
    return frozen !== null;
  }

  /** Drops everything in memory, and every socket. */
  crash(): void {
    this.isGone = true;
    for (const { socket } of this.#links) socket.readyState = WebSocket.CLOSED;
    this.thaw();
    this.#stop.abort();
  }

  #gated(db: Client): Client {
    const execute = (stmt: InStatement | string, args?: InArgs) => {
      const statement = typeof stmt === "string" ? { sql: stmt, args } : stmt as { sql: string };
      return this.#call(() => db.execute(statement), !isReadOnly(statement.sql));
    };
    const batch = (statements: InStatement[], mode?: TransactionMode) =>
      this.#call(() => db.batch(statements, mode), mode !== "read");
    // No fault inside a transaction, because the database would undo all of it.
    const transaction = async (mode?: TransactionMode): Promise<Transaction> => {
      await this.#turn();
      await this.#mayWrite();
      this.busy += 1;
      const tx = await db.transaction(mode ?? "write").catch((error) => {
        this.busy -= 1;
        this.#host.writing.release();
        throw error;
      });
      let isOpen = true;
      return Object.assign(Object.create(tx), {
        execute: (statement: InStatement) => tx.execute(statement),
        batch: (statements: InStatement[]) => tx.batch(statements),
        commit: async () => {
          await tx.commit();
          this.#done(true);
        },
        close: () => {
          if (isOpen) {
            this.busy -= 1;
            this.#host.writing.release();
          }
          isOpen = false;
          tx.close();
        },
      });
    };
    return Object.assign(Object.create(db), { execute, batch, transaction });
  }

  async #call<T>(act: () => Promise<T>, writes: boolean): Promise<T> {
    await this.#turn();
    if (writes) await this.#mayWrite();
    this.busy += 1;
    try {
      const result = await act();
      this.#done(writes);
      return result;
    } finally {
      this.busy -= 1;
      if (writes) this.#host.writing.release();
    }
  }

  /**
   * Waits for the others' writes.
   *
   * @throws {EdgeGoneError} when the process died meanwhile
   */
  async #mayWrite(): Promise<void> {
    await this.#host.writing.acquire();
    if (!this.isGone) return;
    this.#host.writing.release();
    throw new EdgeGoneError();
  }

  /**
   * Waits while the process is frozen.
   *
   * @throws {EdgeGoneError} when the process died meanwhile
   */
  async #turn(): Promise<void> {
    if (this.fault?.calls === 0) {
      if (this.fault.kind === "crash") this.crash();
      else this.#frozen ??= Promise.withResolvers();
      this.fault = null;
    }
    if (this.#frozen !== null) await this.#frozen.promise;
    if (this.isGone) throw new EdgeGoneError();
  }

  #done(writes: boolean): void {
    if (writes) this.#host.committed();
    if (this.fault === null) return;
    this.fault.calls -= 1;
    // Committed, but the process dies before it knows.
    if (this.fault.calls === 0 && this.fault.kind === "crash") {
      this.crash();
      throw new EdgeGoneError();
    }
  }
}
