/** The live channel: one socket, parsed events, and the product's retry schedule. */
import { type LiveEvent, liveEventSchema, SESSION_OVER_CLOSE } from "shared/live_event.ts";

/** `given_up` lasts until a person starts another round. */
export type LiveState = "connecting" | "open" | "retrying" | "given_up" | "closed";

export const MAX_RETRIES = 5;
/** A socket that stayed open for this long resets the retry count. */
const STEADY_AFTER_MS = 10_000;
/**
 * A frozen server keeps its sockets open: drop a socket that stays silent this long after a request for a sign of
 * life.
 */
const ANSWER_WITHIN_MS = 10_000;
const PING = '{"type":"ping"}';
const PONG = '{"type":"pong"}';

export interface LiveOptions {
  url: string;
  openSocket: (url: string) => WebSocket;
  /** Runs `act` after `ms`, unless the returned function is called first. */
  schedule: (act: () => void, ms: number) => () => void;
  onEvent: (event: LiveEvent) => void;
  /** Called after every open: events before it were missed. */
  onOpen: () => void;
  onState: (state: LiveState) => void;
  /** Called when the server reports that the session is over; retries continue until `close()`. */
  onSessionOver: () => void;
  log: (message: string, detail?: unknown) => void;
}

export interface LiveConnection {
  /** Connects again immediately, with all retries available. */
  reconnect: () => void;
  /** Sends one message if the socket is open. */
  send: (type: string, data?: unknown) => void;
  /** Closes the channel permanently. */
  close: () => void;
}

/** Returns the wait before retry number `tried` (from 0): one second, doubling up to 30 seconds. */
export function retryDelayMs(tried: number): number {
  return Math.min(1000 * 2 ** tried, 30_000);
}

/** Returns the event in a frame, or undefined when it is not a known live event. */
export function parseLiveEvent(frame: unknown): LiveEvent | undefined {
  try {
    const parsed = liveEventSchema.safeParse(JSON.parse(String(frame)));
    return parsed.success ? parsed.data : undefined;
  } catch {
    return undefined;
  }
}

/** Opens the channel and keeps it open until `close()`, or until all retries are used. */
export function connectLive(options: LiveOptions): LiveConnection {
  const { url, openSocket, schedule, onEvent, onOpen, onState, onSessionOver, log } = options;
  let socket: WebSocket;
  let tried = 0;
  let cancelTimer = () => {};
  let hasHeard = false;
  open("connecting");

  return {
    reconnect() {
      tried = 0;
      drop();
      open("retrying");
    },
    send(type, data) {
      if (socket.readyState === WebSocket.OPEN) socket.send(JSON.stringify({ type, data }));
    },
    close() {
      drop();
      onState("closed");
    },
  };

  function open(state: LiveState) {
    onState(state);
    const opened = openSocket(url);
    socket = opened;
    opened.onopen = () => {
      onState("open");
      cancelTimer = schedule(() => {
        tried = 0;
        askForASign();
      }, STEADY_AFTER_MS);
      onOpen();
    };
    opened.onmessage = ({ data }) => {
      hasHeard = true;
      if (data === PONG) return;
      const event = parseLiveEvent(data);
      if (event) onEvent(event);
      else log("Live message not understood", data);
    };
    opened.onerror = () => log("Live connection failed");
    opened.onclose = ({ code }) => {
      cancelTimer();
      retry();
      if (code === SESSION_OVER_CLOSE) onSessionOver();
    };
  }

  function askForASign() {
    hasHeard = false;
    if (socket.readyState === WebSocket.OPEN) socket.send(PING);
    cancelTimer = schedule(() => {
      if (hasHeard) return askForASign();
      drop();
      retry();
    }, ANSWER_WITHIN_MS);
  }

  function retry() {
    if (tried >= MAX_RETRIES) {
      onState("given_up");
      return;
    }
    onState("retrying");
    cancelTimer = schedule(() => open("retrying"), retryDelayMs(tried));
    tried += 1;
  }

  /** Drops the present socket; its close does not count as a failure. */
  function drop() {
    cancelTimer();
    socket.onopen =
      socket.onmessage =
      socket.onerror =
      socket.onclose =
        null;
    socket.close();
  }
}
