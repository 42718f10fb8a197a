/**
 * A clock that moves in small steps, each after all ready work is done. A busy machine slows it down together with
 * everything that uses it, so that no deadline passes for lack of CPU time.
 */
import { AdbTimeoutError } from "../adb/adb_error.ts";
import type { AdbClient } from "../adb/client.ts";
import type { Clock } from "../time/clock.ts";

const STEP_MS = 25;

export interface SteadyClock extends Clock, Disposable {
  /** The length of a step. Larger where a test only waits and no work has a deadline. */
  stepMs: number;
}

/** Practically never, for timers that count the machine's own time. */
const NEVER_MS = 3_600_000;

/** Starts a clock that passes at most 25 ms for each millisecond of the machine's, until it is disposed of. */
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

/** An adb client whose timeouts run on that clock, not on the machine's. */
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
    exec: (serial, command, options) =>
      bounded(options, (own) => adb.exec(serial, command, { ...options, ...own })),
    push: (serial, bytes, path, options) =>
      bounded(options, (own) => adb.push(serial, bytes, path, { ...options, ...own })),
  };
}
