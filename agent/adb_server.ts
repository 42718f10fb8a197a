/** The site's own adb server: on a private port, so that no other tool's adb of another version can end it. */
import type { Clock } from "./clock.ts";
import { ExitError } from "./exit_error.ts";
import type { Log } from "./log.ts";

export const OWN_ADB_SERVER = { hostname: "127.0.0.1", port: 5137 };
const START_AGAIN_MS = 2_000;

/**
 * Runs `adb` as a server until the signal aborts, and starts it again whenever it ends.
 *
 * @throws {ExitError} when no adb is installed
 */
export async function superviseAdbServer(
  options: { clock: Clock; log: Log },
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    let child: Deno.ChildProcess;
    try {
      child = new Deno.Command("adb", {
        // Without -a it listens on the loopback address alone; adb 29 refuses to be told which.
        args: ["-P", String(OWN_ADB_SERVER.port), "server", "nodaemon"],
        // Ports of emulators are not scanned: whatever listens there is not ours.
        env: { ADB_LOCAL_TRANSPORT_MAX_PORT: "5554" },
        stdin: "null",
        stdout: "null",
        stderr: "null",
        signal,
      }).spawn();
    } catch (cause) {
      if (!(cause instanceof Deno.errors.NotFound)) throw cause;
      throw new ExitError(
        "config",
        "Cannot start: no adb on this machine; install Android platform-tools or set ADB_SERVER",
      );
    }
    const { code } = await child.status;
    if (!signal.aborted) options.log("warn", "adb_server_ended", { code });
    await options.clock.sleep(START_AGAIN_MS, signal);
  }
}
