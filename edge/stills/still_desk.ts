/**
 * The stills of phones' screens on their way through this edge, in memory only. One still serves all callers who ask
 * for the same phone meanwhile. The desk asks a site for one part at a time, so a site can neither send more than was
 * asked for nor hold up its own reports.
 */
import type { AgentFrameOf, EdgeFrame } from "shared/agent_protocol.ts";
import type { AgentFeature } from "shared/features.ts";
import { type NoStillReason, STILL_EVERY_MS, STILL_PART_BYTES, stillSize } from "shared/still.ts";

/** A site's connection, as the desk uses it. */
export interface StillSite {
  readonly site: number;
  readonly epoch: number;
  /** True after hello was handled. */
  readonly isReady: boolean;
  readonly features: ReadonlySet<AgentFeature>;
  send(frame: EdgeFrame): void;
}

export type StillFrame = AgentFrameOf<"stillPart" | "noStill">;
export type Still = Uint8Array<ArrayBuffer>;

/** There is no still. */
export class NoStillError extends Error {
  override readonly name = "NoStillError";
  constructor(readonly why: NoStillReason) {
    super(`Cannot show the screen: ${why}`);
  }
}

export interface StillDesk {
  /**
   * Returns a still of a device that was taken after the call, or together with the still that others wait for.
   *
   * @throws {NoStillError} when there is none, and the reason of `left` when it aborts
   */
  ask(from: StillSite, device: string, left: AbortSignal): Promise<Still>;
  /** Takes a site's frame. Returns false when it answers nothing that was asked: no honest site sends it. */
  take(from: StillSite, frame: StillFrame): boolean;
  /** The site's connection has ended. */
  gone(from: StillSite): void;
  /** Stills that hold memory or a place now. */
  readonly size: number;
}

