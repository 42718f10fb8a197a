/** The live channel: one socket, parsed events, and the retries the product promises. */
import { type LiveEvent, liveEventSchema, SESSION_OVER_CLOSE } from "shared/live_event.ts";

/** `given_up` stays until a person asks for another round. */
export type LiveState = "connecting" | "open" | "retrying" | "given_up" | "closed";

export const MAX_RETRIES = 5;
/** A socket that stayed open this long makes the next failure a first one again. */
export const STEADY_AFTER_MS = 10_000;
/** A server that froze keeps its sockets open: one that hears nothing for so long, asked for a sign, is given up. */
export const ANSWER_WITHIN_MS = 10_000;
const PING = '{"type":"ping"}';
const PONG = '{"type":"pong"}';

export interface LiveOptions {
  url: string;
  openSocket: (url: string) => WebSocket;
  /** Runs `act` after `ms`, unless the returned function is called first. */
  schedule: (act: () => void, ms: number) => () => void;
  onEvent: (event: LiveEvent) => void;
  /** Called after every open: what happened in between was not heard. */
  onOpen: () => void;
  onState: (state: LiveState) => void;
  /** Called when the server says that the session is over; the retries go on until `close()`. */
  onSessionOver: () => void;
  log: (message: string, detail?: unknown) => void;
}

export interface LiveConnection {
  /** Starts again at once, with all retries before it. */
  reconnect: () => void;
  /** Sends one message if the socket is open. */
  send: (type: string, data?: unknown) => void;
  /** Closes for good. */
  close: () => void;
}

/** Wait before retry number `tried` (from 0): doubling from a second, at most half a minute. */
export function retryDelayMs(tried: number): number {
  return Math.min(1000 * 2 ** tried, 30_000);
}

/** The event a frame holds, or undefined when it is not one of ours. */
export function parseLiveEvent(frame: unknown): LiveEvent | undefined {
  try {
    const parsed = liveEventSchema.safeParse(JSON.parse(String(frame)));
    return parsed.success ? parsed.data : undefined;
  } catch {
    return undefined;
  }
}

/** Opens the channel and keeps it open until `close()`, or until the retries are used up. */
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

  /** Lets go of the present socket without its close counting as a failure. */
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
