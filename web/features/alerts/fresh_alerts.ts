/** Decides which alerts this browser has not shown yet: one notification per alert, however many windows are open. */
import type { AdminAlert, AdminAlerts } from "shared/admin_api.ts";

const NOTIFIED_KEY = "shigur.alerts-told";
/** Most remembered alerts of kinds whose list is cut. */
const MOST_NOTIFIED = 200;

/** Longer than a stored value needs to reach another window. */
const CLAIM_MS = 5_000;

/** Alerts that any window has shown, and the time (ms) of the server response that contained them. */
interface Notified {
  at: number;
  keys: string[];
}

/** This window's memory, used when the browser's storage fails. */
let unkept: Notified | undefined;

/** Returns a key that is equal for the same alert in two responses. */
export function alertKey({ code, since, siteId, deviceId, campaignId, fileId }: AdminAlert): string {
  return [code, since, siteId, deviceId, campaignId, fileId].join(" ");
}

/**
 * Returns the alerts not yet `told`, and the new list of told alerts. An ended alert is forgotten, so its return
 * is shown again. For a kind with a cut list the end is not visible, so nothing is forgotten. At the first look no
 * alert is fresh: they are all on the screen.
 */
export function freshAlerts(
  { items, cut }: Pick<AdminAlerts, "items" | "cut">,
  notified: readonly string[],
  isFirstLook = false,
): { fresh: AdminAlert[]; notified: string[] } {
  const keys = items.map(alertKey);
  const outOfSight = notified.filter((key) =>
    !keys.includes(key) && cut.some((code) => key.startsWith(`${code} `))
  );
  return {
    fresh: isFirstLook ? [] : items.filter((alert) => !notified.includes(alertKey(alert))),
    notified: [...keys, ...outOfSight.slice(0, MOST_NOTIFIED)],
  };
}

/**
 * Runs freshAlerts() against the memory of all windows, one window at a time. A window with an older response than
 * the last recorded one shows nothing and changes nothing.
 */
export async function claimFresh(
  alerts: Pick<AdminAlerts, "items" | "cut">,
  { receivedAt, isFirstLook, now }: { receivedAt: number; isFirstLook: boolean; now: number },
): Promise<AdminAlert[]> {
  const fresh = await navigator.locks.request(NOTIFIED_KEY, () => {
    const before = readNotified();
    // After a backward correction of the clock, a stored future time would otherwise silence the browser.
    if (receivedAt < before.at && before.at <= now) return [];
    const { fresh, notified } = freshAlerts(alerts, before.keys, isFirstLook);
    keepNotified({ at: receivedAt, keys: notified });
    return fresh;
  });
  const isOurs = await Promise.all(fresh.map(claim));
  return fresh.filter((_, index) => isOurs[index]);
}

/**
 * Returns whether this window shows the alert. Stored values reach other windows late, even under a lock, and all
 * windows receive an alert at the same moment. The holder of a lock is known to all at once.
 */
function claim(alert: AdminAlert): Promise<boolean> {
  return new Promise((answer, fail) => {
    navigator.locks.request(`${NOTIFIED_KEY} ${alertKey(alert)}`, { ifAvailable: true }, async (lock) => {
      answer(lock !== null);
      if (lock) await new Promise((release) => setTimeout(release, CLAIM_MS));
    }).catch(fail);
  });
}

function readNotified(): Notified {
  if (unkept) return unkept;
  try {
    const notified: Partial<Notified> | null = JSON.parse(localStorage.getItem(NOTIFIED_KEY) ?? "null");
    if (typeof notified?.at === "number" && Array.isArray(notified.keys)) {
      return { at: notified.at, keys: notified.keys };
    }
  } catch {
    // Treat unreadable storage as empty.
  }
  return { at: 0, keys: [] };
}

function keepNotified(notified: Notified): void {
  unkept = undefined;
  try {
    localStorage.setItem(NOTIFIED_KEY, JSON.stringify(notified));
  } catch {
    unkept = notified;
  }
}
