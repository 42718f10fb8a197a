/**
 * A time of its own that goes by in small steps, each with all the work that was ready: a busy machine slows it down
 * with everything that lives in it, and nothing comes too late for want of cores.
 */
import { AdbTimeoutError } from "../adb/adb_error.ts";
import type { AdbClient } from "../adb/client.ts";
import type { Clock } from "../time/clock.ts";

const STEP_MS = 25;

export interface SteadyClock extends Clock, Disposable {
  /** What passes at a step: more where a test only waits, and nothing is under way that has a deadline. */
  stepMs: number;
}

/** As good as never, for timers that count the machine's own time. */
const NEVER_MS = 3_600_000;

/** Starts a clock that passes 25 ms at most for each of the machine's, until it is disposed of. */
export function steadyClock(): SteadyClock {
  const startedAt = Date.now();
  let passedMs = 0;
  const sleepers = new Set<{ at: number; wake: () => void }>();
  const timer = setInterval(() => {
    passedMs += clock.stepMs;
    for (const sleeper of sleepers) if (sleeper.at <= passedMs) sleeper.wake();
  }, 1);
  const clock: SteadyClock = {
    stepMs: STEP_MS,
    now: () => startedAt + passedMs,
    monotonic: () => passedMs,
    sleep(ms, signal) {
      if (signal?.aborted || ms <= 0) return Promise.resolve();
      return new Promise((done) => {
        const sleeper = { at: passedMs + ms, wake };
        sleepers.add(sleeper);
        signal?.addEventListener("abort", wake, { once: true });
        function wake() {
          sleepers.delete(sleeper);
          signal?.removeEventListener("abort", wake);
          done();
        }
      });
    },
    [Symbol.dispose]: () => clearInterval(timer),
  };
  return clock;
}

/** An adb client that loses its patience by that clock, and not by the machine's. */
export function steadyAdb(adb: AdbClient, clock: Clock): AdbClient {
  const bounded = async <T>(
    { timeoutMs, signal }: { timeoutMs: number; signal?: AbortSignal },
    call: (options: { timeoutMs: number; signal: AbortSignal }) => Promise<T>,
  ): Promise<T> => {
    const ended = new AbortController();
    const onAbort = () => ended.abort(signal!.reason);
    if (signal?.aborted) onAbort();
    signal?.addEventListener("abort", onAbort, { once: true });
    clock.sleep(timeoutMs, ended.signal).then(() =>
      ended.abort(new AdbTimeoutError(`No answer from the ADB server in ${timeoutMs} ms`))
    );
    try {
      return await call({ timeoutMs: NEVER_MS, signal: ended.signal });
    } finally {
      signal?.removeEventListener("abort", onAbort);
      ended.abort();
    }
  };
  return {
    ...adb,
    shell: (serial, command, options) => bounded(options, (own) => adb.shell(serial, command, own)),
    push: (serial, bytes, path, options) =>
      bounded(options, (own) => adb.push(serial, bytes, path, { ...options, ...own })),
  };
}
