import type { Clock } from "../../agent/time/clock.ts";
import { systemClock } from "../../agent/time/system_clock.ts";

/** How long the simulated phones take; divided by the speed. In ms, third-party measurements of real phones. */
export const LATENCY_MS = {
  start: 1_200,
  dump: 2_100,
  tap: 150,
  shell: 30,
  reboot: 20_000,
  offlineMoment: 6_000,
  /** Until somebody comes and opens a phone locked with its PIN, at most. */
  pinLock: 20_000,
  /** Of a slow start or a late row, at most. */
  late: 3_000,
} as const;

/** Thrown out of a command whose phone rebooted under it, or whose simulator shuts down: there is no answer. */
export class ProcessKilledError extends Error {
  override name = "ProcessKilledError";
}

/** The simulator's time. Only waits that are under way hold a timer; stop() ends them all. */
export class SimulatorClock {
  readonly #stopping = new AbortController();

  constructor(
    readonly speed: number,
    readonly now: () => number,
    private readonly sleep: Clock["sleep"] = systemClock.sleep,
  ) {}

  /** A duration of a real phone, in ms of this simulator. */
  scaled(ms: number): number {
    return ms / this.speed;
  }

  /** Waits as long as it says, not scaled; below half a ms not at all. Rejects with ProcessKilledError at stop(). */
  async wait(ms: number): Promise<void> {
    const { signal } = this.#stopping;
    if (ms >= 0.5) await this.sleep(ms, signal);
    if (signal.aborted) throw new ProcessKilledError("The simulator is shut down");
  }

  stop(): void {
    this.#stopping.abort();
  }
}
