/** Which alerts a browser has not told yet: one notification an alert, however many windows are open. */
import type { AdminAlert, AdminAlerts } from "shared/admin_api.ts";

const TOLD_KEY = "shigur.alerts-told";
/** Of kinds that are cut, so many alerts out of sight are remembered at most. */
const MOST_TOLD = 200;

/** For longer than what one window keeps takes to reach another. */
const CLAIM_MS = 5_000;

/** What all windows have told, and when the answer they told it by was received, in ms. */
interface Told {
  at: number;
  keys: string[];
}

/** This window's own memory, while the browser keeps nothing. */
let unkept: Told | undefined;

/** What makes an alert the same one as at the last look. */
export function alertKey({ code, since, siteId, deviceId, campaignId, fileId }: AdminAlert): string {
  return [code, since, siteId, deviceId, campaignId, fileId].join(" ");
}

/**
 * The alerts that were not among those `told`, and what is told from now on: an alert that has ended is forgotten, so
 * that it is told again when it comes back. Of a kind that is cut nobody knows what has ended, so nothing is forgotten.
 * At the first look nothing is fresh: what is there already is on the screen.
 */
export function freshAlerts(
  { items, cut }: AdminAlerts,
  told: readonly string[],
  isFirstLook = false,
): { fresh: AdminAlert[]; told: string[] } {
  const keys = items.map(alertKey);
  const outOfSight = told.filter((key) =>
    !keys.includes(key) && cut.some((code) => key.startsWith(`${code} `))
  );
  return {
    fresh: isFirstLook ? [] : items.filter((alert) => !told.includes(alertKey(alert))),
    told: [...keys, ...outOfSight.slice(0, MOST_TOLD)],
  };
}

/**
 * freshAlerts() by what all windows of this browser have told, one window at a time. A window whose answer is older than
 * what another has told by tells nothing, and leaves what is remembered alone.
 */
export async function claimFresh(
  alerts: AdminAlerts,
  { receivedAt, isFirstLook, now }: { receivedAt: number; isFirstLook: boolean; now: number },
): Promise<AdminAlert[]> {
  const fresh = await navigator.locks.request(TOLD_KEY, () => {
    const before = readTold();
    // A clock that was set back would else silence the browser until it has caught up.
    if (receivedAt < before.at && before.at <= now) return [];
    const { fresh, told } = freshAlerts(alerts, before.keys, isFirstLook);
    keepTold({ at: receivedAt, keys: told });
    return fresh;
  });
  const isOurs = await Promise.all(fresh.map(claim));
  return fresh.filter((_, index) => isOurs[index]);
}

/**
 * Whether this window is the one that tells an alert. What one window has kept another may read a moment later even
 * under a lock, and windows hear of an alert in the same moment; who holds a lock they all know at once.
 */
function claim(alert: AdminAlert): Promise<boolean> {
  return new Promise((answer, fail) => {
    navigator.locks.request(`${TOLD_KEY} ${alertKey(alert)}`, { ifAvailable: true }, async (lock) => {
      answer(lock !== null);
      if (lock) await new Promise((release) => setTimeout(release, CLAIM_MS));
    }).catch(fail);
  });
}

function readTold(): Told {
  if (unkept) return unkept;
  try {
    const told: Partial<Told> | null = JSON.parse(localStorage.getItem(TOLD_KEY) ?? "null");
    if (typeof told?.at === "number" && Array.isArray(told.keys)) return { at: told.at, keys: told.keys };
  } catch {
    // What is not readable was never kept.
  }
  return { at: 0, keys: [] };
}

function keepTold(told: Told): void {
  unkept = undefined;
  try {
    localStorage.setItem(TOLD_KEY, JSON.stringify(told));
  } catch {
    unkept = told;
  }
}
