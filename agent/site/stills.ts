/**
 * Pictures of phones' screens for administrators. A picture changes nothing on its phone, so it is taken beside the
 * delivery without the phone's fence. It is held in memory until its last part is sent, and written nowhere.
 */
import type { AgentFrame, EdgeFrameOf } from "shared/agent_protocol.ts";
import {
  MAX_STILL_BYTES,
  type NoStillReason,
  STILL_EVERY_MS,
  STILL_PART_BYTES,
  stillSize,
} from "shared/still.ts";
import {
  AdbDeviceNotFoundError,
  AdbDeviceOfflineError,
  AdbDeviceUnauthorizedError,
  AdbDisconnectedError,
  AdbProtocolError,
  AdbServerUnreachableError,
} from "../adb/adb_error.ts";
import type { DevicePool } from "../devices/device_pool.ts";
import { errorText, type Log } from "../log.ts";
import type { Clock } from "../time/clock.ts";

export interface StillsOptions {
  pool: Pick<DevicePool, "screencap">;
  clock: Clock;
  log: Log;
  /** Sends a frame on the present connection. Returns false when there is none. */
  send(frame: AgentFrame): boolean;
  /** Aborts when the site must end. */
  halt: AbortSignal;
}

/** Pictures that the edge may ask for at the same time; each holds up to MAX_STILL_BYTES. */
export const MOST_ASKED = 4;
/** Time of one `screencap`, which takes about a second. */
const CAPTURE_MS = 8_000;
/** Time in which a phone must give a picture, with the taps that it waits for. */
const PATIENCE_MS = 12_000;
/** A picture that the edge does not ask for to its end is dropped. */
const HOLD_MS = 30_000;
const GONE = [
  AdbDeviceNotFoundError,
  AdbDeviceOfflineError,
  AdbDeviceUnauthorizedError,
  AdbDisconnectedError,
  AdbServerUnreachableError,
];

interface Asked {
  device: string;
  /** Aborts when nobody waits for this picture any more. */
  over: AbortController;
  bytes: Uint8Array | null;
  sentTo: number;
}

interface Capture {
  askers: Set<number>;
  over: AbortController;
}

export class Stills {
  #options: StillsOptions;
  /** By number of the edge. */
  #asked = new Map<number, Asked>();
  /** The pictures being taken, by device. */
  #captures = new Map<string, Capture>();
  /** Monotonic time of each device's last picture. */
  #lastAt = new Map<string, number>();
  /** Devices with a tap command on its way; aborts the picture that was begun before it. */
  #taps = new Map<string, PromiseWithResolvers<void>>();
  #interrupts = new Map<string, AbortController>();
  #work = new Set<Promise<void>>();

  constructor(options: StillsOptions) {
    this.#options = options;
  }