export interface StillDeskParts {
  /** Monotonic, in milliseconds. */
  clock(): number;
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

/** Stills of one site on their way; its agent refuses more. */
const MOST_OF_SITE = 4;
/** Stills of all sites on their way, each up to 8 MB. */
export const MOST_STILLS = 8;
/** A phone takes about a second, an agent gives up after 12 s, and other phones of the site may come first. */
const FIRST_PART_MS = 20_000;
const PART_MS = 10_000;
/** The longest time of a still, with all its waits. */
const STILL_MS = 40_000;
/** Numbers of stills that were given up while one answer was on its way. */
const MOST_LATE = 64;

interface OnItsWay {
  id: number;
  device: string;
  callers: Set<PromiseWithResolvers<Still>>;
  /** Aborts when nobody waits any more, or the connection has ended. */
  over: AbortController;
  /** Exists while an answer of the site is awaited. */
  answer: PromiseWithResolvers<StillFrame> | null;
}

interface SiteState {
  lastId: number;
  byDevice: Map<string, OnItsWay>;
  byId: Map<number, OnItsWay>;
  late: Set<number>;
  /** Monotonic time of each device's last still, not older than STILL_EVERY_MS. */
  lastAt: Map<string, number>;
  running: number;
  isGone: boolean;
}

export function createStillDesk({ clock, sleep }: StillDeskParts): StillDesk {
  const sites = new WeakMap<StillSite, SiteState>();
  /** All stills on their way, and those among them that hold a place. */
  let size = 0;
  let running = 0;
  /** Stills that wait for a place, oldest first. */
  let waiting: { state: SiteState; start(): void }[] = [];

  function ask(from: StillSite, device: string, left: AbortSignal): Promise<Still> {
    if (left.aborted) return Promise.reject(left.reason);
    const state = stateOf(from);
    const still = state.byDevice.get(device) ?? begin(from, state, device);
    const caller = Promise.withResolvers<Still>();
    still.callers.add(caller);
    const leave = () => {
      caller.reject(left.reason);
      still.callers.delete(caller);
      if (still.callers.size === 0) end(state, still);
    };
    left.addEventListener("abort", leave, { once: true });
    return caller.promise.finally(() => left.removeEventListener("abort", leave));
  }

  function begin(from: StillSite, state: SiteState, device: string): OnItsWay {
    const over = new AbortController();
    const still: OnItsWay = { id: ++state.lastId, device, callers: new Set(), over, answer: null };
    state.byDevice.set(device, still);
    state.byId.set(still.id, still);
    size++;
    run(from, state, still).then(
      (bytes) => still.callers.forEach((caller) => caller.resolve(bytes)),
      (error) => still.callers.forEach((caller) => caller.reject(error)),
    ).finally(() => end(state, still));
    return still;
  }

  async function run(from: StillSite, state: SiteState, still: OnItsWay): Promise<Still> {
    const { over: { signal }, device } = still;
    const timer = new AbortController();
    void sleep(STILL_MS, AbortSignal.any([signal, timer.signal])).then(() => still.over.abort());
    try {
      await sleep(Math.max(0, (state.lastAt.get(device) ?? -Infinity) + STILL_EVERY_MS - clock()), signal);
      if (!await takePlace(state, signal)) throw new NoStillError("failed");
      try {
        if (signal.aborted) throw new NoStillError("failed");
        state.lastAt.set(device, clock());
        return await transfer(from, state, still);
      } finally {
        leavePlace(state);
      }
    } finally {
      timer.abort();
    }
  }

  async function transfer(from: StillSite, state: SiteState, still: OnItsWay): Promise<Still> {
    let bytes: Still | null = null;
    let at = 0;
    do {
      const part = await askPart(from, state, still, at);
      if (part.type === "noStill") throw new NoStillError(part.why);
      bytes ??= new Uint8Array(part.size);
      const data = bytesOf(part.data);
      const isRight = part.at === at && part.size === bytes.length &&
        data?.length === Math.min(STILL_PART_BYTES, bytes.length - at);
      if (!isRight) {
        from.send({ type: "stillOver", id: still.id });
        throw new NoStillError("not_png");
      }
      bytes.set(data!, at);
      at += data!.length;
    } while (at < bytes.length);
    if (stillSize(bytes) === null) throw new NoStillError("not_png");
    return bytes;
  }

  async function askPart(
    from: StillSite,
    state: SiteState,
    still: OnItsWay,
    at: number,
  ): Promise<StillFrame> {
    const { id, device, over: { signal } } = still;
    const answer = still.answer = Promise.withResolvers<StillFrame>();
    const heard = new AbortController();
    from.send({ type: "still", id, device, at });
    const limit = sleep(at === 0 ? FIRST_PART_MS : PART_MS, AbortSignal.any([signal, heard.signal]));
    const frame = await Promise.race([answer.promise, limit.then(() => null)]);
    heard.abort();
    if (frame !== null) return frame;
    still.answer = null;
    giveUp(from, state, id);
    throw new NoStillError(state.isGone ? "away" : "failed");
  }

  /** Ends the site's work for a still. One answer may already be on its way. */
  function giveUp(from: StillSite, state: SiteState, id: number): void {
    if (state.isGone) return;
    from.send({ type: "stillOver", id });
    state.late.add(id);
    if (state.late.size > MOST_LATE) state.late.delete(state.late.values().next().value!);
  }

  function take(from: StillSite, frame: StillFrame): boolean {
    const state = sites.get(from);
    const still = state?.byId.get(frame.id);
    if (!still?.answer) return state?.late.delete(frame.id) ?? false;
    still.answer.resolve(frame);
    still.answer = null;
    return true;
  }

  /** Ends a still once. Callers who have no answer yet get `why`. */
  function end(state: SiteState, still: OnItsWay, why: NoStillReason = "failed"): void {
    if (!state.byId.delete(still.id)) return;
    state.byDevice.delete(still.device);
    still.over.abort();
    still.callers.forEach((caller) => caller.reject(new NoStillError(why)));
    size--;
    forgetOld(state);
  }

  function gone(from: StillSite): void {
    const state = sites.get(from);
    if (!state) return;
    state.isGone = true;
    for (const still of [...state.byId.values()]) end(state, still, "away");
  }

  function stateOf(from: StillSite): SiteState {
    let state = sites.get(from);
    if (!state) {
      state = {
        lastId: 0,
        byDevice: new Map(),
        byId: new Map(),
        late: new Set(),
        lastAt: new Map(),
        running: 0,
        isGone: false,
      };
      sites.set(from, state);
    }
    return state;
  }

  function forgetOld(state: SiteState): void {
    for (const [device, at] of state.lastAt) {
      if (clock() - at >= STILL_EVERY_MS) state.lastAt.delete(device);
    }
  }

  /** Waits for a place. Returns false, without one, when `signal` aborts first. */
  async function takePlace(state: SiteState, signal: AbortSignal): Promise<boolean> {
    if (signal.aborted) return false;
    if (hasPlace(state)) {
      occupy(state);
      return true;
    }
    const turn = Promise.withResolvers<boolean>();
    const entry = { state, start: () => turn.resolve(true) };
    waiting.push(entry);
    const leave = () => {
      waiting = waiting.filter((one) => one !== entry);
      turn.resolve(false);
    };
    signal.addEventListener("abort", leave, { once: true });
    const isHeld = await turn.promise;
    signal.removeEventListener("abort", leave);
    return isHeld;
  }

  function occupy(state: SiteState): void {
    running++;
    state.running++;
  }

  function hasPlace(state: SiteState): boolean {
    return running < MOST_STILLS && state.running < MOST_OF_SITE;
  }

  function leavePlace(state: SiteState): void {
    running--;
    state.running--;
    const next = waiting.find((entry) => hasPlace(entry.state));
    if (!next) return;
    waiting = waiting.filter((one) => one !== next);
    occupy(next.state);
    next.start();
  }

  return {
    ask,
    take,
    gone,
    get size() {
      return size;
    },
  };
}

function bytesOf(base64: string): Uint8Array | null {
  try {
    return Uint8Array.fromBase64(base64);
  } catch {
    return null;
  }
}
