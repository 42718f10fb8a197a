/** One agent's socket: frames are handled strictly one at a time, in order, and none before hello. */
import { eq } from "drizzle-orm";
import { type AgentFrame, agentFrameSchema, CLOSE, type EdgeFrame } from "shared/agent_protocol.ts";
import type { AgentFeature } from "shared/features.ts";
import { CLOCKS_APART_MS } from "shared/clock_watch.ts";
import { decodeFrame, encodeFrame } from "shared/cbor.ts";
import {
  createYieldToEventLoop as createLoopYield,
  type YieldToEventLoop,
} from "../http/yield_to_event_loop.ts";
import type { EdgeContext } from "../context.ts";
import { errorFields } from "../error_fields.ts";
import type { SawAttempt } from "../http/attempts.ts";
import { isGenuine } from "../queue/database_mark.ts";
import { SupersededError } from "../queue/fence.ts";
import { execute, query } from "../db/query.ts";
import { sites } from "../db/schema.ts";
import type { StillDesk } from "../stills/still_desk.ts";
import { turnLoop } from "../time/turn_loop.ts";
import type { WelcomeFrame } from "./connect.ts";
import { readSettings } from "../settings/fleet_settings.ts";
import { handleFrame } from "./handle_frame.ts";
import { type AgentConnection, type AgentHub, endSuperseded } from "./hub.ts";
import { noteSuperseded } from "./note_superseded.ts";

export interface AgentDoor {
  hub: AgentHub;
  /** Makes this instance follow the outbox while the socket lives; returns the function that stops it. */
  joinOutbox(): Promise<() => void>;
  /** Takes the pictures that sites send; absent = none was asked for. */
  stills?: Pick<StillDesk, "take" | "gone">;
  /** Receives every answer to a frame. */
  onAnswer?(answer: EdgeFrame | null, frame: AgentFrame): void;
  /** Receives reports of behaviour that no agent of ours shows. */
  sawAttempt?: SawAttempt;
  /** @default the event loop's own */
  createYieldToEventLoop?: () => YieldToEventLoop;
}

/** Bytes that may wait to be handled, or to be read by the agent, before the socket is closed. */
const MAX_WAITING_BYTES = 4 * 1024 * 1024;
/** Added for each waiting frame, so that empty frames cannot pile up. */
const FRAME_COST_BYTES = 1024;
/** Decoding and checking a frame of more bytes takes long enough to let others have a turn before its handling. */
const LONG_FRAME_BYTES = 100_000;
/** RFC 6455 section 7.4.1, "internal error": the agent reconnects and tries again. */
const INTERNAL_ERROR = 1011;