  /** Answers a `still` with a part of a picture, or with the reason why there is none. */
  asked({ id, device, at }: EdgeFrameOf<"still">): void {
    const known = this.#asked.get(id);
    if (known) {
      return known.bytes !== null && at === known.sentTo
        ? this.#sendPart(id, known)
        : this.#drop(id, "failed");
    }
    if (at !== 0) return this.#refuse(id, "failed");
    if (this.#asked.size >= MOST_ASKED) return this.#refuse(id, "busy");
    this.#asked.set(id, { device, over: new AbortController(), bytes: null, sentTo: 0 });
    const present = this.#captures.get(device);
    if (present) present.askers.add(id);
    else this.#begin(device, id);
  }

  /** Ends the work for a picture that nobody waits for. */
  over(id: number): void {
    const asked = this.#asked.get(id);
    if (!asked) return;
    this.#asked.delete(id);
    asked.over.abort();
    const capture = this.#captures.get(asked.device);
    if (!capture?.askers.delete(id) || capture.askers.size > 0) return;
    this.#captures.delete(asked.device);
    capture.over.abort();
  }

  /** Ends everything: the next connection has other numbers. */
  connectionOver(): void {
    for (const id of [...this.#asked.keys()]) this.over(id);
  }

  /** A tap command goes to the phone. A picture under way would share the cable with it, so it is taken again later. */
  tapBegins(device: string): void {
    if (this.#taps.has(device)) return;
    this.#taps.set(device, Promise.withResolvers());
    this.#interrupts.get(device)?.abort();
  }

  tapOver(device: string): void {
    this.#taps.get(device)?.resolve();
    this.#taps.delete(device);
  }

  /** Resolves when no picture is being taken. */
  async allDone(): Promise<void> {
    await Promise.all(this.#work);
  }

  #begin(device: string, id: number): void {
    const capture: Capture = { askers: new Set([id]), over: new AbortController() };
    this.#captures.set(device, capture);
    const signal = AbortSignal.any([capture.over.signal, this.#options.halt]);
    const work = this.#take(device, signal).then((taken) => {
      if (this.#captures.get(device) === capture) this.#captures.delete(device);
      for (const asker of capture.askers) this.#taken(asker, taken);
    }).finally(() => this.#work.delete(work));
    this.#work.add(work);
  }

  #taken(id: number, taken: Uint8Array | NoStillReason): void {
    const asked = this.#asked.get(id);
    if (!asked) return;
    if (typeof taken === "string") return this.#drop(id, taken);
    asked.bytes = taken;
    void this.#options.clock.sleep(HOLD_MS, asked.over.signal).then(() => {
      if (this.#asked.get(id) === asked) this.#asked.delete(id);
    });
    this.#sendPart(id, asked);
  }

  #sendPart(id: number, asked: Asked): void {
    const { bytes, sentTo: at } = asked;
    const part = bytes!.subarray(at, at + STILL_PART_BYTES);
    asked.sentTo += part.length;
    if (asked.sentTo >= bytes!.length) this.over(id);
    this.#options.send({ type: "stillPart", id, at, size: bytes!.length, data: part.toBase64() });
  }

  #drop(id: number, why: NoStillReason): void {
    this.over(id);
    this.#refuse(id, why);
  }

  #refuse(id: number, why: NoStillReason): void {
    this.#options.send({ type: "noStill", id, why });
  }

  /** Returns a checked picture of the phone's screen, or the reason why there is none. Never rejects. */
  async #take(device: string, signal: AbortSignal): Promise<Uint8Array | NoStillReason> {
    const { clock, log } = this.#options;
    await this.#untilDue(device, signal);
    const beganAt = clock.monotonic();
    const taken = await this.#tryUntil(device, beganAt + PATIENCE_MS, signal);
    const ms = Math.round(clock.monotonic() - beganAt);
    if (typeof taken !== "string") log("debug", "still", { device, ms, bytes: taken.length });
    else if (!signal.aborted) log("info", "no_still", { device, ms, why: taken });
    return taken;
  }

  async #tryUntil(device: string, until: number, signal: AbortSignal): Promise<Uint8Array | NoStillReason> {
    const { clock, pool } = this.#options;
    while (!signal.aborted) {
      await this.#untilDue(device, signal);
      await this.#untilNoTap(device, until, signal);
      const leftMs = until - clock.monotonic();
      if (leftMs <= 0) return "busy";
      const interrupt = new AbortController();
      this.#interrupts.set(device, interrupt);
      this.#lastAt.set(device, clock.monotonic());
      try {
        const bytes = await pool.screencap(device, {
          timeoutMs: Math.min(CAPTURE_MS, leftMs),
          signal: AbortSignal.any([signal, interrupt.signal]),
          maxBytes: MAX_STILL_BYTES,
        });
        if (bytes === null) return "away";
        if (bytes.length === 0) return "failed";
        return stillSize(bytes) === null ? "not_png" : bytes;
      } catch (error) {
        if (signal.aborted || !interrupt.signal.aborted) return this.#reasonOf(device, error);
      } finally {
        this.#interrupts.delete(device);
      }
    }
    return "failed";
  }

  /** A picture that a tap ended was work for the phone too. */
  async #untilDue(device: string, signal: AbortSignal): Promise<void> {
    const { clock } = this.#options;
    const sinceLast = clock.monotonic() - (this.#lastAt.get(device) ?? -Infinity);
    await clock.sleep(Math.max(0, STILL_EVERY_MS - sinceLast), signal);
  }

  #reasonOf(device: string, error: unknown): NoStillReason {
    if (error instanceof AdbProtocolError) return "too_large";
    if (GONE.some((kind) => error instanceof kind)) return "away";
    this.#options.log("debug", "still_failed", { device, why: errorText(error) });
    return "failed";
  }

  async #untilNoTap(device: string, until: number, signal: AbortSignal): Promise<void> {
    const { clock } = this.#options;
    while (!signal.aborted && this.#taps.has(device)) {
      const leftMs = until - clock.monotonic();
      if (leftMs <= 0) return;
      const over = new AbortController();
      const wait = clock.sleep(leftMs, AbortSignal.any([signal, over.signal]));
      await Promise.race([this.#taps.get(device)!.promise, wait]);
      over.abort();
    }
  }
}
