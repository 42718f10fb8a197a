/** The browsers connected to this instance: who hears what, how often, and when a socket is closed. */
import { liveEventSchema, type LiveEventType, PROGRESS_EVERY_MS } from "shared/live_event.ts";
import type { SessionUser } from "../http/router.ts";
import type { EventRow } from "./tail.ts";

/** What the hub needs of a WebSocket. */
export type BrowserSocket = Pick<WebSocket, "send" | "close" | "bufferedAmount" | "readyState">;

export interface BrowserHub {
  add(socket: BrowserSocket, user: SessionUser): void;
  remove(socket: BrowserSocket): void;
  /** Hands one event to those who may hear it, now or (progress) when its turn comes. */
  deliver(row: EventRow): void;
  /** Sends the progress whose turn has come; answers in how many ms the next is due, or null. */
  flush(): number | null;
  /** Closes every socket: the server is going down. */
  closeAll(): void;
  readonly size: number;
}

/** A browser that reads slower than events come has this much waiting at most; then it must reconnect. */
const MAX_WAITING_BYTES = 256 * 1024;
/** RFC 6455 section 7.4.1, "going away" and (IANA) "try again later"; from 4000 on, our own. */
export const BROWSER_CLOSE = { goingAway: 1001, tooSlow: 1013, sessionEnded: 4401 } as const;

const LIVE_TYPES: ReadonlySet<string> = new Set<LiveEventType>(
  liveEventSchema.options.map((option) => option.shape.type.value),
);

const WITH_FIGURES: ReadonlySet<string> = new Set<LiveEventType>([
  "campaign_started",
  "campaign_paused",
  "campaign_completed",
  "campaign_ended",
]);

interface Progress {
  sentAt: number;
  /** The newest that was held back. */
  waiting: EventRow | null;
}

/** Makes a hub; `now` is its clock, in milliseconds. */
export function createBrowserHub(now: () => number): BrowserHub {
  const users = new Map<BrowserSocket, SessionUser>();
  const socketsOf = new Map<number, Set<BrowserSocket>>();
  const progress = new Map<number, Progress>();

  function deliver(row: EventRow): void {
    if (row.type === "session_ended") return endSessions(row);
    if (!LIVE_TYPES.has(row.type)) return;
    if (row.campaign === null || row.type !== "campaign_progress") {
      // Newer figures than whatever progress was held back.
      if (row.campaign !== null && WITH_FIGURES.has(row.type)) progress.delete(row.campaign);
      return broadcast(row);
    }
    const known = progress.get(row.campaign);
    if (known && now() - known.sentAt < PROGRESS_EVERY_MS) {
      known.waiting = row;
      return;
    }
    progress.set(row.campaign, { sentAt: now(), waiting: null });
    broadcast(row);
  }

  function flush(): number | null {
    let nextMs: number | null = null;
    for (const [campaign, known] of progress) {
      const dueMs = known.sentAt + PROGRESS_EVERY_MS - now();
      if (dueMs > 0) {
        if (known.waiting) nextMs = Math.min(nextMs ?? dueMs, dueMs);
      } else if (known.waiting) {
        broadcast(known.waiting);
        progress.set(campaign, { sentAt: now(), waiting: null });
      } else {
        progress.delete(campaign);
      }
    }
    return nextMs;
  }

  function broadcast(row: EventRow): void {
    const text = `{"id":${row.id},"type":"${row.type}","data":${row.data}}`;
    if (row.client !== null) socketsOf.get(row.client)?.forEach((socket) => send(socket, text));
    if (!row.forAdmins) return;
    for (const [socket, user] of users) {
      if (user.role === "admin" && user.id !== row.client) send(socket, text);
    }
  }

  function send(socket: BrowserSocket, text: string): void {
    if (socket.readyState !== WebSocket.OPEN) return;
    if (socket.bufferedAmount > MAX_WAITING_BYTES) close(socket, BROWSER_CLOSE.tooSlow);
    else socket.send(text);
  }

  function endSessions(row: EventRow): void {
    const ended: { sessionHash?: string; userId?: number } = JSON.parse(row.data);
    for (const [socket, user] of users) {
      if (user.sessionHash === ended.sessionHash || user.id === ended.userId) {
        close(socket, BROWSER_CLOSE.sessionEnded);
      }
    }
  }

  function add(socket: BrowserSocket, user: SessionUser): void {
    users.set(socket, user);
    const own = socketsOf.get(user.id);
    if (own) own.add(socket);
    else socketsOf.set(user.id, new Set([socket]));
  }

  function remove(socket: BrowserSocket): void {
    const user = users.get(socket);
    if (!user) return;
    users.delete(socket);
    const own = socketsOf.get(user.id);
    own?.delete(socket);
    if (own?.size === 0) socketsOf.delete(user.id);
  }

  function close(socket: BrowserSocket, code: number): void {
    remove(socket);
    socket.close(code);
  }

  return {
    add,
    remove,
    deliver,
    flush,
    closeAll: () => [...users.keys()].forEach((socket) => close(socket, BROWSER_CLOSE.goingAway)),
    get size() {
      return users.size;
    },
  };
}
