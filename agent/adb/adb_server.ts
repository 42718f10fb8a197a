/** The site's own adb server. Its port is private, so that another tool's adb of another version cannot end it. */
import { AdbServerUnreachableError, AdbTimeoutError } from "./adb_error.ts";
import { createAdbClient } from "./client.ts";
import type { AdbServerAddress } from "./socket.ts";
import type { Clock } from "../time/clock.ts";
import { ExitError } from "../exit_error.ts";
import { errorText, type Log, type LogFields } from "../log.ts";

export const OWN_ADB_SERVER = { hostname: "127.0.0.1", port: 5137 };
/** The `host:version` of every adb since 2019. The adb tools would end a server of another version. */
const ADB_PROTOCOL_VERSION = 41;

const LOOK_MS = 2_000;
const ANSWER_MS = 5_000;
const LONGEST_WAIT_MS = 60_000;
/** A server that is silent for this many looks in a row is taken for hung. */
const SILENT_LOOKS = 3;
/** The first answer of a server may take this many looks. */
const STARTING_LOOKS = 15;
/** Exit code of sh when a command is not found. */
const NOT_FOUND = 127;

// The server must end with the agent, even if the agent is killed. The guard ends the server when the agent's end of
// the pipe closes, for whatever reason. An adb left running would keep the port and the phones.
const GUARDED = `exec 3<&0
"$@" </dev/null 3<&- &
server=$!
( cat <&3 >/dev/null; kill -9 $server ) 2>/dev/null &
guard=$!
exec 3<&-
wait $server
code=$?
kill $guard 2>/dev/null
exit $code`;

export interface AdbServerOptions {
  clock: Clock;
  log: Log;
  server?: AdbServerAddress;
  /** The program to run as the server. @default {["adb"]} */
  program?: string[];
}

/**
 * Runs `adb` as a server until the signal aborts, and starts it again when it ends or hangs. If it keeps ending, the
 * pauses between starts grow. A server of another program on the port is logged, and used while it speaks adb.
 *
 * @throws {ExitError} when no adb is installed
 */
export async function superviseAdbServer(options: AdbServerOptions, signal: AbortSignal): Promise<void> {
  const { clock, log, server = OWN_ADB_SERVER } = options;
  for (let failures = 0; !signal.aborted;) {
    await whileForeign(server, options, signal);
    if (signal.aborted) return;
    const { code, answered } = await runServer(server, options, signal);
    if (signal.aborted) return;
    failures = answered ? 0 : failures + 1;
    log("warn", "adb_server_ended", { code, answered });
    await clock.sleep(Math.min(LOOK_MS * 2 ** failures, LONGEST_WAIT_MS), signal);
  }
}

/**
 * Runs one server until it ends, and ends it when it hangs. `answered` is true when the server answered at least once.
 */
async function runServer(
  server: AdbServerAddress,
  options: AdbServerOptions,
  signal: AbortSignal,
): Promise<{ code: number; answered: boolean }> {
  const command = new Deno.Command("sh", {
    // Without -a it listens on the loopback address alone. adb 29 does not accept the address as an argument.
    args: ["-c", GUARDED, "adb", ...options.program ?? ["adb"], "-P", `${server.port}`, "server", "nodaemon"],
    // Do not scan the ports of emulators: a program that listens there is not ours.
    env: { ADB_LOCAL_TRANSPORT_MAX_PORT: "5554" },
    stdin: "piped",
    stdout: "null",
    stderr: "null",
  });
  const child = spawn(command);
  const over = new AbortController();
  const end = () => child.stdin.close().catch(() => {});
  signal.addEventListener("abort", end, { once: true });
  const watching = watch(server, options, AbortSignal.any([signal, over.signal])).then(async (answered) => {
    await end();
    return answered;
  });
  const { code } = await child.status;
  over.abort();
  signal.removeEventListener("abort", end);
  const answered = await watching;
  if (code === NOT_FOUND && !answered) {
    throw noAdb();
  }
  return { code, answered };
}

function spawn(command: Deno.Command): Deno.ChildProcess {
  try {
    return command.spawn();
  } catch (cause) {
    if (cause instanceof Deno.errors.NotFound) throw noAdb();
    throw cause;
  }
}

function noAdb(): ExitError {
  return new ExitError(
    "config",
    "Cannot start: no adb on this machine; install Android platform-tools or set ADB_SERVER",
  );
}

/** Watches our server until it ends or hangs. Returns whether it ever answered. */
async function watch(
  server: AdbServerAddress,
  { clock, log }: AdbServerOptions,
  over: AbortSignal,
): Promise<boolean> {
  let hasAnswered = false;
  let why = "";
  for (let silent = 0; silent < (hasAnswered ? SILENT_LOOKS : STARTING_LOOKS);) {
    await clock.sleep(LOOK_MS, over);
    if (over.aborted) break;
    try {
      const version = await askVersion(server, clock, over);
      if (!hasAnswered) log("info", "adb_server_started", { port: server.port, ...versionFields(version) });
      hasAnswered = true;
      silent = 0;
    } catch (error) {
      if (over.aborted) break;
      why = errorText(error);
      silent++;
    }
  }
  if (!over.aborted) log("warn", "adb_server_hangs", { port: server.port, why });
  return hasAnswered;
}

/** Waits while a foreign program holds the port, and logs what it is. */
async function whileForeign(
  server: AdbServerAddress,
  { clock, log }: AdbServerOptions,
  signal: AbortSignal,
): Promise<void> {
  let logged = "";
  const logOnce = (event: string, fields: LogFields) => {
    if (logged !== event) log("warn", event, { port: server.port, ...fields });
    logged = event;
  };
  while (!signal.aborted) {
    try {
      const version = await askVersion(server, clock, signal);
      const meaning = "another program's adb server is on this port; it is used until it ends";
      logOnce("adb_server_foreign", { meaning, ...versionFields(version) });
    } catch (error) {
      if (error instanceof AdbServerUnreachableError || signal.aborted) return;
      const meaning =
        "what is on this port does not speak adb, or hangs; no phone can be reached before it ends";
      logOnce("adb_port_taken", { meaning, why: errorText(error) });
    }
    await clock.sleep(LOOK_MS, signal);
  }
}

async function askVersion(server: AdbServerAddress, clock: Clock, over: AbortSignal): Promise<number> {
  const answered = new AbortController();
  const late = new AbortController();
  clock.sleep(ANSWER_MS, answered.signal).then(() => late.abort(new AdbTimeoutError("It does not answer")));
  try {
    return await createAdbClient(server).version(AbortSignal.any([over, late.signal]));
  } finally {
    answered.abort();
  }
}

function versionFields(version: number): LogFields {
  if (version === ADB_PROTOCOL_VERSION) return { version };
  return { version, todo: `install platform-tools that speak version ${ADB_PROTOCOL_VERSION}` };
}
