/** The browsers connected to this instance: which events each gets, how often, and when its socket is closed. */
import {
  liveEventSchema,
  type LiveEventType,
  PROGRESS_EVERY_MS,
  SESSION_OVER_CLOSE,
} from "shared/live_event.ts";
import { wordActivity } from "../text/activity_words.ts";
import type { Caller } from "../http/router.ts";
import { coalesce } from "./coalesce.ts";
import type { EventRow } from "./tail.ts";

/** The parts of a WebSocket that the hub uses. */
export type BrowserSocket = Pick<WebSocket, "send" | "close" | "bufferedAmount" | "readyState">;

export interface BrowserHub {
  add(socket: BrowserSocket, caller: Caller): void;
  remove(socket: BrowserSocket): void;
  /** Returns how many sockets a person has on this instance. */
  countOf(person: number): number;
  /** Sends a frame to one socket; closes it instead when its browser reads too slowly. */
  send(socket: BrowserSocket, text: string): void;
  /** Sends an event to the browsers that may have it: at once, or progress when its interval has passed. */
  deliver(row: EventRow): void;
  /** Sends the progress that is due; returns the milliseconds until the next is due, or null. */
  flush(): number | null;
  /** Closes every socket: the server is stopping. */
  closeAll(): void;
  readonly size: number;
}

/** Most unsent bytes of a browser that reads too slowly; beyond it the socket closes and the browser must reconnect. */
const MAX_WAITING_BYTES = 256 * 1024;
/** RFC 6455 section 7.4.1, "going away", "violates its policy" and (IANA) "try again later". */
export const BROWSER_CLOSE = {
  goingAway: 1001,
  tooMany: 1008,
  tooSlow: 1013,
  sessionEnded: SESSION_OVER_CLOSE,
} as const;

const LIVE_TYPES: ReadonlySet<string> = new Set<LiveEventType>(
  liveEventSchema.options.map((option) => option.shape.type.value),
);

const WITH_FIGURES: ReadonlySet<string> = new Set<LiveEventType>([
  "campaign_started",
  "campaign_paused",
  "campaign_completed",
  "campaign_ended",
]);

/** Interval in milliseconds: administrators see other people's campaigns in a list, not in a moving bar. */
const ADMINS_EVERY_MS = 2_000;

/** Returns a hub; `now` is its clock in milliseconds. */
export function createBrowserHub(now: () => number): BrowserHub {
  const callers = new Map<BrowserSocket, Caller>();
  const ofClient = new Map<number, Set<BrowserSocket>>();
  const ofPerson = new Map<number, Set<BrowserSocket>>();
  const admins = new Set<BrowserSocket>();
  const progress = coalesce(PROGRESS_EVERY_MS, now, broadcast);
  const progressForAdmins = coalesce(ADMINS_EVERY_MS, now, sendCampaignToAdmins);

  function deliver(row: EventRow): void {
    if (row.type === "session_ended") return endSessions(row);
    if (row.type === "session_renewed") return renewSession(row);
    if (!LIVE_TYPES.has(row.type)) return;
    if (row.campaign !== null && row.type === "campaign_progress") {
      progress.offer(row.campaign, row);
      if (admins.size > 0) progressForAdmins.offer(row.campaign, row);
      return;
    }
    broadcast(row);
    if (row.campaign === null || !WITH_FIGURES.has(row.type)) return;
    // This event has newer figures than any held-back progress.
    progress.drop(row.campaign);
    progressForAdmins.drop(row.campaign);
    sendCampaignToAdmins(row);
  }

  function flush(): number | null {
    const dueMs = [progress.flush(), progressForAdmins.flush()].filter((ms) => ms !== null);
    return dueMs.length === 0 ? null : Math.min(...dueMs);
  }

  function broadcast(row: EventRow): void {
    const text = frame(row.id, row.type, row.type === "activity" ? wordedActivity(row.data) : row.data);
    if (row.client !== null) ofClient.get(row.client)?.forEach((socket) => send(socket, text));
    if (row.forAdmins) sendToOtherAdmins(row, text);
  }

  /** Excludes people of the campaign's client, who get the event under its own type. */
  function sendCampaignToAdmins(row: EventRow): void {
    sendToOtherAdmins(row, frame(row.id, "client_campaign", row.data));
  }

  function sendToOtherAdmins(row: EventRow, text: string): void {
    for (const socket of admins) {
      if (callers.get(socket)!.client !== row.client) send(socket, text);
    }
  }

  function send(socket: BrowserSocket, text: string): void {
    if (socket.readyState !== WebSocket.OPEN) return;
    if (socket.bufferedAmount > MAX_WAITING_BYTES) close(socket, BROWSER_CLOSE.tooSlow);
    else socket.send(text);
  }

  function endSessions(row: EventRow): void {
    const { sessionHash }: { sessionHash: string } = JSON.parse(row.data);
    for (const [socket, caller] of callers) {
      if (caller.sessionHash === sessionHash) close(socket, BROWSER_CLOSE.sessionEnded);
    }
  }

  function renewSession(row: EventRow): void {
    const { sessionHash, newHash }: { sessionHash: string; newHash: string } = JSON.parse(row.data);
    for (const [socket, caller] of callers) {
      if (caller.sessionHash === sessionHash) callers.set(socket, { ...caller, sessionHash: newHash });
    }
  }

  function add(socket: BrowserSocket, caller: Caller): void {
    callers.set(socket, caller);
    if (caller.role === "admin") admins.add(socket);
    addTo(ofClient, caller.client, socket);
    addTo(ofPerson, caller.person, socket);
  }

  function remove(socket: BrowserSocket): void {
    const caller = callers.get(socket);
    if (!caller) return;
    callers.delete(socket);
    admins.delete(socket);
    removeFrom(ofClient, caller.client, socket);
    removeFrom(ofPerson, caller.person, socket);
  }

  function close(socket: BrowserSocket, code: number): void {
    remove(socket);
    socket.close(code);
  }

  return {
    add,
    remove,
    countOf: (person) => ofPerson.get(person)?.size ?? 0,
    send,
    deliver,
    flush,
    closeAll: () => [...callers.keys()].forEach((socket) => close(socket, BROWSER_CLOSE.goingAway)),
    get size() {
      return callers.size;
    },
  };
}

function addTo(sets: Map<number, Set<BrowserSocket>>, id: number, socket: BrowserSocket): void {
  const set = sets.get(id);
  if (set) set.add(socket);
  else sets.set(id, new Set([socket]));
}

function removeFrom(sets: Map<number, Set<BrowserSocket>>, id: number, socket: BrowserSocket): void {
  const set = sets.get(id);
  set?.delete(socket);
  if (set?.size === 0) sets.delete(id);
}

/** Returns the text of a frame; `data` is JSON text. */
function frame(id: number, type: string, data: string): string {
  return `{"id":${id},"type":"${type}","data":${data}}`;
}

function wordedActivity(data: string): string {
  return JSON.stringify(wordActivity(JSON.parse(data)));
}
