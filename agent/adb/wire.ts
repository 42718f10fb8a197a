import { struct } from "./struct.ts";

// The host protocol is AOSP packages/modules/adb/SERVICES.TXT and OVERVIEW.TXT; shell packets are
// shell_protocol.h; sync records are file_sync_protocol.h.

const MAX_REQUEST_BYTES = 0xffff;

/** Ids of shell v2 packets (AOSP shell_protocol.h). */
export const SHELL_PACKET = {
  stdin: 0,
  stdout: 1,
  stderr: 2,
  exit: 3,
  closeStdin: 4,
  windowSize: 5,
} as const;

export const shellHeader = struct({ id: "u8", length: "u32" });
/** The header of every sync request, and of the answers OKAY, FAIL, DATA and DONE. */
export const syncHeader = struct({ id: "ascii4", length: "u32" });
export const syncStat = struct({ id: "ascii4", mode: "u32", size: "u32", mtime: "u32" });
export const syncStat2 = struct({
  id: "ascii4",
  error: "u32",
  dev: "u64",
  ino: "u64",
  mode: "u32",
  nlink: "u32",
  uid: "u32",
  gid: "u32",
  size: "u64",
  atime: "u64",
  mtime: "u64",
  ctime: "u64",
});
export const syncDirent = struct({ id: "ascii4", mode: "u32", size: "u32", mtime: "u32", nameLength: "u32" });

/** The longest allowed sync DATA chunk (AOSP SYNC_DATA_MAX). */
export const SYNC_DATA_MAX_BYTES = 64 * 1024;

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** Encodes four lower-case hex digits and the service's UTF-8 bytes. Throws RangeError past 65,535 bytes. */
export function encodeRequest(service: string): Uint8Array {
  return encodeHexFrame(service);
}

/** Encodes a text after its length in four hex digits: requests, list replies, failure messages. */
export function encodeHexFrame(text: string): Uint8Array {
  const body = encoder.encode(text);
  if (body.length > MAX_REQUEST_BYTES) {
    throw new RangeError(`Cannot frame ${body.length} bytes: four hex digits hold ${MAX_REQUEST_BYTES}`);
  }
  return concatBytes([encoder.encode(body.length.toString(16).padStart(4, "0")), body]);
}

/** Reads four hex digits. Throws SyntaxError on anything else. */
export function parseHex4(bytes: Uint8Array): number {
  const text = decoder.decode(bytes);
  if (!/^[0-9a-fA-F]{4}$/.test(text)) {
    throw new SyntaxError(`Cannot read a length: ${JSON.stringify(text)} is not hex`);
  }
  return parseInt(text, 16);
}

/** One shell v2 packet: id, length, data. */
export function encodeShellPacket(id: number, data: Uint8Array): Uint8Array {
  return concatBytes([shellHeader.encode({ id, length: data.length }), data]);
}

/** A sync header and its payload. `length` is that of the payload. */
export function encodeSyncFrame(id: string, payload: Uint8Array): Uint8Array {
  return concatBytes([syncHeader.encode({ id, length: payload.length }), payload]);
}

export function concatBytes(parts: Uint8Array[]): Uint8Array {
  const bytes = new Uint8Array(parts.reduce((total, part) => total + part.length, 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}
