import { encodeShellPacket, SHELL_PACKET } from "../../agent/adb/wire.ts";
import type { PhoneConnection } from "./host_connection.ts";
import { runCommand } from "../shell/run_command.ts";
import type { VirtualPhone } from "../phone/virtual_phone.ts";

/** Parses "shell,v2,TERM=xterm,raw:getprop" into the protocol and the command line. */
export function parseShellService(service: string): { isV2: boolean; command: string } | null {
  const match = /^(?:shell(?:,([^:]*))?|exec):([^]*)$/.exec(service);
  if (!match) return null;
  return { isV2: (match[1] ?? "").split(",").includes("v2"), command: match[2]! };
}

/** Runs one command and sends its result: packets and an exit code in v2, otherwise both outputs unchanged. */
export async function serveShell(
  connection: PhoneConnection,
  phone: VirtualPhone,
  { isV2, command }: { isV2: boolean; command: string },
): Promise<void> {
  // This sh has no terminal.
  if (command.trim() === "") return await connection.fail("closed");
  await connection.okay();
  const { stdout, stderr, exitCode } = await runCommand(phone, command);
  if (!isV2) {
    await connection.write(stdout, stderr);
    if (command.startsWith("screencap") && phone.context.liar.lies("stillEndless")) {
      await writeForEver(connection);
    }
  } else {
    await connection.write(
      ...(stdout.length > 0 ? [encodeShellPacket(SHELL_PACKET.stdout, stdout)] : []),
      ...(stderr.length > 0 ? [encodeShellPacket(SHELL_PACKET.stderr, stderr)] : []),
      encodeShellPacket(SHELL_PACKET.exit, new Uint8Array([exitCode])),
    );
  }
  await connection.finish();
}

/** Ends with the error of a connection that its client has closed. */
async function writeForEver(connection: PhoneConnection): Promise<never> {
  const bytes = new Uint8Array(64 * 1024);
  while (true) await connection.write(bytes);
}
