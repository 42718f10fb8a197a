/** How long the simulated phones take; divided by the speed. In ms, third-party measurements of real phones. */
export const LATENCY_MS = {
  start: 1_200,
  dump: 2_100,
  tap: 150,
  shell: 30,
  reboot: 20_000,
  offlineMoment: 6_000,
  /** Of a slow start or a late row, at most. */
  late: 3_000,
} as const;

/** Thrown out of a command whose phone rebooted under it, or whose simulator shuts down: there is no answer. */
export class ProcessKilledError extends Error {
  override name = "ProcessKilledError";
}

/** The simulator's time. Only waits that are under way hold a timer; stop() ends them all. */
export class SimulatorClock {
  readonly #waits = new Map<ReturnType<typeof setTimeout>, (error: Error) => void>();
  #stopped = false;

  constructor(readonly speed: number, readonly now: () => number) {}

  /** A duration of a real phone, in ms of this simulator. */
  scaled(ms: number): number {
    return ms / this.speed;
  }

  /** Waits as long as it says, not scaled; below half a ms not at all. Rejects with ProcessKilledError at stop(). */
  async wait(ms: number): Promise<void> {
    if (this.#stopped) throw new ProcessKilledError("The simulator is shut down");
    if (!(ms >= 0.5)) return;
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const timer = setTimeout(() => {
      this.#waits.delete(timer);
      resolve();
    }, ms);
    this.#waits.set(timer, reject);
    await promise;
  }

  stop(): void {
    this.#stopped = true;
    for (const [timer, reject] of this.#waits) {
      clearTimeout(timer);
      reject(new ProcessKilledError("The simulator is shut down"));
    }
    this.#waits.clear();
  }
}
