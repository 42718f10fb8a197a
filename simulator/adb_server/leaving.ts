import { EndOfStreamError } from "../../agent/adb/byte_reader.ts";
import { ProcessKilledError } from "../phone/clock.ts";

/** Thrown out of a service whose stream or transport has ended: there is nobody to answer. */
export class StreamClosedError extends Error {
  override name = "StreamClosedError";
}

/** The client went, the phone went, or the simulator stops: nobody is left to answer. */
export function isLeaving(error: unknown): boolean {
  return error instanceof EndOfStreamError || error instanceof ProcessKilledError ||
    error instanceof StreamClosedError || error instanceof Deno.errors.BadResource ||
    error instanceof Deno.errors.Interrupted || error instanceof Deno.errors.BrokenPipe ||
    error instanceof Deno.errors.ConnectionReset || error instanceof Deno.errors.NotConnected;
}
