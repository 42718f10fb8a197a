/** Converts bytes to checked frames and back; the only file that handles CBOR's traps. */
import { Encoder } from "cbor-x";
import type { z } from "zod";
import { MAX_FRAME_BYTES } from "./agent_protocol.ts";
import { checkFrameBytes } from "./frame_bytes.ts";

// Use plain maps: records are stateful, so one lost frame would make all later frames unreadable.
const codec = new Encoder({ useRecords: false, mapsAsObjects: true, tagUint8Array: false });

/** Returns one frame as the bytes of a CBOR map. */
export function encodeFrame(frame: Record<string, unknown>): Uint8Array<ArrayBuffer> {
  return new Uint8Array(codec.encode(frame));
}

/**
 * Returns the frame in `bytes`, checked against its schema.
 *
 * @throws {RangeError} when the frame is longer than MAX_FRAME_BYTES
 * @throws {SyntaxError} when checkFrameBytes() refuses the bytes, or they do not fit the schema
 */
export function decodeFrame<T extends z.ZodType>(bytes: Uint8Array, schema: T): z.infer<T> {
  if (bytes.byteLength > MAX_FRAME_BYTES) {
    throw new RangeError(`Cannot decode frame: ${bytes.byteLength} bytes is over ${MAX_FRAME_BYTES}`);
  }
  checkFrameBytes(bytes);
  let value: unknown;
  try {
    value = codec.decode(bytes);
  } catch (cause) {
    throw new SyntaxError("Cannot decode frame: not CBOR", { cause });
  }
  const parsed = schema.safeParse(value);
  if (!parsed.success) {
    const first = parsed.error.issues[0];
    throw new SyntaxError(`Cannot accept frame: ${first?.path.join(".")} ${first?.message}`);
  }
  return parsed.data;
}
