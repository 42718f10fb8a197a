/**
 * The site's only socket to the edge. The site opens it and keeps it for ever; frames are checked in both directions.
 * Contains nothing of leases or phones: it passes frames to its owner one at a time, in order.
 */
import {
  AGENT_SUBPROTOCOL,
  type AgentFrame,
  agentFrameSchema,
  type EdgeFrame,
  edgeFrameSchema,
} from "shared/agent_protocol.ts";
import { decodeFrame, encodeFrame } from "shared/cbor.ts";
import { DEAD_SOCKET_MS } from "shared/lease.ts";
import { backoffMs } from "../time/backoff.ts";
import type { Clock } from "../time/clock.ts";
import { belongsToRestart, type EdgeLost, isGoingAway, lostByClose, lostByError } from "./edge_lost.ts";
import { errorText, type Log } from "../log.ts";
import type { TokenSigner } from "./token.ts";
import { askWhyRefused } from "./why_refused.ts";

export interface EdgeLink {
  /** Sends a frame. Returns false when this connection is no longer open. */
  send(frame: AgentFrame): boolean;
  /** Ends the connection from this side. */
  close(cause?: "superseded"): void;
}

export interface ConnectionOptions {
  edgeUrl: string;
  tokens: TokenSigner;
  clock: Clock;
  random: () => number;
  log: Log;
  /** Called for every frame, in order. A frame of an ended connection is never passed on. */
  onFrame(frame: EdgeFrame, link: EdgeLink): void;
  /** Called once when a connection that was open has ended. */
  onEnd(): void;
  /** Called after every connection and every try, with the cause of its end. */
  onLost?(lost: EdgeLost): void;
}

/** A connection that lived this long was good: the next try comes soon. */
const GOOD_CONNECTION_MS = 10_000;
const OPEN_TIMEOUT_MS = 15_000;
/** An edge that stopped on purpose is back within this time, even with an update. Later, an operator should look. */
const RESTART_MS = 60_000;

/** Connects to the edge again and again until the signal aborts. No refusal ends it. */
export async function keepConnected(options: ConnectionOptions, signal: AbortSignal): Promise<void> {
  let tries = 0;
  let restartsUntil = -Infinity;
  while (!signal.aborted) {
    const startedAt = options.clock.monotonic();
    const lost = await connectOnce(options, signal);
    if (signal.aborted) return;
    if (options.clock.monotonic() - startedAt >= GOOD_CONNECTION_MS) tries = 0;
    const waitMs = backoffMs(tries++, options.random);
    if (isGoingAway(lost)) restartsUntil = options.clock.monotonic() + RESTART_MS;
    const isRestart = belongsToRestart(lost) && options.clock.monotonic() < restartsUntil;
    options.log(isRestart ? "info" : "warn", "edge_lost", { ...lost, waitMs });
    options.onLost?.(lost);
    await options.clock.sleep(waitMs, signal);
  }
}

/** Opens one connection and returns why it ended. Never rejects. */
async function connectOnce(options: ConnectionOptions, signal: AbortSignal): Promise<EdgeLost> {
  const url = agentUrl(options.edgeUrl);
  let socket: WebSocket;
  try {
    socket = openSocket(url, await options.tokens.sign());
  } catch (error) {
    return lostByError(error);
  }
  socket.binaryType = "arraybuffer";
  const ended = new AbortController();
  const end = Promise.withResolvers<EdgeLost>();
  let heardAt = options.clock.monotonic();
  let isOpen = false;
  const finish = (lost: EdgeLost) => {
    if (ended.signal.aborted) return;
    // From here on no frame of this connection is passed on, although bytes may still arrive.
    ended.abort();
    socket.close();
    end.resolve(lost);
  };
  const link: EdgeLink = {
    send(frame) {
      if (ended.signal.aborted || socket.readyState !== WebSocket.OPEN) return false;
      socket.send(encodeFrame(agentFrameSchema.parse(frame)));
      return true;
    },
    close: (cause) => finish({ cause: cause ?? "ended_here", why: "closed by this site" }),
  };
  socket.onopen = () => {
    isOpen = true;
    heardAt = options.clock.monotonic();
    options.log("info", "edge_connected", { protocol: socket.protocol });
  };
  socket.onmessage = (event) => {
    if (ended.signal.aborted) return;
    heardAt = options.clock.monotonic();
    let frame: EdgeFrame;
    try {
      frame = decodeFrame(new Uint8Array(event.data), edgeFrameSchema);
    } catch (error) {
      // An unknown frame of a newer edge is no reason to drop the socket: important frames are asked for again.
      return options.log("warn", "edge_frame_refused", { why: errorText(error) });
    }
    options.onFrame(frame, link);
  };
  socket.onerror = (event) =>
    finish(lostByError(event instanceof ErrorEvent ? event.message : "socket failed"));
  socket.onclose = ({ code, reason }) => finish(lostByClose(code, reason));
  signal.addEventListener("abort", () => link.close(), { signal: ended.signal });
  watchSilence();
  const lost = await end.promise;
  if (!isOpen && !signal.aborted) return await askWhyRefused(lost, { ...options, url }, signal);
  if (isOpen) options.onEnd();
  return lost;

  async function watchSilence(): Promise<void> {
    while (!ended.signal.aborted) {
      const limitMs = isOpen ? DEAD_SOCKET_MS : OPEN_TIMEOUT_MS;
      const leftMs = heardAt + limitMs - options.clock.monotonic();
      if (leftMs <= 0) {
        return finish({ cause: isOpen ? "silent" : "timeout", why: `heard nothing for ${limitMs} ms` });
      }
      await options.clock.sleep(Math.min(leftMs, OPEN_TIMEOUT_MS), ended.signal);
    }
  }
}

function openSocket(url: URL, token: string): WebSocket {
  // Deno's constructor takes headers beside the subprotocols. The DOM's type is in force and lacks them.
  const Socket = WebSocket as unknown as new (
    url: URL,
    options: { protocols: readonly string[]; headers: Record<string, string> },
  ) => WebSocket;
  return new Socket(url, { protocols: [AGENT_SUBPROTOCOL], headers: { authorization: `Bearer ${token}` } });
}

function agentUrl(edgeUrl: string): URL {
  const url = new URL("/agent/ws", edgeUrl);
  url.protocol = url.protocol === "https:" ? "wss:" : "ws:";
  return url;
}
