/** The server time of a model world, and the time that each machine sees. */
import type { Clock } from "../../agent/time/clock.ts";

/** A site's computer: its wall clock may be wrong, and its monotonic clock stops during sleep. */
export interface Machine {
  wallOffsetMs: number;
  sleptMs: number;
}

interface Sleeper {
  /** Monotonic time of its machine. */
  at: number;
  wake(): void;
}

/** Server time; it moves only in a step. */
export class WorldTime {
  now: number;
  readonly #clocks = new Set<ProcessClock>();
  readonly #idle: () => Promise<void>;

  /** `idle` resolves when nothing can continue without another step. */
  constructor(now: number, idle: () => Promise<void>) {
    this.now = now;
    this.#idle = idle;
  }

  clockOf(machine: Machine): ProcessClock {
    const clock = new ProcessClock(this, machine, () => this.#clocks.delete(clock));
    this.#clocks.add(clock);
    return clock;
  }

  /** Advances by `ms`, from one due timer to the next. */
  async pass(ms: number): Promise<void> {
    const until = this.now + ms;
    for (;;) {
      const next = Math.min(...Array.from(this.#clocks, (clock) => clock.nextAt));
      if (next > until) break;
      this.now = Math.max(this.now, next);
      await this.#wakeDue();
    }
    this.now = until;
  }

  /** Advances by `ms` at once: every timer in between fires late. */
  async leap(ms: number): Promise<void> {
    this.now += ms;
    await this.#wakeDue();
  }

  async #wakeDue(): Promise<void> {
    for (const clock of this.#clocks) clock.wakeDue();
    await this.#idle();
  }
}

/** Time in one agent process; its timers end with it. */
export class ProcessClock implements Clock {
  readonly #time: WorldTime;
  readonly #machine: Machine;
  readonly #end: () => void;
  readonly #sleepers = new Set<Sleeper>();

  constructor(time: WorldTime, machine: Machine, end: () => void) {
    this.#time = time;
    this.#machine = machine;
    this.#end = end;
  }

  now(): number {
    return this.#time.now + this.#machine.wallOffsetMs;
  }

  monotonic(): number {
    return this.#time.now - this.#machine.sleptMs;
  }

  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      if (signal?.aborted) return resolve();
      const sleeper = { at: this.monotonic() + Math.max(0, ms), wake };
      const sleepers = this.#sleepers;
      sleepers.add(sleeper);
      signal?.addEventListener("abort", wake);
      function wake() {
        sleepers.delete(sleeper);
        signal?.removeEventListener("abort", wake);
        resolve();
      }
    });
  }

  /** Returns the server time of the next due timer, or Infinity. */
  get nextAt(): number {
    let next = Infinity;
    for (const { at } of this.#sleepers) if (at < next) next = at;
    return next + this.#machine.sleptMs;
  }

  wakeDue(): void {
    const now = this.monotonic();
    for (const sleeper of [...this.#sleepers]) if (sleeper.at <= now) sleeper.wake();
  }

  /** The process is gone: its sleeping calls never wake. */
  kill(): void {
    this.#sleepers.clear();
    this.#end();
  }
}
