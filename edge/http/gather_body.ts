/** Bodies in very small pieces: each piece costs the runtime more than its byte. */
import { turnLoop } from "../time/turn_loop.ts";
import { HttpError } from "./http_error.ts";

/** Most pieces of a body, plus one for each `BYTES_A_PIECE` bytes. No real packet or frame is that small. */
export const FREE_PIECES = 1_000;
export const BYTES_A_PIECE = 64;
/** Pieces are passed on together: up to this many bytes, and at the latest this long after the first of them. */
const GATHERED_BYTES = 16 * 1024;
/** The same once as much has arrived, so that a caller who stalls occupies no more than it sent. */
const GATHERED_OF_LONG_BYTES = 64 * 1024;
const LONGEST_MS = 1_000;
/** Longest time in milliseconds that pieces already here are read without a turn of the event loop. */
const SLICE_MS = 20;

type Body = ReadableStream<Uint8Array<ArrayBuffer>>;

/**
 * Returns the body in larger pieces. The runtime keeps 64 kB for each piece whose reader brings no buffer (Deno 2.9.6,
 * measured): a body of 64 kB in single bytes took 3 GB. The stream fails with `invalid_input` beyond its number of
 * pieces.
 */
export function gatherBody(body: Body, clock = () => performance.now()): Body {
  const reader = readerOf(body);
  let pieces = 0;
  let bytes = 0;

  /** Counts a piece of `length` bytes. @throws HttpError beyond the number of pieces */
  function count(length: number): void {
    bytes += length;
    if (++pieces <= FREE_PIECES + bytes / BYTES_A_PIECE) return;
    const error = new HttpError("invalid_input", { detail: "the body came in too many pieces" });
    reader.cancel(error).catch(() => {});
    throw error;
  }

  return new ReadableStream({
    async pull(controller) {
      const room = bytes < GATHERED_OF_LONG_BYTES ? GATHERED_BYTES : GATHERED_OF_LONG_BYTES;
      let buffer = new ArrayBuffer(room);
      let filled = 0;
      const began = clock();
      let sliceBegan = began;
      do {
        // The reader takes the buffer and returns it with the piece in it, also at the end.
        const { done, value } = await reader.read(new Uint8Array(buffer, filled));
        if (value !== undefined && reader.fills) buffer = value.buffer;
        if (done) {
          if (filled > 0) controller.enqueue(new Uint8Array(buffer, 0, filled));
          return controller.close();
        }
        count(value.byteLength);
        if (!reader.fills) return controller.enqueue(value);
        filled += value.byteLength;
        if (clock() - sliceBegan < SLICE_MS) continue;
        await turnLoop();
        sliceBegan = clock();
      } while (filled < room && clock() - began < LONGEST_MS);
      controller.enqueue(new Uint8Array(buffer, 0, filled));
    },
    cancel: (reason) => reader.cancel(reason),
  }, { highWaterMark: 0 });
}

interface PieceReader {
  /** True = it reads into the given buffer; false = each piece is the body's own buffer. */
  fills: boolean;
  read(view: Uint8Array<ArrayBuffer>): Promise<ReadableStreamReadResult<Uint8Array<ArrayBuffer>>>;
  cancel(reason: unknown): Promise<void>;
}

function readerOf(body: Body): PieceReader {
  try {
    const reader = body.getReader({ mode: "byob" });
    return { fills: true, read: (view) => reader.read(view), cancel: (reason) => reader.cancel(reason) };
  } catch {
    // A test's stream that is not a byte stream.
    const reader = body.getReader();
    return { fills: false, read: () => reader.read(), cancel: (reason) => reader.cancel(reason) };
  }
}
