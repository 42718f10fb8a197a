import {
  concatBytes,
  encodeSyncFrame,
  SYNC_DATA_MAX_BYTES,
  syncDirent,
  syncHeader,
  syncStat,
  syncStat2,
} from "../../agent/adb/wire.ts";
import { DIRECTORY } from "../phone/file_system.ts";
import type { PhoneConnection } from "./host_connection.ts";
import { readPhoneFile } from "../shell/unix_commands.ts";
import type { VirtualPhone } from "../phone/virtual_phone.ts";

const ENOENT = 2;
const MAX_PATH_BYTES = 1024;
const MAX_PUSH_BYTES = 64 * 1024 * 1024;
const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** Serves file transfers on one socket until the client quits. A refused transfer leaves the socket usable. */
export async function serveSync(connection: PhoneConnection, phone: VirtualPhone): Promise<void> {
  await connection.okay();
  while (true) {
    const { id, length } = syncHeader.decode(await connection.reader.readExactly(syncHeader.size));
    if (id === "QUIT") return;
    if (length > MAX_PATH_BYTES) return await fail(connection, "path too long");
    const path = decoder.decode(await connection.reader.readExactly(length));
    switch (id) {
      case "STAT":
        await connection.write(statV1(phone, path));
        break;
      case "STA2":
      case "LST2":
        await connection.write(statV2(phone, id, path));
        break;
      case "LIST":
        await connection.write(...listV1(phone, path));
        break;
      case "LIS2":
        await connection.write(...listV2(phone, path));
        break;
      case "SEND":
        await receive(connection, phone, path);
        break;
      case "RECV":
        await send(connection, phone, path);
        break;
      default:
        return await fail(connection, `unknown command ${id}`);
    }
  }
}

interface Status {
  mode: number;
  size: number;
  mtime: number;
}

function statusOf(phone: VirtualPhone, path: string): Status | null {
  const file = phone.files.read(path);
  if (file) return { mode: file.mode, size: file.bytes.length, mtime: file.mtime };
  return phone.files.isDirectory(path) ? { mode: DIRECTORY | 0o771, size: 4096, mtime: 0 } : null;
}

function statV1(phone: VirtualPhone, path: string): Uint8Array {
  return syncStat.encode({ id: "STAT", ...(statusOf(phone, path) ?? { mode: 0, size: 0, mtime: 0 }) });
}

function statV2(phone: VirtualPhone, id: string, path: string): Uint8Array {
  const status = statusOf(phone, path);
  const time = BigInt(status?.mtime ?? 0);
  return syncStat2.encode({
    id,
    error: status ? 0 : ENOENT,
    dev: 0n,
    ino: 0n,
    mode: status?.mode ?? 0,
    nlink: status ? 1 : 0,
    uid: 0,
    gid: 0,
    size: BigInt(status?.size ?? 0),
    atime: time,
    mtime: time,
    ctime: time,
  });
}

function listV1(phone: VirtualPhone, path: string): Uint8Array[] {
  const frames = childrenOf(phone, path).flatMap(({ name, status }) => [
    syncDirent.encode({ id: "DENT", ...status, nameLength: name.length }),
    name,
  ]);
  return [...frames, syncDirent.encode({ id: "DONE", mode: 0, size: 0, mtime: 0, nameLength: 0 })];
}

function listV2(phone: VirtualPhone, path: string): Uint8Array[] {
  const length = (value: number) => new Uint8Array(new Uint32Array([value]).buffer);
  const frames = childrenOf(phone, path).flatMap(({ name, path: child }) => [
    statV2(phone, "DNT2", child),
    length(name.length),
    name,
  ]);
  // The end has the form of an entry with zeros only.
  const end = syncStat2.encode({
    id: "DONE",
    error: 0,
    dev: 0n,
    ino: 0n,
    mode: 0,
    nlink: 0,
    uid: 0,
    gid: 0,
    size: 0n,
    atime: 0n,
    mtime: 0n,
    ctime: 0n,
  });
  return [...frames, end, length(0)];
}

function childrenOf(phone: VirtualPhone, path: string): { name: Uint8Array; path: string; status: Status }[] {
  return phone.files.list(path).flatMap((name) => {
    const child = `${path}/${name}`;
    const status = statusOf(phone, child);
    return status ? [{ name: encoder.encode(name), path: child, status }] : [];
  });
}

/** Serves SEND: "path,mode", then DATA chunks, then DONE with the modification time. */
async function receive(connection: PhoneConnection, phone: VirtualPhone, target: string): Promise<void> {
  const comma = target.lastIndexOf(",");
  const path = comma < 0 ? target : target.slice(0, comma);
  const mode = comma < 0 ? 0o644 : Number(target.slice(comma + 1));
  const chunks: Uint8Array[] = [];
  let total = 0;
  while (true) {
    const { id, length } = syncHeader.decode(await connection.reader.readExactly(syncHeader.size));
    if (id === "DONE") {
      const reason = refusal(phone, path, total) ?? store(phone, path, concatBytes(chunks), mode, length);
      if (reason === null) await connection.write(syncHeader.encode({ id: "OKAY", length: 0 }));
      else await fail(connection, reason);
      return;
    }
    if (id !== "DATA" || length > SYNC_DATA_MAX_BYTES) {
      throw new RangeError(`Cannot receive ${id} of ${length} bytes`);
    }
    const chunk = await connection.reader.readExactly(length);
    total += length;
    // Past the limit the rest is read and dropped: the answer comes after DONE.
    if (total <= MAX_PUSH_BYTES) chunks.push(chunk);
  }
}

function refusal(phone: VirtualPhone, path: string, total: number): string | null {
  const resolved = phone.files.resolve(path);
  if (!/^\/(sdcard|storage\/emulated\/\d+|data\/local\/tmp)\//.test(resolved)) {
    return "couldn't create file: Permission denied";
  }
  if (phone.files.isDirectory(path)) return "couldn't create file: Is a directory";
  return total > MAX_PUSH_BYTES ? "write failed: No space left on device" : null;
}

function store(
  phone: VirtualPhone,
  path: string,
  bytes: Uint8Array,
  mode: number,
  mtime: number,
): string | null {
  try {
    if (!phone.context.liar.lies("pushLost")) phone.files.write(path, bytes, mode, mtime);
    return null;
  } catch (error) {
    if (error instanceof DOMException) return `write failed: ${error.message}`;
    throw error;
  }
}

async function send(connection: PhoneConnection, phone: VirtualPhone, path: string): Promise<void> {
  const bytes = readPhoneFile(phone, path);
  if (!bytes) return await fail(connection, "No such file or directory");
  for (let at = 0; at < bytes.length; at += SYNC_DATA_MAX_BYTES) {
    await connection.write(encodeSyncFrame("DATA", bytes.subarray(at, at + SYNC_DATA_MAX_BYTES)));
  }
  await connection.write(syncHeader.encode({ id: "DONE", length: 0 }));
}

async function fail(connection: PhoneConnection, message: string): Promise<void> {
  await connection.write(encodeSyncFrame("FAIL", encoder.encode(message)));
}
