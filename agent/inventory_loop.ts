/** Tells the edge which phones and accounts the site has, at every change and every few seconds. */
import type { Site } from "./worker.ts";

const INVENTORY_MS = 10_000;
/** Many phones change in the same moment when a hub is plugged in. */
const GATHER_MS = 100;

/** Tells until the signal aborts. */
export async function inventoryLoop(site: Site, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await site.inventoryBell.wait(site.clock, INVENTORY_MS, signal);
    await site.clock.sleep(GATHER_MS, signal);
    const inventory = site.pool.inventory();
    if (!site.book.isReady || !site.say({ type: "inventory", ...inventory })) continue;
    for (const { device } of inventory.devices) site.toldDevices.add(device);
    site.roomBell.ring();
  }
}
