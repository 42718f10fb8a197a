/**
 * Watches the app's version on each phone. After an update, the phones with the new version send one delivery at a time
 * and read the screen again before each tap, until the site has proven enough sends with it.
 */
import { deviceOf } from "../journal/journal_tables.ts";
import { parseAccount } from "../phone/phone.ts";
import type { Site } from "./site.ts";

type Watched = Pick<Site, "journal"> & { pool: Pick<Site["pool"], "appsOf" | "appVersionOf"> };

/** Returns whether an app of the device came by an update and is not proven at this site. */
export function isCanary({ journal, pool }: Watched, device: string): boolean {
  return pool.appsOf(device).some((installed) => isUnprovenOn(journal, device, installed));
}

/** Returns whether the account's app is such a one. */
export function isUnproven({ journal, pool }: Watched, account: string): boolean {
  const installed = { app: parseAccount(account).app, version: pool.appVersionOf(account) };
  return isUnprovenOn(journal, deviceOf(account), installed);
}

/** A phone that has said the app's version and does not say it now may just have been updated. */
function isUnprovenOn(
  journal: Site["journal"],
  device: string,
  { app, version }: { app: string; version: string | null },
): boolean {
  return version === null
    ? journal.trials.hasAppVersion(device, app)
    : journal.trials.isUnproven(app, version);
}

/** Notes that the chat proved a send of the account, for every phone of the site with this version. */
export function noteProven({ journal, pool }: Watched, account: string): void {
  const version = pool.appVersionOf(account);
  if (version !== null) journal.trials.noteProven(parseAccount(account).app, version);
}

/** Notes the version that an app of a device has. After an update, the device gives back what waits for it. */
export function noteAppVersion(
  site: Site,
  device: string,
  { app, version }: { app: string; version: string },
): void {
  const { journal, book, log } = site;
  if (!journal.trials.noteAppVersion(device, app, version)) return;
  const isKnown = !journal.trials.isUnproven(app, version);
  log("info", "app_updated", { device, app, version, isKnown });
  if (isKnown) return;
  // They were taken for the version before. Other phones may have them, and this one starts with a single delivery.
  book.giveBack({ device }, "recalled");
  site.reportBell.wake();
}
