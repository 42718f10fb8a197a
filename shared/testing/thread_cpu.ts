import process from "node:process";

/**
 * Processor time of this thread, ms since it began. Tests that run beside others share a process with them, so that the
 * process's own time counts its neighbours as well.
 */
export function threadCpuMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}
