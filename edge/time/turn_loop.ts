/** How long work yields the event loop to other work between two of its pieces. */

/** Longest time in milliseconds that a piece waits for reads: a flood of reads must not stop long work. */
export const LONGEST_WAY_MS = 100;
/**
 * A turn this long, in milliseconds, contained a piece of work whose end came after the timer was due. The runtime
 * checks its sockets only when it has to wait for a timer, or once in about sixty turns (Deno 2.9.6). Reads then
 * waited for 400 ms before they were known to be under way, so another turn follows. An idle timer takes up to 2.5
 * ms: a shorter piece looks the same.
 */
const HELD_MS = 4;

export interface TurnsOptions {
  /** A monotonic clock in milliseconds. */
  clock: () => number;
  /** Resolves when the event loop has turned. */
  turnOnce: () => Promise<void>;
}

/** Returns the turns of one process. */
export function createTurns(options: Partial<TurnsOptions> = {}) {
  const { clock = () => performance.now(), turnOnce = turnByTimer } = options;
  let lastTurn = Promise.resolve();
  let lastReadTurn = Promise.resolve();
  let readsUnderWay = 0;

  async function giveWay(): Promise<void> {
    const until = clock() + LONGEST_WAY_MS;
    // The previous piece runs in this turn and may be too short to notice: forty of 2 ms each kept a read waiting.
    await turnOnce();
    let goesOn: boolean;
    do {
      // The turn after the last read sends its response.
      const sawRead = readsUnderWay > 0;
      const since = clock();
      await turnOnce();
      const wasHeld = clock() - since > HELD_MS;
      goesOn = wasHeld || sawRead || readsUnderWay > 0;
    } while (goesOn && clock() < until);
  }

  return {
    /**
     * Resolves when the event loop has turned and the reads that came meanwhile have their responses, or after
     * LONGEST_WAY_MS. Only one caller continues in each turn: twenty exports delay a request by one page, not by
     * twenty. A read takes several turns of the loop; a piece of work in each turn would delay it several times.
     */
    turnLoop(): Promise<void> {
      lastTurn = lastTurn.then(giveWay);
      return lastTurn;
    },

    /** Resolves like turnLoop(), for a read of many rows: one such read in each turn, and none waits for long work. */
    turnForRead(): Promise<void> {
      lastReadTurn = lastReadTurn.then(turnOnce);
      return lastReadTurn;
    },

    /** Runs a read; turnLoop() yields to it until it has settled. */
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
 * Turns the loop by a timer, which takes 2.3 ms. With setImmediate() the runtime checks its sockets once in about
 * sixty turns, and a request waits a second (Deno 2.9.6, measured). It does not queue after the pieces that wait in
 * turnLoop(), so work that holds the database's writer may use it.
 */
export function turnByTimer(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 0));
}

export const { turnLoop, turnForRead, whileReading } = createTurns();
