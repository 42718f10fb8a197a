import { turnLoop } from "../turn_loop.ts";

/** Lets the event loop turn when this slice of work has run long enough; call it every few hundred rows. */
export type Breathe = () => Promise<void> | void;

export interface BreatheOptions {
  /** A monotonic clock in milliseconds. */
  clock: () => number;
  /** Resolves when the loop has turned. */
  turn: () => Promise<void>;
  /** @default 20 */
  sliceMs?: number;
}

/** Makes a Breathe for one piece of work, which begins now. */
export function createBreathe(options: Partial<BreatheOptions> = {}): Breathe {
  const { clock = () => performance.now(), turn = turnLoop, sliceMs = 20 } = options;
  let since = clock();
  return () => {
    if (clock() - since < sliceMs) return;
    return turn().then(() => {
      since = clock();
    });
  };
}
