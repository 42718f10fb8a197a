/** A browser's live channel that records the time of each event. */
import { type LiveEvent, liveEventSchema } from "shared/live_event.ts";
import type { Caller } from "./caller.ts";
import { PATIENCE_MS, pause } from "./wait.ts";

export interface ReceivedEvent {
  event: LiveEvent;
  /** Time of arrival, by performance.now(). */
  at: number;
}

/** Deno's constructor accepts headers; the DOM types of the project do not have them. */
const SocketWithHeaders = WebSocket as unknown as new (
  url: string,
  options: { headers: Record<string, string> },
) => WebSocket;

export class LiveChannel {
  readonly received: ReceivedEvent[] = [];
  /** Frames that no browser would understand. */
  readonly malformed: string[] = [];
  /** Resolves to the close code and its time. */
  readonly closed: Promise<{ code: number; at: number }>;
  readonly #socket: WebSocket;

  private constructor(caller: Caller) {
    const headers = { cookie: caller.cookie, origin: caller.url };
    this.#socket = new SocketWithHeaders(`${caller.url.replace("http", "ws")}/ws`, { headers });
    this.#socket.onmessage = ({ data }) => {
      const parsed = liveEventSchema.safeParse(JSON.parse(data));
      if (parsed.success) this.received.push({ event: parsed.data, at: performance.now() });
      else this.malformed.push(data);
    };
    const closed = Promise.withResolvers<{ code: number; at: number }>();
    this.closed = closed.promise;
    this.#socket.onclose = ({ code }) => closed.resolve({ code, at: performance.now() });
  }

  /** Opens the channel of a logged-in caller at their edge. */
  static async open(caller: Caller): Promise<LiveChannel> {
    const channel = new LiveChannel(caller);
    const opened = Promise.withResolvers<void>();
    channel.#socket.onopen = () => opened.resolve();
    channel.#socket.onerror = () => opened.reject(new Error("Cannot open the live channel"));
    await opened.promise;
    channel.#socket.onerror = null;
    return channel;
  }

  /**
   * Returns the first event from number `from` on that `matches`, past or future.
   *
   * @throws {Error} after `withinMs`
   */
  async next(
    matches: (event: LiveEvent) => boolean,
    from = 0,
    withinMs = PATIENCE_MS,
  ): Promise<ReceivedEvent> {
    const end = performance.now() + withinMs;
    while (performance.now() < end) {
      const found = this.received.slice(from).find(({ event }) => matches(event));
      if (found) return found;
      await pause(5);
    }
    throw new Error(`The event did not arrive within ${withinMs} ms`);
  }

  async close(): Promise<void> {
    this.#socket.close();
    await this.closed;
  }
}
