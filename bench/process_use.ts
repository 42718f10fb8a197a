/** Reads a process's resource use from the kernel; works only on Linux. */

export interface ProcessUse {
  /** Share of one core between the two readings, 0–100; more with several threads. */
  cpuPercent: number;
  /**
   * Share of the time in which the main thread was ready but other programs had the processors. This wait is
   * caused by the machine, the rest by the process.
   */
  queuedPercent: number;
  /** Resident size at the second reading, in MB of 1024². */
  rssMb: number;
  /** Highest resident size of the process's whole life. */
  peakRssMb: number;
}

/** USER_HZ, which is 100 on every Linux that Deno runs on (proc(5)). */
const TICKS_PER_SECOND = 100;

/** Starts to watch a process; the returned function stops and returns the use in between. */
export function watchProcess(pid: number): () => ProcessUse {
  const beganAt = performance.now();
  const cpuBefore = cpuSecondsOf(pid);
  const queuedMs = readSchedstatMs(pid, 1);
  return () => {
    const seconds = (performance.now() - beganAt) / 1000;
    const cpuSeconds = cpuSecondsOf(pid) - cpuBefore;
    return {
      cpuPercent: (100 * cpuSeconds) / seconds,
      queuedPercent: (readSchedstatMs(pid, 1) - queuedMs) / (10 * seconds),
      rssMb: readKb(pid, "VmRSS") / 1024,
      peakRssMb: readKb(pid, "VmHWM") / 1024,
    };
  };
}

/** Returns the present resident size, in MB. */
export function rssMb(pid: number): number {
  return readKb(pid, "VmRSS") / 1024;
}

/** Returns the processor time of its whole life, in seconds. */
export function cpuSecondsOf(pid: number): number {
  const stat = Deno.readTextFileSync(`/proc/${pid}/stat`);
  // The name may contain spaces and brackets and ends at the last bracket; utime and stime are fields 14 and 15.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
}

/** Returns the processor time of its main thread, in ms; load from other programs does not change it. */
export function mainThreadMs(pid: number): number {
  return readSchedstatMs(pid, 0);
}

/**
 * The first field is the time on a processor, the second the time ready without one (sched-stats.rst of the
 * kernel).
 */
function readSchedstatMs(pid: number, field: 0 | 1): number {
  return Number(Deno.readTextFileSync(`/proc/${pid}/schedstat`).split(" ")[field]) / 1e6;
}

function readKb(pid: number, name: string): number {
  const status = Deno.readTextFileSync(`/proc/${pid}/status`);
  return Number(new RegExp(`^${name}:\\s+(\\d+) kB`, "m").exec(status)?.[1]);
}
