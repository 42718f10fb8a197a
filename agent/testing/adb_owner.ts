/** Supervises an adb server on the given port until it is killed. The arguments after the port are the program. */
import { superviseAdbServer } from "../adb/adb_server.ts";
import { systemClock } from "../time/system_clock.ts";

const [port, ...program] = Deno.args;
const server = { hostname: "127.0.0.1", port: Number(port) };
const log = (_level: string, event: string) => Deno.stdout.writeSync(new TextEncoder().encode(`${event}\n`));
await superviseAdbServer({ clock: systemClock, log, server, program }, new AbortController().signal);
