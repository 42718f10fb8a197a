import { endIfCallerLeft } from "./caller_left.ts";
import { turnLoop } from "../time/turn_loop.ts";

/** Lets the event loop turn when this slice of work has run long enough; call it every few hundred rows. */
export type YieldToEventLoop = () => Promise<void> | void;

export interface YieldOptions {
  /** A monotonic clock in milliseconds. */
  clock: () => number;
  /** Resolves when the loop has turned. */
  turn: () => Promise<void>;
  /** @default 20 */
  sliceMs?: number;
  /** When it aborts, the work ends at its next turn, as in endIfCallerLeft(). */
  left?: AbortSignal | undefined;
}

/** Returns a YieldToEventLoop for one piece of work that begins now. */
export function createYieldToEventLoop(options: Partial<YieldOptions> = {}): YieldToEventLoop {
  const { clock = () => performance.now(), turn = turnLoop, sliceMs = 20, left } = options;
  let since = clock();
  return () => {
    if (clock() - since < sliceMs) return;
    return turn().then(() => {
      endIfCallerLeft(left);
      since = clock();
    });
  };
}
