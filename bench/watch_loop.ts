/** Watches this process's event loop and memory while something is measured; works only on Linux. */

export interface LoopFigures {
  /** Longest time by the clock for which the event loop did not turn. */
  longestBlockMs: number;
  /** The same of a processor: other programs do not change it. */
  longestCpuMs: number;
  /** Highest resident size. */
  peakBytes: number;
}

const SAMPLE_MS = 5;

/** Starts to watch; stop() ends it and returns the figures. */
export function watchLoop(): { stop(): LoopFigures } {
  let last = performance.now();
  let lastCpu = ownMainThreadMs();
  const found: LoopFigures = { longestBlockMs: 0, longestCpuMs: 0, peakBytes: 0 };
  function look() {
    const [now, cpu] = [performance.now(), ownMainThreadMs()];
    found.longestBlockMs = Math.max(found.longestBlockMs, now - last - SAMPLE_MS);
    found.longestCpuMs = Math.max(found.longestCpuMs, cpu - lastCpu);
    found.peakBytes = Math.max(found.peakBytes, Deno.memoryUsage().rss);
    [last, lastCpu] = [now, cpu];
  }
  const timer = setInterval(look, SAMPLE_MS);
  return {
    stop() {
      clearInterval(timer);
      look();
      return found;
    },
  };
}

/** The first field is the time on a processor in ns; of a process, the kernel names its first thread. */
function ownMainThreadMs(): number {
  return Number(Deno.readTextFileSync("/proc/self/schedstat").split(" ")[0]) / 1e6;
}
