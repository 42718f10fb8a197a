import { AdbProtocolError, AdbRefusedError } from "./adb_error.ts";
import type { AdbSocket } from "./socket.ts";
import { concatBytes, encodeSyncFrame, SYNC_DATA_MAX_BYTES, syncHeader, syncStat } from "./wire.ts";

/** A file as the phone's sync service reports it. `mode` is the whole st_mode, `mtime` is in seconds. */
export interface RemoteStat {
  mode: number;
  size: number;
  mtime: number;
}

const REGULAR_FILE = 0o100000;
const encoder = new TextEncoder();

/**
 * Writes a file on the phone. `mode` is permission bits, `mtime` is in seconds. Throws AdbRefusedError with the phone's
 * reason.
 */
export async function pushFile(
  socket: AdbSocket,
  bytes: Uint8Array,
  remotePath: string,
  options: { mode: number; mtime: number },
): Promise<void> {
  await socket.request("sync:");
  await socket.write(encodeSyncFrame("SEND", encoder.encode(`${remotePath},${REGULAR_FILE | options.mode}`)));
  for (let at = 0; at < bytes.length; at += SYNC_DATA_MAX_BYTES) {
    await socket.write(encodeSyncFrame("DATA", bytes.subarray(at, at + SYNC_DATA_MAX_BYTES)));
  }
  await socket.write(syncHeader.encode({ id: "DONE", length: options.mtime }));
  const answer = await readHeader(socket);
  if (answer.id === "FAIL") await throwFailure(socket, `write ${remotePath}`, answer.length);
  if (answer.id !== "OKAY") throw unexpected(answer.id);
  await quit(socket);
}

/** Reads a file of at most `maxBytes` from the phone. Throws AdbRefusedError when it is missing. */
export async function pullFile(socket: AdbSocket, remotePath: string, maxBytes: number): Promise<Uint8Array> {
  await socket.request("sync:");
  await socket.write(encodeSyncFrame("RECV", encoder.encode(remotePath)));
  const chunks: Uint8Array[] = [];
  let total = 0;
  while (true) {
    const { id, length } = await readHeader(socket);
    if (id === "DONE") break;
    if (id === "FAIL") await throwFailure(socket, `read ${remotePath}`, length);
    if (id !== "DATA") throw unexpected(id);
    // Count chunks without data too: their number has no limit.
    total += Math.max(length, syncHeader.size);
    if (total > maxBytes) {
      throw new AdbProtocolError(`Cannot pull ${remotePath}: longer than ${maxBytes} bytes`);
    }
    if (length > 0) chunks.push(await socket.reader.readExactly(length));
  }
  await quit(socket);
  return concatBytes(chunks);
}

/** Returns the facts of a path on the phone, or null when nothing is there: the protocol then sends zeros. */
export async function statFile(socket: AdbSocket, remotePath: string): Promise<RemoteStat | null> {
  await socket.request("sync:");
  await socket.write(encodeSyncFrame("STAT", encoder.encode(remotePath)));
  const { id, mode, size, mtime } = syncStat.decode(await socket.reader.readExactly(syncStat.size));
  if (id !== "STAT") throw unexpected(id);
  await quit(socket);
  return mode === 0 ? null : { mode, size, mtime };
}

async function readHeader(socket: AdbSocket) {
  return syncHeader.decode(await socket.reader.readExactly(syncHeader.size));
}

async function quit(socket: AdbSocket): Promise<void> {
  await socket.write(syncHeader.encode({ id: "QUIT", length: 0 }));
}

async function throwFailure(socket: AdbSocket, what: string, length: number): Promise<never> {
  if (length > SYNC_DATA_MAX_BYTES) {
    throw new AdbProtocolError(`Cannot ${what}: its failure text has ${length} bytes`);
  }
  const reason = new TextDecoder().decode(await socket.reader.readExactly(length));
  throw new AdbRefusedError(`Cannot ${what}: ${reason}`);
}

function unexpected(id: string): AdbProtocolError {
  return new AdbProtocolError(`Cannot read the sync answer: unexpected id ${JSON.stringify(id)}`);
}