/** Serves the upgraded socket of a site; `welcome` starts its new connection. */
export function serveAgent(
  ctx: EdgeContext,
  { hub, joinOutbox, stills, onAnswer, sawAttempt, createYieldToEventLoop = createLoopYield }: AgentDoor,
  socket: WebSocket,
  site: number,
  welcome: WelcomeFrame,
): void {
  const { epoch } = welcome;
  let hadHello = false;
  let features: ReadonlySet<AgentFeature> = new Set();
  let wasSuperseded = false;
  let isClockLogged = false;
  let waitingBytes = 0;
  let leaveOutbox: (() => void) | null = null;
  let work = Promise.resolve();
  /** Exists while frames wait for one another; null otherwise. */
  let yieldToEventLoop: YieldToEventLoop | null = null;
  const isOpen = () => socket.readyState === WebSocket.OPEN;
  const connection: AgentConnection = {
    site,
    epoch,
    get isReady() {
      return hadHello;
    },
    get features() {
      return features;
    },
    send(frame: EdgeFrame) {
      if (!isOpen()) return;
      if (socket.bufferedAmount > MAX_WAITING_BYTES) socket.close(INTERNAL_ERROR, "reads too slowly");
      else socket.send(encodeFrame(frame));
    },
    close(code, reason) {
      if (!isOpen()) return;
      wasSuperseded = code === CLOSE.superseded;
      socket.close(code, reason);
    },
  };

  socket.binaryType = "arraybuffer";
  socket.onopen = () => enqueue(0, open);
  socket.onmessage = ({ data }) => {
    if (!(data instanceof ArrayBuffer)) return refuse("text frame");
    enqueue(data.byteLength, () => take(new Uint8Array(data)));
  };
  // A close always follows an error, and carries the same information.
  socket.onclose = ({ code, wasClean }) => {
    hub.remove(connection);
    stills?.gone(connection);
    // Only a live machine answers a close; a machine that lost its network does not.
    if (wasSuperseded && wasClean) work = work.then(() => noteSuperseded(ctx, site)).catch(fail);
    work.finally(() => leaveOutbox?.());
    ctx.log.info("agent_disconnected", { site, epoch, code });
  };

  function refuse(reason: string): void {
    if (isOpen()) sawAttempt?.({ code: "bad_frame", site, path: "/agent/ws" });
    connection.close(CLOSE.badFrame, reason);
  }

  function enqueue(bytes: number, act: () => Promise<void>): void {
    const cost = bytes + FRAME_COST_BYTES;
    waitingBytes += cost;
    if (waitingBytes > MAX_WAITING_BYTES) return refuse("too many frames");
    work = work.then(async () => {
      waitingBytes -= cost;
      if (isOpen()) await act();
      // Otherwise frames that came together would all be handled in one turn. A site that waits for each answer waits
      // for nothing else.
      if (waitingBytes === 0) yieldToEventLoop = null;
      else await (yieldToEventLoop ??= createYieldToEventLoop())();
    }).catch(fail);
  }

  async function open(): Promise<void> {
    // Joins before hello is answered, so that no later recall is missed.
    leaveOutbox = await joinOutbox();
    if (!isOpen() || !hub.add(connection)) return;
    ctx.log.info("agent_connected", { site, epoch });
    connection.send(welcome);
  }

  async function take(bytes: Uint8Array): Promise<void> {
    let frame: AgentFrame;
    try {
      frame = decodeFrame(bytes, agentFrameSchema);
    } catch (error) {
      ctx.log.debug("agent_frame_refused", { site, error: String(error) });
      return refuse("bad frame");
    }
    if ((frame.type === "hello") === hadHello) return refuse("hello comes first, once");
    hadHello = true;
    if (frame.type === "stillPart" || frame.type === "noStill") {
      if (!stills?.take(connection, frame)) refuse("a still that nobody asked for");
      return;
    }
    if (frame.type === "hello") features = new Set(frame.features);
    // Hello ignores such a mark. The installation has lost its key, or the site lies: an operator should know.
    if (frame.type === "hello" && frame.mark !== undefined && !isGenuine(ctx, site, frame.mark)) {
      sawAttempt?.({ code: "bad_mark", site, path: "/agent/ws" });
    }
    if (frame.type === "heartbeat") noteClock(frame.at);
    if (bytes.byteLength > LONG_FRAME_BYTES) await turnLoop();
    const answer = await handleFrame(ctx, { site, epoch }, frame);
    onAnswer?.(answer, frame);
    if (answer) connection.send(answer);
    if (frame.type === "hello") await sendNewSettings();
  }

  /** Once per connection: a site may send any time as its clock's. */
  function noteClock(at: number): void {
    const aheadMs = at - ctx.now();
    if (isClockLogged || Math.abs(aheadMs) <= CLOCKS_APART_MS) return;
    isClockLogged = true;
    ctx.log.warn("site_clock_off", { site, aheadMs });
  }

  /** Settings saved between welcome and hello were not sent on this connection. */
  async function sendNewSettings(): Promise<void> {
    const settings = await readSettings(ctx);
    if (JSON.stringify(settings) !== JSON.stringify(welcome.settings)) {
      connection.send({ type: "settings", settings });
    }
  }

  async function fail(error: unknown): Promise<void> {
    if (error instanceof SupersededError) {
      return endSuperseded(connection, await readEpoch(ctx, site).catch(() => epoch));
    }
    ctx.log.error("agent_frame_failed", { site, ...errorFields(error) });
    connection.close(INTERNAL_ERROR, "internal error");
  }
}

async function readEpoch(ctx: EdgeContext, site: number): Promise<number> {
  const { rows: [row] } = await execute(
    ctx.db,
    query.select({ epoch: sites.epoch }).from(sites).where(eq(sites.id, site)),
  );
  return row?.epoch ?? 0;
}
