/**
 * The site's one socket to the edge: opened by the site, kept for ever, checked frames in and out.
 * Knows no lease and no phone; it hands frames to its owner one at a time, in order.
 */
import {
  AGENT_SUBPROTOCOLS,
  type AgentFrame,
  agentFrameSchema,
  agentUnauthorizedSchema,
  type EdgeFrame,
  edgeFrameSchema,
} from "shared/agent_protocol.ts";
import { toVersion1, VERSION_1 } from "shared/agent_protocol_v1.ts";
import { decodeFrame, encodeFrame } from "shared/cbor.ts";
import { DEAD_SOCKET_MS } from "shared/lease.ts";
import { backoffMs } from "./backoff.ts";
import type { Clock } from "./clock.ts";
import { errorText, type Log } from "./log.ts";
import { GAP_ADVICE, protocolGap } from "./protocol_gap.ts";
import type { TokenSigner } from "./token.ts";

export interface EdgeLink {
  /** Sends a frame; false when this connection is not open any more. */
  send(frame: AgentFrame): boolean;
  close(): void;
}

export interface ConnectionOptions {
  edgeUrl: string;
  tokens: TokenSigner;
  clock: Clock;
  random: () => number;
  log: Log;
  /** Called for every frame, in order; a frame of an ended connection never gets here. */
  onFrame(frame: EdgeFrame, link: EdgeLink): void;
  /** Called once when a connection that was open has ended. */
  onEnd(): void;
  /** Called after every connection and every try, with why it ended. */
  onLost?(why: string): void;
}

/** A connection that lived this long was a good one: the next try comes soon again. */
const GOOD_CONNECTION_MS = 10_000;
const OPEN_TIMEOUT_MS = 15_000;

/** Connects to the edge again and again until the signal aborts; no refusal ends it. */
export async function keepConnected(options: ConnectionOptions, signal: AbortSignal): Promise<void> {
  let tries = 0;
  while (!signal.aborted) {
    const startedAt = options.clock.monotonic();
    const why = await connectOnce(options, signal);
    if (signal.aborted) return;
    if (options.clock.monotonic() - startedAt >= GOOD_CONNECTION_MS) tries = 0;
    const waitMs = backoffMs(tries++, options.random);
    options.log("warn", "edge_lost", { why, waitMs });
    options.onLost?.(why);
    await options.clock.sleep(waitMs, signal);
  }
}

/** Opens one connection and answers why it ended; never rejects. */
async function connectOnce(options: ConnectionOptions, signal: AbortSignal): Promise<string> {
  const url = agentUrl(options.edgeUrl);
  let socket: WebSocket;
  try {
    socket = openSocket(url, await options.tokens.sign());
  } catch (error) {
    return errorText(error);
  }
  socket.binaryType = "arraybuffer";
  const ended = new AbortController();
  const end = Promise.withResolvers<string>();
  let heardAt = options.clock.monotonic();
  let isOpen = false;
  const finish = (why: string) => {
    if (ended.signal.aborted) return;
    // From here on nothing of this connection is heard, although bytes may still arrive.
    ended.abort();
    socket.close();
    end.resolve(why);
  };
  const link: EdgeLink = {
    send(frame) {
      if (ended.signal.aborted || socket.readyState !== WebSocket.OPEN) return false;
      const checked = agentFrameSchema.parse(frame);
      socket.send(encodeFrame(socket.protocol === VERSION_1 ? toVersion1(checked) : checked));
      return true;
    },
    close: () => finish("closed by this site"),
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
      // Too old to know a frame is no reason to drop the socket: what matters is asked for again.
      return options.log("warn", "edge_frame_refused", { why: errorText(error) });
    }
    options.onFrame(frame, link);
  };
  socket.onerror = () => finish("socket failed");
  socket.onclose = ({ code, reason }) => finish(`closed with ${code} ${reason}`.trim());
  signal.addEventListener("abort", link.close, { signal: ended.signal });
  watchSilence();
  let why = await end.promise;
  if (isOpen) options.onEnd();
  else if (!signal.aborted) why = await askWhyRefused(options, url, signal) ?? why;
  return why;

  async function watchSilence(): Promise<void> {
    while (!ended.signal.aborted) {
      const limitMs = isOpen ? DEAD_SOCKET_MS : OPEN_TIMEOUT_MS;
      const leftMs = heardAt + limitMs - options.clock.monotonic();
      if (leftMs <= 0) return finish(`heard nothing for ${limitMs} ms`);
      await options.clock.sleep(Math.min(leftMs, OPEN_TIMEOUT_MS), ended.signal);
    }
  }
}

function openSocket(url: URL, token: string): WebSocket {
  // Deno's constructor takes headers beside the subprotocols; the DOM's type, which is in force, does not know.
  const Socket = WebSocket as unknown as new (
    url: URL,
    options: { protocols: readonly string[]; headers: Record<string, string> },
  ) => WebSocket;
  return new Socket(url, { protocols: AGENT_SUBPROTOCOLS, headers: { authorization: `Bearer ${token}` } });
}

/** A refused upgrade hides its answer from sockets: asks once more as a plain request to learn the reason. */
async function askWhyRefused(
  options: ConnectionOptions,
  url: URL,
  signal: AbortSignal,
): Promise<string | null> {
  try {
    const asked = new URL(url);
    asked.protocol = asked.protocol === "wss:" ? "https:" : "http:";
    const response = await fetch(asked, {
      headers: { authorization: `Bearer ${await options.tokens.sign()}` },
      signal: AbortSignal.any([signal, AbortSignal.timeout(OPEN_TIMEOUT_MS)]),
      redirect: "manual",
    });
    const body: unknown = await response.json().catch(() => null);
    if (response.status === 401) {
      const refused = agentUnauthorizedSchema.safeParse(body);
      if (refused.success) options.tokens.learnServerTime(refused.data.serverTime);
      return "edge refused this site's token";
    }
    const gap = protocolGap(response.headers.get("sec-websocket-protocol"));
    if (gap !== null) return GAP_ADVICE[gap];
    // A plain request is asked to upgrade by an edge that speaks our version: then something between them is at fault.
    return response.status === 426 ? null : `edge answered ${response.status}`;
  } catch {
    return null;
  }
}

function agentUrl(edgeUrl: string): URL {
  const url = new URL("/agent/ws", edgeUrl);
  url.protocol = url.protocol === "https:" ? "wss:" : "ws:";
  return url;
}
