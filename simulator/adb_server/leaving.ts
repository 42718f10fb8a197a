import { EndOfStreamError } from "../../agent/adb/byte_reader.ts";
import { ProcessKilledError } from "../phone/clock.ts";

/** Thrown out of a service whose stream or transport has ended: its client is gone. */
export class StreamClosedError extends Error {
  override name = "StreamClosedError";
}

/** Returns whether the client or the phone is gone, or the simulator stops: then nothing waits for an answer. */
export function isLeaving(error: unknown): boolean {
  return error instanceof EndOfStreamError || error instanceof ProcessKilledError ||
    error instanceof StreamClosedError || error instanceof Deno.errors.BadResource ||
    error instanceof Deno.errors.Interrupted || error instanceof Deno.errors.BrokenPipe ||
    error instanceof Deno.errors.ConnectionReset || error instanceof Deno.errors.NotConnected;
}
