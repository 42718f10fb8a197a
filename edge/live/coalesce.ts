/** Sends at most one row for each campaign in an interval: when it ends, the newest of the held-back rows. */
import type { EventRow } from "./tail.ts";

export interface Coalescer {
  /** Sends the row now, or holds it back in place of an older one. */
  offer(campaign: number, row: EventRow): void;
  /** Drops the held-back row: newer figures were sent in another event. */
  drop(campaign: number): void;
  /** Sends what is due; returns the milliseconds until the next is due, or null. */
  flush(): number | null;
}

interface Known {
  sentAt: number;
  /** The newest held-back row. */
  waiting: EventRow | null;
}

/** Returns an empty one; `now` is a clock in milliseconds. */
export function coalesce(everyMs: number, now: () => number, send: (row: EventRow) => void): Coalescer {
  const campaigns = new Map<number, Known>();

  function offer(campaign: number, row: EventRow): void {
    const known = campaigns.get(campaign);
    if (known && now() - known.sentAt < everyMs) {
      known.waiting = row;
      return;
    }
    campaigns.set(campaign, { sentAt: now(), waiting: null });
    send(row);
  }

  function flush(): number | null {
    let nextMs: number | null = null;
    for (const [campaign, known] of campaigns) {
      const dueMs = known.sentAt + everyMs - now();
      if (dueMs > 0) {
        if (known.waiting) nextMs = Math.min(nextMs ?? dueMs, dueMs);
      } else if (known.waiting) {
        send(known.waiting);
        campaigns.set(campaign, { sentAt: now(), waiting: null });
      } else {
        campaigns.delete(campaign);
      }
    }
    return nextMs;
  }

  return { offer, drop: (campaign) => void campaigns.delete(campaign), flush };
}
