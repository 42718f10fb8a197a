/** When a query is asked again by the clock, live events or not. */

interface Asked {
  state: { fetchStatus: string };
}

/**
 * A refetch interval that counts from the last question. A plain number counts from the last change of the cache,
 * so live events that come faster than it would put the question off for as long as they come.
 */
export function pollEvery(everyMs: number, now: () => number = Date.now): (query: Asked) => number {
  return (query) => {
    // A change of the cache calls this; while a question is under way it calls with "fetching".
    if (query.state.fetchStatus === "fetching" || !askedAt.has(query)) askedAt.set(query, now());
    return Math.max(1, askedAt.get(query)! + everyMs - now());
  };
}

/** Of each query, however many look at it. */
const askedAt = new WeakMap<Asked, number>();
