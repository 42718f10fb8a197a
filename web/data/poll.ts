/** Query state that decides the time of the next poll. */

interface Asked {
  state: { fetchStatus: string };
}

/**
 * Returns a refetch interval that counts from the last request. A plain number counts from the last change of the
 * cache, so frequent live events would postpone the poll for as long as they arrive.
 */
export function pollEvery(everyMs: number, now: () => number = Date.now): (query: Asked) => number {
  return (query) => {
    // Called on every change of the cache; during a request fetchStatus is "fetching".
    if (query.state.fetchStatus === "fetching" || !askedAt.has(query)) askedAt.set(query, now());
    return Math.max(1, askedAt.get(query)! + everyMs - now());
  };
}

/** Time of the last request, one entry per query for all its observers. */
const askedAt = new WeakMap<Asked, number>();
