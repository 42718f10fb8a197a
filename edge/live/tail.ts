/**
 * The outbox tail: the only path from a committed event to a socket. One reader on each instance follows `events` by
 * id, so events of other instances arrive in the same way as our own. A local commit merely wakes it.
 */
import type { Client } from "@libsql/client/web";
import { getTableColumns } from "drizzle-orm";
import { rowsAs } from "../db/query.ts";
import { events } from "../db/schema.ts";
import { errorFields } from "../error_fields.ts";
import type { Log } from "../log.ts";

/** `data` is JSON text. */
export type EventRow = typeof events.$inferSelect;

export interface TailOptions {
  db: Client;
  log: Log;
  /** Resolves after `ms`, or at once when the signal is aborted. */
  sleep(ms: number, signal: AbortSignal): Promise<void>;
  /** Receives events for people, in the order of ids; flushed after every read. */
  browsers: {
    deliver(row: EventRow): void;
    /** Returns in how many milliseconds it must be called again, or null. */
    flush(): number | null;
  };
  /** Receives the events for sites: for one site, and for all of them (`workWaiting`). */
  deliverToAgents(row: EventRow): void;
  /** Called for every event before it is delivered. */
  onEvent?(row: EventRow): void;
}

export interface Tail {
  /** Adds a listener, which gets all events committed after the promise resolves. Returns a function to leave. */
  join(): Promise<() => void>;
  /** Reads at once. */
  wake(): void;
  /** Follows the outbox until the signal is aborted. */
  run(signal: AbortSignal): Promise<void>;
}

/** Longest time in milliseconds that another instance's event waits for the next read. */
export const POLL_MS = 250;
const AFTER_ERROR_MS = 1_000;
const PAGE = 500;

/** Returns a tail that is idle, without any query, while it has no listener. */
export function createTail({ db, log, sleep, browsers, deliverToAgents, onEvent }: TailOptions): Tail {
  let listeners = 0;
  /** Id of the last delivered event; null without listeners. */
  let last: number | null = null;
  let awake = Promise.withResolvers<void>();

  async function join(): Promise<() => void> {
    const [newest] = rowsAs(await db.execute("SELECT coalesce(max(id), 0) AS id FROM events"), {
      id: events.id,
    });
    last ??= newest!.id;
    listeners += 1;
    if (listeners === 1) wake();
    let left = false;
    return () => {
      if (left) return;
      left = true;
      listeners -= 1;
      if (listeners === 0) last = null;
    };
  }

  function wake(): void {
    awake.resolve();
  }

  async function run(signal: AbortSignal): Promise<void> {
    signal.addEventListener("abort", wake, { once: true });
    while (!signal.aborted) {
      awake = Promise.withResolvers();
      const waitMs = last === null ? null : await look(last);
      if (waitMs === 0) continue;
      await rest(waitMs);
    }
  }

  /** Reads one page and delivers it. Returns the milliseconds to rest; 0 when more may be waiting. */
  async function look(from: number): Promise<number> {
    try {
      const page = await readPage(db, from);
      // All listeners may have left, and another joined, while the page was read.
      for (const row of last === from ? page : []) {
        // Set it first, so that an event whose delivery fails is skipped and not read again.
        last = row.id;
        onEvent?.(row);
        if (row.site !== null || row.type === "workWaiting") deliverToAgents(row);
        else browsers.deliver(row);
      }
      const dueMs = browsers.flush() ?? POLL_MS;
      return page.length === PAGE ? 0 : Math.min(POLL_MS, dueMs);
    } catch (error) {
      log.warn("outbox_read_failed", errorFields(error));
      return AFTER_ERROR_MS;
    }
  }

  /** Rests until a wake or for `ms`; null waits for a wake alone. */
  async function rest(ms: number | null): Promise<void> {
    if (ms === null) return await awake.promise;
    const woken = new AbortController();
    await Promise.race([sleep(ms, woken.signal), awake.promise]);
    woken.abort();
  }

  return { join, wake, run };
}

// A test to oneself has its own screen: its start must not be announced as the start of a campaign.
const TYPE = `CASE WHEN type IN ('campaign_started', 'campaign_completed')
    AND (SELECT test_of FROM campaigns WHERE id = events.campaign) IS NOT NULL
  THEN iif(type = 'campaign_started', 'campaign_changed', 'campaign_ended') ELSE type END`;

async function readPage(db: Client, after: number): Promise<EventRow[]> {
  const result = await db.execute({
    sql: `SELECT id, at, ${TYPE} AS type, client, for_admins, site, campaign, data FROM events
      WHERE id > ? ORDER BY id LIMIT ?`,
    args: [after, PAGE],
  });
  return rowsAs(result, getTableColumns(events));
}
