/** Stops an instance: it admits nobody new, sends sockets elsewhere, and answers the requests under way. */
import type { Listener } from "../http/serve.ts";
import type { Readiness } from "./readiness.ts";

export interface StopParts {
  readiness: Pick<Readiness, "stop">;
  /** Holders of sockets; each close says "going away", which makes browsers and agents reconnect. */
  hubs: readonly { closeAll(): void }[];
  listener: Pick<Listener, "stop">;
  /** Loops that the same signal ends. */
  loops: readonly Promise<void>[];
  sleep(ms: number): Promise<void>;
  /**
   * Milliseconds in which requests are still accepted, so that a balancer sees /readyz refuse before the port closes.
   */
  drainMs: number;
}

/** Platforms give 5 seconds between the signal and SIGKILL; a busy machine needs part of it to end a process. */
const STOP_WITHIN_MS = 4_000;
/** For requests under way; with the longest drain it takes all the remaining time. */
const REQUEST_GRACE_MS = 2_500;

/** Ends within 5 seconds. A duty in the middle of its slice is then abandoned; it is safe to run again. */
export async function stopInOrder(parts: StopParts): Promise<void> {
  await Promise.race([stop(parts), parts.sleep(STOP_WITHIN_MS)]);
}

async function stop({ readiness, hubs, listener, loops, sleep, drainMs }: StopParts): Promise<void> {
  readiness.stop();
  hubs.forEach((hub) => hub.closeAll());
  if (drainMs > 0) await sleep(drainMs);
  await listener.stop(REQUEST_GRACE_MS);
  // Sockets whose upgrade was under way at the signal.
  hubs.forEach((hub) => hub.closeAll());
  await Promise.all(loops);
}
