/** How long work leaves the event loop to everybody else between two of its pieces. */

/** A piece waits at most so long for reads to be answered: a flood of them must not stop long work. */
export const LONGEST_WAY_MS = 100;
/**
 * A turn that took so long had a piece of work in it, and its timer was due before the piece ended. The runtime looks at
 * its sockets only when it has to wait for a timer, or once in some sixty turns (Deno 2.9.6): reads waited for 400 ms,
 * and none was known to be under way. So another turn follows. An idle timer takes up to 2.5 ms: a shorter piece cannot
 * be told from it.
 */
const HELD_MS = 4;

export interface TurnsOptions {
  /** A monotonic clock in milliseconds. */
  clock: () => number;
  /** Resolves when the event loop has turned. */
  turnOnce: () => Promise<void>;
}

/** Makes the turns of one process. */
export function createTurns(options: Partial<TurnsOptions> = {}) {
  const { clock = () => performance.now(), turnOnce = byTimer } = options;
  let lastTurn = Promise.resolve();
  let lastReadTurn = Promise.resolve();
  let readsUnderWay = 0;

  async function giveWay(): Promise<void> {
    const until = clock() + LONGEST_WAY_MS;
    // The piece before runs in this turn, and may be too short to be noticed: forty of 2 ms each kept a read waiting.
    await turnOnce();
    let goesOn: boolean;
    do {
      // The turn after the last read sends its answer.
      const sawRead = readsUnderWay > 0;
      const since = clock();
      await turnOnce();
      const wasHeld = clock() - since > HELD_MS;
      goesOn = wasHeld || sawRead || readsUnderWay > 0;
    } while (goesOn && clock() < until);
  }

  return {
    /**
     * Resolves when the event loop has turned and the reads that came meanwhile are answered, or LONGEST_WAY_MS later.
     * One caller a turn, however many pieces of work there are: twenty exports delay a request by one page, and not by
     * twenty. A read takes several turns of the loop; with a piece of work in each it would wait for several pieces.
     */
    turnLoop(): Promise<void> {
      lastTurn = lastTurn.then(giveWay);
      return lastTurn;
    },

    /** As turnLoop(), for a read that goes through many rows: one such read a turn, and none waits for long work. */
    turnForRead(): Promise<void> {
      lastReadTurn = lastReadTurn.then(turnOnce);
      return lastReadTurn;
    },

    /** Does a read; turnLoop() gives way to it until it has settled. */
    async whileReading<T>(read: () => Promise<T>): Promise<T> {
      readsUnderWay++;
      try {
        return await read();
      } finally {
        readsUnderWay--;
      }
    },
  };
}

/**
 * A timer takes 2.3 ms; but with setImmediate() the runtime looks at its sockets once in some sixty turns, and a request
 * waits a second (Deno 2.9.6, measured).
 */
function byTimer(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 0));
}

export const { turnLoop, turnForRead, whileReading } = createTurns();
