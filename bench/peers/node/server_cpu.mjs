/** Processor time of a server and its children (PostgreSQL has one per connection); works only on Linux. */
import { readdirSync, readFileSync } from "node:fs";

/** USER_HZ, which is 100 on every Linux that Node runs on (proc(5)). */
const TICKS_PER_SECOND = 100;

/** Seconds of a process, of its children, and of those that have ended. */
function serverCpuSeconds(pid) {
  const all = readdirSync("/proc").filter((name) => /^\d+$/.test(name)).flatMap((name) => {
    try {
      const stat = readFileSync(`/proc/${name}/stat`, "utf8");
      // The name may contain spaces and brackets and ends at the last bracket; fields 3 and on follow.
      const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ").map(Number);
      return [{
        pid: Number(name),
        parent: fields[1],
        own: fields[11] + fields[12],
        ended: fields[13] + fields[14],
      }];
    } catch {
      return []; // It ended meanwhile.
    }
  });
  const ticks = all.reduce(
    (sum, one) => one.pid === pid ? sum + one.own + one.ended : one.parent === pid ? sum + one.own : sum,
    0,
  );
  return ticks / TICKS_PER_SECOND;
}

/** Starts to count the seconds of this process and of a server; the returned function stops. */
export function watchCpu(serverPid) {
  const own = process.cpuUsage();
  const server = serverCpuSeconds(serverPid);
  const beganAt = performance.now();
  return () => {
    const { user, system } = process.cpuUsage(own);
    return {
      seconds: (performance.now() - beganAt) / 1000,
      cpuSeconds: (user + system) / 1e6 + serverCpuSeconds(serverPid) - server,
    };
  };
}
