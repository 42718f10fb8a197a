/** Keeps the edge's time, and logs when this machine's clock is far from it. */
import { CLOCKS_APART_MS } from "shared/clock_watch.ts";
import type { TokenSigner } from "../edge/token.ts";
import type { Log } from "../log.ts";
import type { Clock } from "../time/clock.ts";

export interface EdgeClockOptions {
  clock: Clock;
  log: Log;
  tokens: Pick<TokenSigner, "learnServerTime">;
}

export class EdgeClock {
  #options: EdgeClockOptions;
  /** The edge's time minus this machine's monotonic time, because its wall clock may be corrected at any moment. */
  #aheadMs: number | null = null;
  #isClockOff = false;

  constructor(options: EdgeClockOptions) {
    this.#options = options;
  }

  /** Returns the edge's time, or null before the first frame that carries it. */
  now(): number | null {
    return this.#aheadMs === null ? null : this.#options.clock.monotonic() + this.#aheadMs;
  }

  /**
   * Takes the time of a frame. Each frame counts: this machine may sleep, or its clock be corrected, during a
   * connection.
   */
  learn(serverTime: number): void {
    const { clock, log, tokens } = this.#options;
    tokens.learnServerTime(serverTime);
    this.#aheadMs = serverTime - clock.monotonic();
    const apartMs = serverTime - clock.now();
    const isOff = Math.abs(apartMs) > CLOCKS_APART_MS;
    if (isOff === this.#isClockOff) return;
    this.#isClockOff = isOff;
    log(isOff ? "warn" : "info", isOff ? "clock_off" : "clock_agrees", { edgeAheadMs: apartMs });
  }
}
