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

let lastTurn = Promise.resolve();

/**
 * One slice a turn, however many pieces of work there are. By a timer, though one takes 2.3 ms: with setImmediate() the
 * runtime looks at its sockets once in some sixty turns, and a request waits a second (Deno 2.9.6, measured).
 */
function turnLoop(): Promise<void> {
  lastTurn = lastTurn.then(() => new Promise((resolve) => setTimeout(resolve, 0)));
  return lastTurn;
}
