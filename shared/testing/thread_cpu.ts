import process from "node:process";

/**
 * Returns this thread's processor time in ms. Tests that run in parallel share one process, so the process's own
 * time would include the other tests.
 */
export function threadCpuMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}
