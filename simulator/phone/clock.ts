import type { Clock } from "../../agent/time/clock.ts";
import { systemClock } from "../../agent/time/system_clock.ts";

/**
 * How long the simulated phones take, in ms, divided by the speed. Third parties measured the values on real phones.
 */
export const LATENCY_MS = {
  start: 1_200,
  dump: 2_100,
  tap: 150,
  screencap: 600,
  shell: 30,
  reboot: 20_000,
  offlineMoment: 6_000,
  /** The longest time until a person opens a phone that was locked with its PIN. */
  pinLock: 20_000,
  /** The longest delay of a slow start or a late row. */
  late: 3_000,
} as const;

/** Thrown out of a command whose phone reboots or whose simulator shuts down: it gives no answer. */
export class ProcessKilledError extends Error {
  override name = "ProcessKilledError";
}

/** The simulator's time. Only running waits hold a timer; stop() ends them all. */
export class SimulatorClock {
  readonly #stopping = new AbortController();

  constructor(
    readonly speed: number,
    readonly now: () => number,
    private readonly sleep: Clock["sleep"] = systemClock.sleep,
  ) {}

  /** Converts a duration of a real phone into ms of this simulator. */
  scaled(ms: number): number {
    return ms / this.speed;
  }

  /** Waits for `ms`, not scaled, and not at all below half a ms. Rejects with ProcessKilledError at stop(). */
  async wait(ms: number): Promise<void> {
    const { signal } = this.#stopping;
    if (ms >= 0.5) await this.sleep(ms, signal);
    if (signal.aborted) throw new ProcessKilledError("The simulator is shut down");
  }

  stop(): void {
    this.#stopping.abort();
  }
}
