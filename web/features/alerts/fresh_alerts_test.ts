import assert from "node:assert/strict";
import fc from "shared/testing/fast_check.ts";
import { type AdminAlert, type AdminAlerts, ALERTS_OF_A_KIND } from "shared/admin_api.ts";
import { alertKey, claimFresh, freshAlerts } from "./fresh_alerts.ts";

const NO_IDS = { siteId: null, deviceId: null, campaignId: null, fileId: null };
const alertOf = (siteId: number, since = 1): AdminAlert => ({
  cause: "site_away",
  ...NO_IDS,
  ...{ code: "site_away", type: "error", message: `אתר ${siteId}`, since, siteId },
});
const all = (...items: AdminAlert[]): AdminAlerts => ({ items, cut: [], causes: [] });
/** Returns a server response with these sites disconnected: the newest alerts, and whether there are more. */
const listed = (sites: readonly number[]): AdminAlerts => ({
  causes: [],
  items: sites.slice(0, ALERTS_OF_A_KIND).map((site) => alertOf(site)),
  cut: sites.length > ALERTS_OF_A_KIND ? ["site_away"] : [],
});
const sitesOf = (alerts: readonly AdminAlert[]) => alerts.map(({ siteId }) => siteId);

Deno.test("freshAlerts() returns nothing at first, then each alert once, and again when it comes back", () => {
  const first = freshAlerts(all(alertOf(1)), [], true);
  assert.deepEqual(first.fresh, []);
  const second = freshAlerts(all(alertOf(1), alertOf(2)), first.notified);
  assert.deepEqual(second.fresh, [alertOf(2)]);
  const third = freshAlerts(all(alertOf(1)), second.notified);
  assert.deepEqual(third.fresh, []);
  assert.deepEqual(freshAlerts(all(alertOf(1), alertOf(2, 9)), third.notified).fresh, [alertOf(2, 9)]);
});

Deno.test("freshAlerts() never returns a lasting alert twice, in any order of the list", () => {
  const lists = fc.array(fc.uniqueArray(fc.integer({ min: 1, max: 6 })), { minLength: 1, maxLength: 10 });
  fc.assert(fc.property(lists, (looks) => {
    let notified: string[] = [];
    let before: number[] = [];
    for (const sites of looks) {
      const look = freshAlerts(all(...sites.map((site) => alertOf(site))), notified);
      assert.deepEqual(sitesOf(look.fresh), sites.filter((site) => !before.includes(site)));
      [notified, before] = [look.notified, sites];
    }
  }));
  assert.notEqual(alertKey(alertOf(1)), alertKey(alertOf(2)));
});

Deno.test("freshAlerts() does not return an old alert again after a newer one displaced it for a while", () => {
  const first = freshAlerts(listed([5, 4, 3, 2, 1]), []);
  const pushed = freshAlerts(listed([6, 5, 4, 3, 2, 1]), first.notified);
  assert.deepEqual(sitesOf(pushed.fresh), [6]);
  const back = freshAlerts(listed([5, 4, 3, 2, 1]), pushed.notified);
  assert.deepEqual(back.fresh, [], "1 was told long ago");
  const reloaded = freshAlerts(listed([6, 5, 4, 3, 2, 1]), pushed.notified, true);
  assert.deepEqual(
    freshAlerts(listed([5, 4, 3, 2, 1]), reloaded.notified).fresh,
    [],
    "nor is it after a reload",
  );
  assert.deepEqual(sitesOf(freshAlerts(listed([6, 5, 4, 3, 2]), back.notified).fresh), [6], "6 had ended");
});

interface Page {
  isFull: boolean;
  storage: Map<string, string>;
}

/** Runs `use` in a page that holds each lock to its end; its storage is a map, or refuses. */
async function inPage(use: (page: Page) => Promise<void>) {
  const storage = new Map<string, string>();
  const page = { isFull: false, storage };
  const held = new Set<string>();
  const before = [globalThis.navigator, globalThis.localStorage] as const;
  const define = (navigator: unknown, localStorage: unknown) => {
    Object.defineProperty(globalThis, "navigator", { value: navigator, configurable: true });
    Object.defineProperty(globalThis, "localStorage", { value: localStorage, configurable: true });
  };
  async function request(name: string, ...[options, act]: unknown[]) {
    const run = (act ?? options) as (lock: object | null) => unknown;
    if (held.has(name)) return await run(null);
    held.add(name);
    try {
      return await run({});
    } finally {
      held.delete(name);
    }
  }
  define({ locks: { request } }, {
    getItem: (key: string) => storage.get(key) ?? null,
    setItem(key: string, value: string) {
      if (page.isFull) throw new DOMException("full", "QuotaExceededError");
      storage.set(key, value);
    },
  });
  try {
    await use(page);
  } finally {
    define(...before);
  }
}

Deno.test("claimFresh() ignores an answer older than another window's, and keeps that window's alerts", async () => {
  await inPage(async () => {
    const claim = async (alerts: AdminAlerts, receivedAt: number, isFirstLook = false, now = 100) =>
      sitesOf(await claimFresh(alerts, { receivedAt, isFirstLook, now }));
    await claim(all(), 10, true);
    assert.deepEqual(await claim(all(alertOf(1)), 30), [1]);
    assert.deepEqual(await claim(all(), 20), [], "a window that lay frozen with an answer without it");
    assert.deepEqual(await claim(all(alertOf(2)), 20), []);
    assert.deepEqual(await claim(all(alertOf(1)), 40), [], "it is not told again");
    assert.deepEqual(
      await claim(all(alertOf(1), alertOf(2)), 5, false, 6),
      [2],
      "after the clock was set back",
    );
  });
});

Deno.test("claimFresh() returns an alert once in two windows, also when one does not see the other's storage yet", async () => {
  await inPage(async ({ storage }) => {
    const claim = async (alerts: AdminAlerts, receivedAt: number, isFirstLook = false) =>
      sitesOf(await claimFresh(alerts, { receivedAt, isFirstLook, now: 100 }));
    await claim(all(), 10, true);
    const late = [...storage];
    assert.deepEqual(await claim(all(alertOf(1)), 20), [1]);
    for (const [key, value] of late) storage.set(key, value);
    assert.deepEqual(await claim(all(alertOf(1), alertOf(2)), 21), [2]);
  });
});

Deno.test("claimFresh() returns each alert once in a browser without storage", async () => {
  await inPage(async (page) => {
    const claim = async (alerts: AdminAlerts, receivedAt: number, isFirstLook = false) =>
      sitesOf(await claimFresh(alerts, { receivedAt, isFirstLook, now: 100 }));
    await claim(all(alertOf(1)), 50, true);
    page.isFull = true;
    assert.deepEqual(await claim(all(alertOf(1), alertOf(2)), 60), [2]);
    assert.deepEqual(await claim(all(alertOf(1), alertOf(2)), 70), []);
    page.isFull = false;
    assert.deepEqual(await claim(all(alertOf(2)), 80), []);
  });
});
