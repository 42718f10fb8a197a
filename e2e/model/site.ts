/** A site: one machine with its phones and its journal on disk; its programs start and end. */
import { AgentProcess, type ProcessOptions } from "./agent_process.ts";
import type { SiteTruth } from "./oracle.ts";
import type { ModelPhone } from "./phone.ts";
import type { Machine, ProcessClock, WorldTime } from "./time.ts";

const PARTS = ["", "-wal"];

export type SiteHooks = Omit<ProcessOptions, "journalPath" | "phones" | "clock">;

export class Site implements Machine, SiteTruth {
  wallOffsetMs = 0;
  sleptMs = 0;
  lostAt = 0;
  restoredAt = 0;
  /** Whether an older copy of the journal is in place that no edge knows of. */
  #isCopyUnknown = false;
  forgotPaceAt = -Infinity;
  process: AgentProcess | null = null;
  /** Clock of the present process. */
  clock: ProcessClock | null = null;
  /** Journal counter of the saved copy, or null. */
  copyCounter: number | null = null;
  readonly #journalPath: string;
  readonly #time: WorldTime;
  readonly #hooks: () => SiteHooks;

  constructor(
    readonly id: number,
    readonly phones: readonly ModelPhone[],
    options: { folder: string; time: WorldTime; hooks(): SiteHooks },
  ) {
    this.#journalPath = `${options.folder}/journal-${id}.db`;
    this.#time = options.time;
    this.#hooks = options.hooks;
    this.#removeJournal();
  }

  /** Starts the program if it does not run. */
  start(): AgentProcess {
    if (this.process !== null) return this.process;
    const clock = this.clock = this.#time.clockOf(this);
    const { phones } = this;
    return this.process = new AgentProcess({
      ...this.#hooks(),
      journalPath: this.#journalPath,
      phones,
      clock,
    });
  }

  crash(): boolean {
    const { process } = this;
    process?.kill();
    this.process = null;
    this.clock = null;
    return process !== null;
  }

  /** Replaces the machine: its journal is lost. */
  loseJournal(): void {
    this.crash();
    this.#removeJournal();
    this.lostAt = this.#time.now;
    this.forgotPaceAt = this.#time.now;
    this.copyCounter = null;
  }

  saveJournal(): boolean {
    if (this.process === null) return false;
    this.copyCounter = this.process.journal.counter;
    for (const part of PARTS) Deno.copyFileSync(this.#journalPath + part, `${this.#journalPath}.copy${part}`);
    return true;
  }

  /** Replaces the journal with the older copy. */
  restoreJournal(): void {
    this.crash();
    this.#removeJournal();
    for (const part of PARTS) Deno.copyFileSync(`${this.#journalPath}.copy${part}`, this.#journalPath + part);
    this.restoredAt = this.#time.now;
    this.#isCopyUnknown = true;
    this.forgotPaceAt = this.#time.now;
  }

  /** An edge has answered a hello: only from now on does its database know about the journal's replacement. */
  helloAcked(): void {
    if (this.#isCopyUnknown) this.restoredAt = this.#time.now;
    this.#isCopyUnknown = false;
  }

  #removeJournal(): void {
    for (const part of PARTS) {
      try {
        Deno.removeSync(this.#journalPath + part);
      } catch (error) {
        if (!(error instanceof Deno.errors.NotFound)) throw error;
      }
    }
  }
}
