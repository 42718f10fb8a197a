/** Stops and starts phones, by a person's command or by the edge's answer to hello. */
import type { Bell } from "../time/bell.ts";
import type { DevicePool } from "../devices/device_pool.ts";
import type { Site } from "./site.ts";

/** The parts of a site that stopping and starting need. */
export interface StopSite extends Pick<Site, "journal" | "book" | "log"> {
  pool: Pick<DevicePool, "started">;
  reportBell: Pick<Bell, "wake">;
}

/** Takes a phone out of work, on disk, and gives back its deliveries that are not yet tapping. */
export function stopDevice({ journal, book, reportBell }: StopSite, device: string): void {
  journal.setStopped(device, true);
  book.giveBack({ device }, "recalled");
  reportBell.wake();
}

/** Puts a phone to work again, and tries its accounts again. */
export function startDevice({ journal, pool }: StopSite, device: string): void {
  journal.setStopped(device, false);
  pool.started(device);
}

/**
 * Stops the phones that the edge names and starts every other one. A command that was lost with a connection, or with a
 * database, takes effect here.
 *
 * @param commanded phones that a command stopped or started since the hello: the edge may have answered before the
 * command
 */
export function followStops(
  site: StopSite,
  stopped: readonly string[],
  commanded: ReadonlySet<string>,
): void {
  const wanted = new Set(stopped);
  for (const device of new Set([...wanted, ...site.journal.stoppedDevices()])) {
    if (commanded.has(device) || wanted.has(device) === site.journal.isStopped(device)) continue;
    site.log("info", "stop_followed", { device, stopped: wanted.has(device) });
    if (wanted.has(device)) stopDevice(site, device);
    else startDevice(site, device);
  }
}
