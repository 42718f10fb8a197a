/** A TCP relay between two parts of the product that causes network faults. */
import { freePort } from "../product.ts";
import { pause } from "../wait.ts";
import { FrameCutter, type Unit } from "./frames.ts";
import type { Random } from "shared/random.ts";

export interface Weather {
  /** Minimum delay of a message, and the most random extra delay, in ms. */
  latencyMs: number;
  jitterMs: number;
  /** 0–1: probability that a WebSocket message is delivered twice. */
  duplicated: number;
  /** 0–1: probability that the next WebSocket message overtakes this one. */
  overtaken: number;
  /** Drops the bytes of both sides: the connection stays open without a peer. */
  isSwallowing: boolean;
  /** Delays data with this text for this long, even if its sender is gone, like an adb server. */
  lingering: { text: string; forMs: number } | null;
}

export const CALM: Weather = {
  latencyMs: 0,
  jitterMs: 0,
  duplicated: 0,
  overtaken: 0,
  isSwallowing: false,
  lingering: null,
};

/** A held message that no other overtook is sent after this. */
const HELD_MS = 200;

export class Relay {
  /** The relay's port on 127.0.0.1. */
  readonly port = freePort();
  /** The target's port. */
  target = 0;
  weather: Weather = CALM;
  /** Number of messages delivered twice, and of overtaken ones. */
  duplicates = 0;
  overtakings = 0;
  /** Number of delayed texts. */
  lingered = 0;
  readonly #random: Random;
  readonly #pairs = new Set<Pair>();
  #listener: Deno.TcpListener | null = null;
  #accepting: Promise<void> = Promise.resolve();

  constructor(random: Random) {
    this.#random = random;
    this.up();
  }

  /** Accepts connections again. */
  up(): void {
    this.#listener = Deno.listen({ hostname: "127.0.0.1", port: this.port });
    this.#accepting = this.#accept(this.#listener);
  }

  /** Ends every connection and drops data on its way; still accepts new ones. */
  cut(): void {
    for (const pair of this.#pairs) pair.end();
  }

  /** Ends every connection and refuses new ones, like a host that is down. */
  async down(): Promise<void> {
    this.#listener?.close();
    this.#listener = null;
    this.cut();
    await this.#accepting;
  }

  async close(): Promise<void> {
    if (this.#listener) await this.down();
    while (this.#pairs.size > 0) await pause(5);
  }

  async #accept(listener: Deno.TcpListener): Promise<void> {
    try {
      for await (const near of listener) this.#serve(near);
    } catch (error) {
      if (!isGone(error)) throw error;
    }
  }

  async #serve(near: Deno.TcpConn): Promise<void> {
    const far = await Deno.connect({ hostname: "127.0.0.1", port: this.target }).catch(() => null);
    if (!far) return near.close();
    const pair = new Pair(near, far);
    this.#pairs.add(pair);
    await Promise.all([this.#carry(pair, near, far), this.#carry(pair, far, near)]);
    pair.end();
    this.#pairs.delete(pair);
  }

  async #carry(pair: Pair, from: Deno.TcpConn, to: Deno.TcpConn): Promise<void> {
    from.setNoDelay(true);
    const lane = new Lane(to, pair);
    const cutter = new FrameCutter();
    let isUpgraded: boolean | null = null;
    const buffer = new Uint8Array(64 * 1024);
    try {
      for (let read = await from.read(buffer); read !== null; read = await from.read(buffer)) {
        if (this.weather.isSwallowing) continue;
        const chunk = buffer.slice(0, read);
        // ADB and plain HTTP have no upgrade head; their bytes pass unchanged.
        isUpgraded ??= /^upgrade: *websocket/im.test(new TextDecoder().decode(chunk));
        for (const unit of isUpgraded ? cutter.take(chunk) : [{ bytes: chunk, isMessage: false }]) {
          this.#route(unit, lane);
        }
      }
      if (!this.weather.isSwallowing) await lane.finish();
    } catch (error) {
      if (!isGone(error)) throw error;
      // While bytes are swallowed, the end of the other side does not arrive either.
      if (!this.weather.isSwallowing) pair.end();
    }
  }

  #route({ bytes, isMessage }: Unit, lane: Lane): void {
    const { latencyMs, jitterMs, duplicated, overtaken, lingering } = this.weather;
    const isLingering = lingering !== null && new TextDecoder().decode(bytes).includes(lingering.text);
    if (isLingering) this.lingered++;
    const onTheWayMs = isLingering ? lingering.forMs : latencyMs + jitterMs * this.#random();
    const isTwice = isMessage && this.#random() < duplicated;
    const isHeld = isMessage && lane.held === null && this.#random() < overtaken;
    if (isTwice) this.duplicates++;
    if (!isHeld || isTwice) lane.send(bytes, onTheWayMs);
    if (isTwice && !isHeld) lane.send(bytes, onTheWayMs);
    if (isMessage && lane.held !== null) {
      lane.send(lane.held, onTheWayMs);
      lane.held = null;
    } else if (isHeld) {
      this.overtakings++;
      lane.hold(bytes, onTheWayMs);
    }
  }
}

/** The two sockets of one connection, which end together. */
class Pair {
  isOver = false;
  constructor(readonly near: Deno.TcpConn, readonly far: Deno.TcpConn) {}

  end(): void {
    if (this.isOver) return;
    this.isOver = true;
    this.near.close();
    this.far.close();
  }
}

/** Data in one direction, in the order of its arrival. */
class Lane {
  held: Uint8Array | null = null;
  #tail: Promise<void> = Promise.resolve();

  constructor(private readonly to: Deno.TcpConn, private readonly pair: Pair) {}

  send(bytes: Uint8Array, onTheWayMs: number): void {
    const dueAt = performance.now() + onTheWayMs;
    this.#tail = this.#tail.then(async () => {
      const leftMs = dueAt - performance.now();
      if (leftMs > 0) await pause(leftMs);
      if (this.pair.isOver) return;
      for (let at = 0; at < bytes.length;) at += await this.to.write(bytes.subarray(at));
    }).catch((error) => {
      if (!isGone(error)) throw error;
      this.pair.end();
    });
  }

  hold(bytes: Uint8Array, onTheWayMs: number): void {
    this.held = bytes;
    setTimeout(() => {
      if (this.held !== bytes) return;
      this.held = null;
      this.send(bytes, onTheWayMs);
    }, HELD_MS);
  }

  /** The reading side has ended; ends the writing side after all data was delivered. */
  async finish(): Promise<void> {
    if (this.held) this.send(this.held, 0);
    this.held = null;
    await this.#tail;
    if (!this.pair.isOver) await this.to.closeWrite();
  }
}

function isGone(error: unknown): boolean {
  return error instanceof Deno.errors.BadResource || error instanceof Deno.errors.Interrupted ||
    error instanceof Deno.errors.ConnectionReset || error instanceof Deno.errors.BrokenPipe ||
    error instanceof Deno.errors.NotConnected || error instanceof Deno.errors.ConnectionAborted;
}
