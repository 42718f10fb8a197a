import { AdbProtocolError } from "./adb_error.ts";
import type { AdbSocket } from "./socket.ts";
import { concatBytes, SHELL_PACKET, shellHeader } from "./wire.ts";

/** The result of one shell command: both outputs decoded as UTF-8, and its exit code (0–255). */
export interface ShellResult {
  stdout: string;
  stderr: string;
  exitCode: number;
}

// A screen dump of a full chat is 50–190 KB. Past this bound a command is streaming and would fill memory.
export const MAX_SHELL_OUTPUT_BYTES = 4 * 1024 * 1024;

/**
 * Runs a command over shell v2 on a socket that is bound to a phone. The text reaches the phone's sh unchanged: quote
 * arguments with shellQuote(). Throws AdbProtocolError when both outputs together pass 4 MB.
 */
export async function runShell(socket: AdbSocket, command: string): Promise<ShellResult> {
  await socket.request(`shell,v2,raw:${command}`);
  const stdout: Uint8Array[] = [];
  const stderr: Uint8Array[] = [];
  let total = 0;
  while (true) {
    const { id, length } = shellHeader.decode(await socket.reader.readExactly(shellHeader.size));
    // Count packets without data too: their number has no limit.
    total += shellHeader.size + length;
    if (total > MAX_SHELL_OUTPUT_BYTES) {
      throw new AdbProtocolError(
        `Cannot keep the command's output: more than ${MAX_SHELL_OUTPUT_BYTES} bytes`,
      );
    }
    const data = await socket.reader.readExactly(length);
    if (id === SHELL_PACKET.stdout) stdout.push(data);
    else if (id === SHELL_PACKET.stderr) stderr.push(data);
    else if (id === SHELL_PACKET.exit) {
      // The exit packet is the last one, so both outputs are complete.
      return { stdout: textOf(stdout), stderr: textOf(stderr), exitCode: data[0] ?? 0 };
    }
  }
}

function textOf(chunks: Uint8Array[]): string {
  return new TextDecoder().decode(concatBytes(chunks));
}
