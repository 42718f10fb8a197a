/** The site's own adb server: on a private port, so that no other tool's adb of another version can end it. */
import { createAdbClient } from "./adb/client.ts";
import type { AdbServerAddress } from "./adb/socket.ts";
import type { Clock } from "./clock.ts";
import { ExitError } from "./exit_error.ts";
import type { Log } from "./log.ts";

export const OWN_ADB_SERVER = { hostname: "127.0.0.1", port: 5137 };
const START_AGAIN_MS = 2_000;

/**
 * Runs `adb` as a server until the signal aborts, and starts it again whenever it ends. One that already answers,
 * left behind by an agent that was killed, is used as long as it lives.
 *
 * @throws {ExitError} when no adb is installed
 */
export async function superviseAdbServer(
  options: { clock: Clock; log: Log; server?: AdbServerAddress },
  signal: AbortSignal,
): Promise<void> {
  const { clock, log, server = OWN_ADB_SERVER } = options;
  while (!signal.aborted) {
    await whileAnswering(server, { clock, log }, signal);
    if (signal.aborted) return;
    let child: Deno.ChildProcess;
    try {
      child = new Deno.Command("adb", {
        // Without -a it listens on the loopback address alone; adb 29 refuses to be told which.
        args: ["-P", String(server.port), "server", "nodaemon"],
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
    if (!signal.aborted) log("warn", "adb_server_ended", { code });
    await clock.sleep(START_AGAIN_MS, signal);
  }
}

async function whileAnswering(
  server: AdbServerAddress,
  { clock, log }: { clock: Clock; log: Log },
  signal: AbortSignal,
): Promise<void> {
  const adb = createAdbClient(server);
  for (let asked = 0; !signal.aborted; asked++) {
    if (!await adb.version(signal).then(() => true, () => false)) return;
    if (asked === 0) log("info", "adb_server_reused", { port: server.port });
    await clock.sleep(START_AGAIN_MS, signal);
  }
}
