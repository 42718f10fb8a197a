/** Sends the site's phones and accounts to the edge, at every change and every few seconds. */
import { type InventoryAccount, MAX_SITE_ACCOUNTS, MAX_SITE_DEVICES } from "shared/agent_protocol.ts";
import { withinLimits } from "../devices/known_phone.ts";
import { parseAccount } from "../phone/phone.ts";
import { withLeftDraft } from "./left_drafts.ts";
import type { Site } from "./site.ts";

type Sighted = Pick<InventoryAccount, "account" | "appVersion">;

const INVENTORY_MS = 10_000;
/** Many phones change at the same moment when a hub is plugged in. */
const GATHER_MS = 100;

export async function inventoryLoop(site: Site, signal: AbortSignal): Promise<void> {
  let wasTooLong = false;
  while (!signal.aborted) {
    await site.inventoryBell.wait(site.clock, INVENTORY_MS, signal);
    await site.clock.sleep(GATHER_MS, signal);
    const all = site.pool.inventory();
    const isTooLong = all.devices.length > MAX_SITE_DEVICES || all.accounts.length > MAX_SITE_ACCOUNTS;
    if (isTooLong && !wasTooLong) {
      site.log("warn", "too_many_phones", {
        phones: all.devices.length,
        accounts: all.accounts.length,
        advice: `the edge is told of ${MAX_SITE_DEVICES} phones and ${MAX_SITE_ACCOUNTS} accounts at most, ` +
          "and the others get no work: move them to another site",
      });
    }
    wasTooLong = isTooLong;
    const { devices, accounts } = withinLimits(all);
    const reported = devices.map((each) => ({
      ...each,
      stateDetail: withLeftDraft(site, each.device, each.stateDetail),
      stopped: site.journal.isStopped(each.device),
      trial: site.journal.trials.of(each.device),
    }));
    const knowsScreens = site.edgeCan("knows_unknown_screens");
    const said = accounts.map(({ unknownScreen, ...account }) =>
      knowsScreens ? { ...account, unknownScreen, screensSeen: screensSeen(site, account) } : account
    );
    if (!site.book.isReady || !site.send({ type: "inventory", devices: reported, accounts: said })) continue;
    site.reportedDevices.clear();
    for (const { device } of devices) site.reportedDevices.add(device);
    site.roomBell.wake();
  }
}

function screensSeen({ journal }: Site, { account, appVersion }: Sighted): boolean | null {
  return appVersion === null ? null : journal.trials.isSeen(parseAccount(account).app, appVersion);
}
