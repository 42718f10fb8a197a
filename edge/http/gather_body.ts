/** Bodies in very small pieces: each piece costs the runtime more than the byte in it. */
import { turnLoop } from "../time/turn_loop.ts";
import { HttpError } from "./http_error.ts";

/** A body may come in so many pieces, and in one more for each `BYTES_A_PIECE` of it. No packet or frame is that small. */
export const FREE_PIECES = 1_000;
export const BYTES_A_PIECE = 64;
/** Pieces are handed on together, up to so many bytes and no later than this after the first of them. */
const GATHERED_BYTES = 16 * 1024;
const LONGEST_MS = 1_000;
/** Pieces that are here already are read without a turn of the event loop. */
const SLICE_MS = 20;

type Body = ReadableStream<Uint8Array<ArrayBuffer>>;

/**
 * Returns the body in larger pieces. The runtime keeps 64 kB for each piece that its reader does not bring a buffer for
 * (Deno 2.9.6, measured): 64 kB of a byte each took 3 GB. The stream fails with `invalid_input` past its number of
 * pieces.
 */
export function gatherBody(body: Body, clock = () => performance.now()): Body {
  const reader = readerOf(body);
  let pieces = 0;
  let bytes = 0;

  /** Counts a piece of `length` bytes. @throws HttpError past the number of pieces */
  function count(length: number): void {
    bytes += length;
    if (++pieces <= FREE_PIECES + bytes / BYTES_A_PIECE) return;
    const error = new HttpError("invalid_input", { detail: "the body came in too many pieces" });
    reader.cancel(error).catch(() => {});
    throw error;
  }

  return new ReadableStream({
    async pull(controller) {
      let buffer = new ArrayBuffer(GATHERED_BYTES);
      let filled = 0;
      const began = clock();
      let sliceBegan = began;
      do {
        // It takes the buffer, and gives it back with the piece in it, also at the end.
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
      } while (filled < GATHERED_BYTES && clock() - began < LONGEST_MS);
      controller.enqueue(new Uint8Array(buffer, 0, filled));
    },
    cancel: (reason) => reader.cancel(reason),
  }, { highWaterMark: 0 });
}

interface PieceReader {
  /** Whether it reads into the buffer that it is given; else each piece is the body's own. */
  fills: boolean;
  read(view: Uint8Array<ArrayBuffer>): Promise<ReadableStreamReadResult<Uint8Array<ArrayBuffer>>>;
  cancel(reason: unknown): Promise<void>;
}

function readerOf(body: Body): PieceReader {
  try {
    const reader = body.getReader({ mode: "byob" });
    return { fills: true, read: (view) => reader.read(view), cancel: (reason) => reader.cancel(reason) };
  } catch {
    // A stream of a test, which is of no bytes.
    const reader = body.getReader();
    return { fills: false, read: () => reader.read(), cancel: (reason) => reader.cancel(reason) };
  }
}
