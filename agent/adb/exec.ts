import { AdbProtocolError } from "./adb_error.ts";
import type { AdbSocket } from "./socket.ts";

/**
 * Runs a command over the service `exec:` on a socket that is bound to a phone, and returns its output as bytes. The
 * service has no packets and no exit code, so it is for a long output that the caller can check by itself. Throws
 * AdbProtocolError when the output passes `maxBytes`; the caller closes the socket, which ends the command.
 */
export async function runExec(socket: AdbSocket, command: string, maxBytes: number): Promise<Uint8Array> {
  await socket.request(`exec:${command}`);
  const bytes = await socket.reader.readToEnd(maxBytes);
  if (bytes === null) {
    throw new AdbProtocolError(`Cannot keep the command's output: more than ${maxBytes} bytes`);
  }
  return bytes;
}
