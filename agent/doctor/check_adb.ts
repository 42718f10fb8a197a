/** Checks adb on this machine: the program, and which server holds the port of the agent. */
import { createAdbClient } from "../adb/client.ts";
import type { AdbServerAddress } from "../adb/socket.ts";
import { OWN_ADB_SERVER } from "../adb/adb_server.ts";
import { type Finding, finding } from "./words.ts";

/** The server protocol of every adb since 2019: "Android Debug Bridge version 1.0.41". */
const LEAST_PROTOCOL = 41;

/** Checks the server of the settings, or the needs of an own one. */
export async function checkAdb(given: AdbServerAddress | null, stop: AbortSignal): Promise<Finding[]> {
  if (given === null) return [await checkProgram(), await checkPort(OWN_ADB_SERVER, stop)];
  const address = `${given.hostname}:${given.port}`;
  const answers = await createAdbClient(given).version(stop).then(() => true, () => false);
  return [finding(answers ? "adb_answers" : "adb_silent", { address })];
}

async function checkProgram(): Promise<Finding> {
  let output: string;
  try {
    const { stdout } = await new Deno.Command("adb", { args: ["version"], stdin: "null" }).output();
    output = new TextDecoder().decode(stdout);
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
    return finding("adb_missing");
  }
  return readProgramVersion(output);
}

/** Reads "Android Debug Bridge version 1.0.41\nVersion 34.0.4-debian". */
export function readProgramVersion(output: string): Finding {
  const protocol = Number(/version 1\.0\.(\d+)/.exec(output)?.[1] ?? 0);
  const version = /^Version (\S+)/m.exec(output)?.[1] ?? `1.0.${protocol}`;
  return finding(protocol < LEAST_PROTOCOL ? "adb_old" : "adb_installed", { version });
}

async function checkPort(server: AdbServerAddress, stop: AbortSignal): Promise<Finding> {
  const { hostname, port } = server;
  const address = `${hostname}:${port}`;
  if (await createAdbClient(server).version(stop).then(() => true, () => false)) {
    return finding("adb_answers", { address });
  }
  try {
    (await Deno.connect({ hostname, port })).close();
    return finding("port_taken", { port });
  } catch {
    return finding("port_free", { port });
  }
}
