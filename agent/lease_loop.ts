/** Asks for work when devices have room. */
import { PREFETCH_PER_DEVICE } from "shared/lease.ts";
import type { Site } from "./worker.ts";

/** Least time between two pulls: room that opens together is asked for together. */
const BETWEEN_PULLS_MS = 50;
/**
 * An edge without work answers nothing, and calls when there is some; a device is asked for again after one to two of
 * these all the same, because what waits for an hour or for another try comes without a call.
 */
const ASK_AGAIN_MS = 5_000;
const NO_ROOM_MS = 30_000;

/** Pulls until the signal aborts. A device is not asked for twice while the first answer may be on its way. */
export async function leaseLoop(site: Site, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const now = site.clock.monotonic();
    const devices = site.book.isReady && !site.book.isFull ? devicesWithRoom(site, now) : [];
    if (devices.length > 0 && site.say({ type: "pull", devices })) {
      const until = now + ASK_AGAIN_MS * (1 + site.random());
      for (const { id } of devices) site.askedUntil.set(id, until);
    }
    await site.clock.sleep(BETWEEN_PULLS_MS, signal);
    const nextAt = Math.min(now + NO_ROOM_MS, ...site.askedUntil.values());
    await site.roomBell.wait(site.clock, nextAt - site.clock.monotonic(), signal);
  }
}

function devicesWithRoom(site: Site, now: number): { id: string; room: number }[] {
  for (const [device, until] of site.askedUntil) if (until <= now) site.askedUntil.delete(device);
  return site.pool.devices().filter((device) => !site.askedUntil.has(device))
    .map((id) => ({ id, room: site.book.room(id, PREFETCH_PER_DEVICE) }))
    .filter(({ id, room }) => room > 0 && site.takesWork(id));
}
