/** What the kernel says a process used; Linux alone tells it in this form. */

export interface ProcessUse {
  /** Share of one core between the two looks, 0–100 and above with several threads. */
  cpuPercent: number;
  /**
   * Share of the time in which its main thread was ready to run and other programs had the processors: what a process
   * waits here is the machine's doing, the rest its own.
   */
  queuedPercent: number;
  /** Resident size at the second look, in MB of 1024². */
  rssMb: number;
  /** The highest resident size of the process's whole life. */
  peakRssMb: number;
}

/** USER_HZ, which is 100 on every Linux that Deno runs on (proc(5)). */
const TICKS_PER_SECOND = 100;

/** Begins to watch a process; the answer ends it and says what was used in between. */
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

/** Resident size now, in MB. */
export function rssMb(pid: number): number {
  return readKb(pid, "VmRSS") / 1024;
}

/** Processor time of its life, in seconds. */
export function cpuSecondsOf(pid: number): number {
  const stat = Deno.readTextFileSync(`/proc/${pid}/stat`);
  // The name, which may hold spaces and brackets, ends at the last bracket; utime and stime are fields 14 and 15.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
}

/** Processor time of its main thread, in ms: what a machine busy with other things does not change. */
export function mainThreadMs(pid: number): number {
  return readSchedstatMs(pid, 0);
}

/** Its first field is time on a processor, its second time ready without one (sched-stats.rst of the kernel). */
function readSchedstatMs(pid: number, field: 0 | 1): number {
  return Number(Deno.readTextFileSync(`/proc/${pid}/schedstat`).split(" ")[field]) / 1e6;
}

function readKb(pid: number, name: string): number {
  const status = Deno.readTextFileSync(`/proc/${pid}/status`);
  return Number(new RegExp(`^${name}:\\s+(\\d+) kB`, "m").exec(status)?.[1]);
}
