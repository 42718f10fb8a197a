/** The machine's clock. */
import type { Clock } from "./clock.ts";

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  sleep(ms, signal) {
    if (signal?.aborted || ms <= 0) return Promise.resolve();
    return new Promise((done) => {
      const timer = setTimeout(finish, Math.min(ms, 2 ** 31 - 1));
      signal?.addEventListener("abort", finish, { once: true });
      function finish() {
        clearTimeout(timer);
        signal?.removeEventListener("abort", finish);
        done();
      }
    });
  },
};
