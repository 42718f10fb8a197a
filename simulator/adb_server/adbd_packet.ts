/** The packets between adbd and an adb server (AOSP packages/modules/adb/protocol.txt). */
import type { ByteReader } from "../../agent/adb/byte_reader.ts";
import { struct } from "../../agent/adb/struct.ts";
import { concatBytes } from "../../agent/adb/wire.ts";

export const ADBD_COMMANDS = ["CNXN", "AUTH", "OPEN", "OKAY", "WRTE", "CLSE"] as const;
export type AdbdCommand = typeof ADBD_COMMANDS[number];

/** From this version on checksums are not used, and both sides speak the lower of their two versions. */
export const VERSION_SKIP_CHECKSUM = 0x01000001;
const VERSION_MIN = 0x01000000;
export const MAX_PAYLOAD_BYTES = 1024 * 1024;

/** First arguments of AUTH. */
export const AUTH = { token: 1, signature: 2, publicKey: 3 } as const;

export interface AdbdPacket {
  command: AdbdCommand;
  arg0: number;
  arg1: number;
  data: Uint8Array;
}

const header = struct({
  command: "ascii4",
  arg0: "u32",
  arg1: "u32",
  length: "u32",
  checksum: "u32",
  magic: "u32",
});

/** Returns one packet with its header. It has a checksum only if the version uses them. */
export function encodePacket(packet: AdbdPacket, version: number = VERSION_MIN): Uint8Array {
  const { command, arg0, arg1, data } = packet;
  const checksum = version < VERSION_SKIP_CHECKSUM ? sumOf(data) : 0;
  const head = { command, arg0, arg1, length: data.length, checksum, magic: magicOf(command) };
  return concatBytes([header.encode(head), data]);
}

/**
 * Reads the next packet.
 *
 * @throws {RangeError} on an invalid packet: an unknown command, wrong magic or checksum, more than 1 MB
 * @throws {EndOfStreamError} when the peer has closed
 */
export async function readPacket(reader: ByteReader, version: number = VERSION_MIN): Promise<AdbdPacket> {
  const { command, arg0, arg1, length, checksum, magic } = header.decode(
    await reader.readExactly(header.size),
  );
  const known = ADBD_COMMANDS.find((each) => each === command);
  if (!known || magic !== magicOf(known)) {
    throw new RangeError(`Cannot read packet ${JSON.stringify(command)}`);
  }
  if (length > MAX_PAYLOAD_BYTES) throw new RangeError(`Cannot read ${command} of ${length} bytes`);
  const data = await reader.readExactly(length);
  // A server that connects again sends its greeting in the version of the last connection.
  const spoken = known === "CNXN" ? arg0 : version;
  if (spoken < VERSION_SKIP_CHECKSUM && checksum !== sumOf(data)) {
    throw new RangeError(`Cannot read ${command}: its checksum is wrong`);
  }
  return { command: known, arg0, arg1, data };
}

/** Returns the command's four letters as a number with every bit inverted. */
function magicOf(command: AdbdCommand): number {
  const letters = new TextEncoder().encode(command);
  return ~new DataView(letters.buffer).getUint32(0, true) >>> 0;
}

function sumOf(data: Uint8Array): number {
  return data.reduce((sum, byte) => (sum + byte) >>> 0, 0);
}
