/** Asks for work when devices have room. */
import { PREFETCH_PER_DEVICE } from "shared/lease.ts";
import type { Site } from "./worker.ts";

/** Least time between two pulls: room that opens together is asked for together. */
const BETWEEN_PULLS_MS = 50;
/** An edge without work answers nothing; it is asked again after one to two of these. */
const IDLE_PULL_MS = 1_000;
const NO_ROOM_MS = 30_000;

/** Pulls until the signal aborts; an edge that rings `workWaiting` is asked at once. */
export async function leaseLoop(site: Site, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const devices = site.book.isReady ? devicesWithRoom(site) : [];
    const hasAsked = devices.length > 0 && site.say({ type: "pull", devices });
    if (hasAsked) site.notePull();
    // A ring that only says "more room" does not hurry a pull the edge has not answered.
    const until = site.clock.monotonic() + (hasAsked ? IDLE_PULL_MS * (1 + site.random()) : NO_ROOM_MS);
    await site.clock.sleep(BETWEEN_PULLS_MS, signal);
    while (!signal.aborted && hasAsked && !site.pullAnswered() && site.clock.monotonic() < until) {
      await site.roomBell.wait(site.clock, until - site.clock.monotonic(), signal);
    }
    if (!hasAsked) await site.roomBell.wait(site.clock, NO_ROOM_MS, signal);
  }
}

function devicesWithRoom(site: Site): { id: string; room: number }[] {
  return site.pool.devices().filter((device) => site.takesWork(device))
    .map((id) => ({ id, room: site.book.room(id, PREFETCH_PER_DEVICE) }))
    .filter(({ room }) => room > 0)
    .slice(0, 500);
}
