/** The end of an instance: nobody new comes, sockets go elsewhere, what was begun is answered. */
import type { Listener } from "../http/serve.ts";
import type { Readiness } from "./readiness.ts";

export interface StopParts {
  readiness: Pick<Readiness, "stop">;
  /** Whoever holds sockets; each close says "going away", at which browsers and agents connect anew. */
  hubs: readonly { closeAll(): void }[];
  listener: Pick<Listener, "stop">;
  /** What was told to end by the same signal. */
  loops: readonly Promise<void>[];
  sleep(ms: number): Promise<void>;
  /** How long requests are still taken, so that a balancer sees /readyz refuse before the door is shut. */
  drainMs: number;
}

/** Platforms give 5 seconds between the signal and SIGKILL; a busy machine needs some of them to end a process. */
const STOP_WITHIN_MS = 4_000;
/** For requests that were begun; with the longest drain, all there is. */
const REQUEST_GRACE_MS = 2_500;

/** Ends within 5 seconds: a duty in the middle of its slice is left behind then, and is harmless to do again. */
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
