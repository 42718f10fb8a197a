/** Asks for work when devices have room. */
import { PREFETCH_PER_DEVICE } from "shared/lease.ts";
import type { Site } from "./site.ts";

/** Least time between two pulls: one pull asks for all room that opens together. */
const BETWEEN_PULLS_MS = 50;
/**
 * An edge without work does not answer, and calls when there is work. A device is still asked for again after one to
 * two of these. Work that waits for an hour or for another try comes without a call.
 */
const ASK_AGAIN_MS = 5_000;
const NO_ROOM_MS = 30_000;

interface AskedDevice {
  id: string;
  room: number;
}

export async function leaseLoop(site: Site, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const now = site.clock.monotonic();
    const devices = devicesWithRoom(site);
    const isAsking = devices.length > 0 && !isAskedByReport(site);
    if (isAsking && site.send({ type: "pull", devices })) noteAsked(site, devices);
    await site.clock.sleep(BETWEEN_PULLS_MS, signal);
    const nextAt = Math.min(now + NO_ROOM_MS, ...site.askedUntil.values());
    await site.roomBell.wait(site.clock, nextAt - site.clock.monotonic(), signal);
  }
}

/** Returns whether the next report asks for this room: until the edge has the outcomes, it sees no room. */
function isAskedByReport(site: Site): boolean {
  return site.edgeCan("leases_with_reports") && site.mayReport() && site.book.outcomesToReport(1).length > 0;
}

/** Returns the devices to ask for now. Note them after the frame is sent. */
export function devicesWithRoom(site: Site): AskedDevice[] {
  const now = site.clock.monotonic();
  for (const [device, until] of site.askedUntil) if (until <= now) site.askedUntil.delete(device);
  if (!site.book.isReady || site.book.isFull) return [];
  return site.pool.devices().filter((device) => !site.askedUntil.has(device))
    .map((id) => ({ id, room: roomOf(site, id) }))
    .filter(({ id, room }) => room > 0 && site.takesWork(id));
}

/** A device with an unproven app holds one delivery at a time, the one in hand included. */
function roomOf({ book, isCanary }: Site, device: string): number {
  const room = book.room(device, PREFETCH_PER_DEVICE);
  return isCanary(device) ? Math.min(room, book.holds(device) === 0 ? 1 : 0) : room;
}

/** Notes the devices, so that none is asked for twice while the first answer may be on its way. */
export function noteAsked(site: Site, devices: readonly AskedDevice[]): void {
  const until = site.clock.monotonic() + ASK_AGAIN_MS * (1 + site.random());
  for (const { id } of devices) site.askedUntil.set(id, until);
}
