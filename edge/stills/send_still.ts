import type { Still } from "./still_desk.ts";

/** Resolves after `ms`, or when the signal aborts. */
export type Pace = (ms: number, signal?: AbortSignal) => Promise<void>;

const PIECE_BYTES = 64 * 1024;
/** A reader that takes nothing for this long has gone, and must not keep the picture in memory. */
const SILENT_MS = 20_000;

/** Returns a body that gives the picture in pieces; `leave` is called once it holds the picture no longer. */
export function sendStill(
  still: Still,
  { pace, leave }: { pace: Pace; leave: () => void },
): ReadableStream<Uint8Array<ArrayBuffer>> {
  let at = 0;
  let asked = new AbortController();
  return new ReadableStream({
    pull(controller) {
      asked.abort();
      controller.enqueue(still.subarray(at, at + PIECE_BYTES));
      at += PIECE_BYTES;
      if (at >= still.length) {
        leave();
        return controller.close();
      }
      const { signal } = asked = new AbortController();
      void pace(SILENT_MS, signal).then(() => {
        if (signal.aborted) return;
        leave();
        controller.error(new Error("The reader of a still took nothing for too long"));
      });
    },
    cancel() {
      asked.abort();
      leave();
    },
  }, { highWaterMark: 0 });
}
