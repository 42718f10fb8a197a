import { toastWith, withApp } from "../testing/open_app.tsx";
import type { FakeEdge } from "../testing/fake_edge_api.ts";
import { makeActivity, makeDevice } from "../testing/make_fleet.ts";
import { readToasts, subscribeToasts } from "../ui/toast_store.ts";
import assert from "node:assert/strict";
import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import type { ActivityItem } from "shared/activity.ts";

function admin(edge: FakeEdge) {
  edge.addUser();
  edge.addCampaign({ id: 41, name: "חולון בסתיו", status: "completed" });
  edge.admin.devices = [makeDevice({ id: 7, name: "חולון 1" }), makeDevice({ id: 8, name: "חולון 2" })];
  return edge.addUser({ username: "menahel", role: "admin" });
}

function withAdmin(path: string, use: Parameters<typeof withApp>[1]) {
  return withApp({ path, prepare: admin }, async (app) => {
    try {
      await use(app);
    } finally {
      document.cookie = "sidebar_state=; Max-Age=0; Path=/";
    }
  });
}

/** The K key of an English keyboard; it types ל on a Hebrew layout. */
const CTRL_K = { key: "ל", code: "KeyK", ctrlKey: true };
const CTRL_B = { key: "נ", code: "KeyB", ctrlKey: true };

Deno.test("rail names every screen and the present one, and is collapsed when no cookie says otherwise", async () => {
  await withAdmin("/admin/anti-ban", async ({ user }) => {
    const rail = within(await screen.findByRole("complementary", { name: "תפריט ניהול" }));
    const names = ["דשבורד", "ניהול מכשירים", "ניטור אנטי-באן", "תור קבצים", "ניהול משתמשים", "הגדרות מערכת"];
    const paths = ["", "/devices", "/anti-ban", "/files", "/users", "/settings"];
    assert.deepEqual(
      names.map((name) => rail.getByRole("link", { name }).getAttribute("href")),
      paths.map((path) => `/admin${path}`),
    );
    assert.equal(
      rail.getByRole("link", { current: "page" }).getAttribute("aria-label"),
      "ניטור אנטי-באן",
    );
    const toggle = screen.getByRole("button", { name: "פתיחה וסגירה של התפריט" });
    assert.equal(toggle.getAttribute("aria-expanded"), "false");
    assert.ok(rail.getByRole("img", { name: /גרסה v1\.0\.0/ }));
    await user.click(toggle);
    assert.equal(toggle.getAttribute("aria-expanded"), "true");
    await rail.findByText("המערכת פעילה");
    assert.ok(rail.getByText("v1.0.0"));
  });
});

Deno.test("rail follows Ctrl+B on any keyboard layout, and its cookie", async () => {
  await withAdmin("/admin/users", async () => {
    const toggle = await screen.findByRole("button", { name: "פתיחה וסגירה של התפריט" });
    fireEvent.keyDown(document.body, CTRL_B);
    assert.equal(toggle.getAttribute("aria-expanded"), "true");
    assert.match(document.cookie, /sidebar_state=expanded/);
    fireEvent.keyDown(document.body, { ...CTRL_B, ctrlKey: false, metaKey: true });
    assert.equal(toggle.getAttribute("aria-expanded"), "false");
    assert.match(document.cookie, /sidebar_state=collapsed/);
  });
  document.cookie = "sidebar_state=expanded; Path=/";
  await withAdmin("/admin/users", async () => {
    const toggle = await screen.findByRole("button", { name: "פתיחה וסגירה של התפריט" });
    assert.equal(toggle.getAttribute("aria-expanded"), "true");
  });
});

Deno.test("header leads home, switches the theme, and logs out", async () => {
  await withAdmin("/admin/users", async ({ edge, user }) => {
    const header = within(await screen.findByRole("banner"));
    assert.equal(header.getByRole("link", { name: "דף הבית" }).getAttribute("href"), "/");
    document.documentElement.dataset.theme = "dark";
    await user.click(header.getByRole("button", { name: /מעבר לערכה/ }));
    assert.equal(localStorage.getItem("theme"), "light");
    await user.click(header.getByRole("button", { name: "תפריט חשבון: menahel" }));
    await user.click(screen.getByRole("menuitem", { name: "התנתקות" }));
    await screen.findByRole("heading", { name: "כניסה למערכת" });
    await waitFor(() => assert.equal(edge.openSockets, 0));
  });
});

Deno.test("menu moves by arrows, closes by Escape, and gives the focus back", async () => {
  await withAdmin("/admin/users", async ({ user }) => {
    const button = await screen.findByRole("button", { name: "תפריט חשבון: menahel" });
    await user.click(button);
    const items = screen.getAllByRole("menuitem");
    const [first, last] = [items[0], items.at(-1)];
    assert.ok(document.activeElement === first);
    await user.keyboard("{ArrowUp}");
    assert.ok(document.activeElement === last);
    await user.keyboard("{ArrowDown}");
    assert.ok(document.activeElement === first);
    await user.keyboard("{Escape}");
    assert.ok(screen.queryByRole("menu") === null);
    assert.ok(document.activeElement === button);
  });
});

Deno.test("quick jump opens by Ctrl+K, finds screens and things, and goes there by keyboard alone", async () => {
  await withAdmin("/admin/users", async ({ user }) => {
    await screen.findByRole("heading", { name: "ניהול משתמשים" });
    fireEvent.keyDown(document.body, CTRL_K);
    const dialog = within(await screen.findByRole("dialog", { name: "מעבר מהיר" }));
    assert.equal(dialog.getAllByRole("option").length, 8);
    const field = dialog.getByRole("combobox", { name: "מעבר למסך, פעולה, לקוח, קמפיין או מכשיר" });
    await user.type(field, "חולון");
    await dialog.findByRole("option", { name: /חולון 1.*מכשיר/ });
    assert.ok(dialog.getByRole("option", { name: /חולון בסתיו.*קמפיין · dana · סיים/ }));
    await user.keyboard("{ArrowDown}");
    assert.equal(dialog.getByRole("option", { selected: true }).textContent?.startsWith("חולון 2"), true);
    await user.keyboard("{Enter}");
    await screen.findByRole("heading", { level: 1, name: "חולון 2" });
    fireEvent.keyDown(document.body, CTRL_K);
    await user.type(screen.getByRole("combobox"), "הגדרות{Enter}");
    await screen.findByRole("heading", { level: 1, name: "הגדרות מערכת" });
  });
});

Deno.test("quick jump says when nothing is found, and still leads to screens when the search fails", async () => {
  await withAdmin("/admin/users", async ({ edge, user }) => {
    await user.click(await screen.findByRole("button", { name: "מעבר למסך, לקוח, קמפיין או מכשיר" }));
    const field = screen.getByRole("combobox", { name: /קמפיין או מכשיר/ });
    await user.type(field, "אין כזה");
    await screen.findByText("אין תוצאות ל״אין כזה״.");
    edge.refusals.set("POST /api/admin/search", "no_answer");
    await user.clear(field);
    await user.type(field, "קבצים");
    await screen.findByText(/החיפוש לא הצליח/);
    await user.keyboard("{Enter}");
    await screen.findByRole("heading", { level: 1, name: "תור קבצים" });
  });
});

Deno.test("connection light shows the age of the last event, and the retry when the channel closes", async () => {
  await withAdmin("/admin/users", async ({ edge, untilLive }) => {
    const header = within(await screen.findByRole("banner"));
    await header.findByText("מחובר בזמן אמת");
    await untilLive();
    assert.ok(header.queryByText(/לפני/) === null);
    edge.emit({ type: "device_changed", data: { siteId: 1 } });
    await header.findByText(/לפני \d+ שנ׳/);
    edge.closeSockets();
    await header.findByText("מתחבר מחדש...");
  });
});

Deno.test("an unknown path below /admin shows the 404 page in the shell", async () => {
  await withAdmin("/admin/no/such/page", async ({ user }) => {
    await screen.findByRole("heading", { level: 1, name: "404 Page Not Found" });
    assert.ok(screen.getByText("ייתכן ששכחו להוסיף את הדף לנתב."));
    await user.click(screen.getByRole("link", { name: "לדשבורד הניהול" }));
    await screen.findByRole("heading", { level: 1, name: "דשבורד ניהול" });
  });
});

Deno.test("every screen shows that the server stopped answering, and since when, until it answers", async () => {
  await withAdmin("/admin/settings", async ({ edge }) => {
    const header = within(await screen.findByRole("banner"));
    await header.findByText("מחובר בזמן אמת");
    await waitFor(() => assert.ok(edge.requests.includes("GET /api/admin/health")));
    await screen.findByRole("img", { name: /המערכת פעילה/ });
    edge.refusals.set("GET /api/admin/health", "no_answer");
    edge.closeSockets();
    await screen.findByText("השרת לא ענה.");
    assert.ok(screen.getByText(/הנתונים האחרונים התקבלו ב־\d\d:\d\d/));
    edge.refusals.clear();
    // The channel may be open again already, with its refetch refused.
    edge.closeSockets();
    await header.findByText("מחובר בזמן אמת");
    await waitFor(() => assert.ok(screen.queryByText("השרת לא ענה.") === null));
  });
});

Deno.test("status in the rail's foot shows when the server is not reached", async () => {
  const prepare = (edge: FakeEdge) => {
    edge.refusals.set("GET /api/admin/health", "no_answer");
    return admin(edge);
  };
  await withApp({ path: "/admin/users", prepare }, async () => {
    await waitFor(() => assert.ok(screen.getByRole("img", { name: "אין קשר לשרת, גרסה v1.0.0" })));
  });
});

Deno.test("a new alert is announced on every screen, unless the settings say otherwise", async () => {
  const banned = (id: number) =>
    makeActivity({ id, type: "error", code: "account_banned", message: "החשבון נחסם", detail: `חיפה ${id}` });
  const prepare = (edge: FakeEdge) => {
    edge.admin.activity = [makeActivity()];
    return admin(edge);
  };
  await withApp({ path: "/admin", prepare }, async ({ edge, user, untilLive }) => {
    const shown: (string | undefined)[] = [];
    const leave = subscribeToasts(() => shown.push(...readToasts().map(({ description }) => description)));
    const happens = (line: ActivityItem) => {
      edge.admin.activity.unshift(line);
      edge.emit({ type: "activity", data: line });
    };
    const set = (id: number, enableNotifications: boolean) => {
      const { settings } = edge.admin.settings;
      edge.admin.settings = { ...edge.admin.settings, settings: { ...settings, enableNotifications } };
      happens(makeActivity({ id, code: "settings_changed", message: "נשמר" }));
    };
    await untilLive();
    // Activity from before the page is not shown.
    await screen.findByText("האתר התחבר");
    await user.click(screen.getByRole("link", { name: "ניהול משתמשים" }));
    await screen.findByText("2 משתמשים רשומים");
    happens(makeActivity({ id: 11, code: "admin_logged_in", message: "כניסה" }));
    happens(banned(12));
    assert.match(await toastWith("דרושה תשומת לב"), /החשבון נחסם: חיפה 12/);
    await user.click(await screen.findByRole("button", { name: "התראות: אין" }));
    set(13, false);
    await screen.findByText(/ההתראות כבויות בהגדרות המערכת/);
    happens(banned(14));
    set(15, true);
    await waitFor(() => assert.ok(screen.queryByText(/ההתראות כבויות בהגדרות המערכת/) === null));
    happens(banned(16));
    await screen.findByText("החשבון נחסם: חיפה 16");
    leave();
    assert.deepEqual(shown.filter((words) => words?.includes("14")), []);
  });
});

Deno.test("a new alert that arrived before the settings is announced when they are known", async () => {
  const prepare = (edge: FakeEdge) => {
    edge.refusals.set("GET /api/admin/settings", "no_answer");
    edge.admin.activity = [makeActivity()];
    return admin(edge);
  };
  await withApp({ path: "/admin", prepare }, async ({ edge, untilLive }) => {
    await screen.findByRole("list", { name: "פעילות אחרונה" });
    await untilLive();
    const happens = (line: ActivityItem) => {
      edge.admin.activity.unshift(line);
      edge.emit({ type: "activity", data: line });
    };
    happens(makeActivity({ id: 10_001, type: "error", code: "account_banned", message: "החשבון נחסם" }));
    await screen.findByText("החשבון נחסם");
    assert.ok(screen.queryByText("דרושה תשומת לב") === null);
    edge.refusals.clear();
    happens(makeActivity({ id: 10_002, code: "settings_changed", message: "נשמר" }));
    assert.match(await toastWith("דרושה תשומת לב"), /החשבון נחסם/);
  });
});

Deno.test("the bell counts alerts, and its panel has a sentence and a link for each", async () => {
  await withAdmin("/admin/users", async ({ edge, user, untilLive }) => {
    const none = { siteId: null, deviceId: null, campaignId: null, fileId: null };
    await screen.findByRole("button", { name: "התראות: אין" });
    await untilLive();
    edge.admin.alerts = [
      {
        code: "account_banned",
        type: "error",
        message: "חשבון נחסם.",
        since: Date.now(),
        ...none,
        deviceId: 7,
      },
      {
        code: "quota_low",
        type: "warning",
        message: "חסרות 20 הודעות.",
        since: null,
        ...none,
        campaignId: 41,
      },
    ];
    edge.emit({ type: "alert", data: { code: "x", message: "x", at: 1 } });
    await user.click(await screen.findByRole("button", { name: "התראות: 2 פתוחות" }));
    const panel = within(await screen.findByRole("dialog", { name: "מה מחכה לטיפול" }));
    assert.equal(panel.getByRole("link", { name: "לפרטי המכשיר" }).getAttribute("href"), "/admin/devices/7");
    assert.equal(panel.getByRole("link", { name: "לניהול משתמשים" }).getAttribute("href"), "/admin/users");
    assert.ok(panel.getByText(/הדפדפן הזה לא יכול להציג התראות/));
  });
});

Deno.test("the bell shows nothing before it knows, and says that there are more of a shortened kind", async () => {
  const prepare = (edge: FakeEdge) => {
    edge.refusals.set("GET /api/admin/alerts", "no_answer");
    return admin(edge);
  };
  await withApp({ path: "/admin/users", prepare }, async ({ edge, user, untilLive }) => {
    const bell = await screen.findByRole("button", { name: "התראות" });
    await untilLive();
    await user.click(bell);
    const panel = within(await screen.findByRole("dialog", { name: "מה מחכה לטיפול" }));
    await panel.findByText("ההתראות לא נטענו");
    edge.refusals.clear();
    edge.admin.alerts = [1, 2, 3, 4, 5].map((siteId) => ({
      ...{ code: "site_away", type: "error", message: `אתר ${siteId} לא מחובר.`, since: 1, siteId },
      ...{ deviceId: null, campaignId: null, fileId: null },
    }));
    edge.admin.alertsCut = ["site_away"];
    await user.click(await panel.findByRole("button", { name: "ניסיון נוסף" }));
    await waitFor(() => assert.equal(bell.getAttribute("aria-label"), "התראות: יותר מ־5 פתוחות"));
    assert.equal(bell.textContent, "5+");
    await panel.findByText("מוצגות כאן עד חמש התראות מכל סוג, ויש עוד.");
    edge.refusals.set("GET /api/admin/alerts", "no_answer");
    edge.emit({ type: "alert", data: { code: "x", message: "x", at: 1 } });
    await panel.findByText("ההתראות לא התעדכנו.");
    assert.ok(panel.getByText(/מה שמוצג כאן התקבל לפני/) && panel.getByText("אתר 5 לא מחובר."));
  });
});

Deno.test("the bell of an older server counts without shortened kinds, and shows nothing without an answer", async () => {
  const prepare = (edge: FakeEdge) => {
    edge.admin.isOlder = true;
    return admin(edge);
  };
  await withApp({ path: "/admin/users", prepare }, async ({ edge, user, untilLive }) => {
    const bell = await screen.findByRole("button", { name: "התראות: אין" });
    await user.click(bell);
    const panel = within(await screen.findByRole("dialog", { name: "מה מחכה לטיפול" }));
    await panel.findByText("אין התראות. שום דבר לא מחכה לטיפול.");
    await untilLive();
    edge.refusals.set("GET /api/admin/alerts", "no_answer");
    edge.emit({ type: "alert", data: { code: "x", message: "x", at: 1 } });
    await waitFor(() => assert.equal(bell.getAttribute("aria-label"), "התראות"));
  });
});

Deno.test("quick jump finds acts and clients: an act opens its screen, a client the list at that name", async () => {
  await withAdmin("/admin", async ({ user, address }) => {
    await screen.findByRole("heading", { level: 1, name: "דשבורד ניהול" });
    fireEvent.keyDown(document.body, CTRL_K);
    await user.type(screen.getByRole("combobox"), "העלאת");
    await screen.findByRole("option", { name: /העלאת קובץ CSV.*פעולה/ });
    await user.keyboard("{Enter}");
    await screen.findByRole("heading", { level: 1, name: "תור קבצים" });
    fireEvent.keyDown(document.body, CTRL_K);
    const again = within(await screen.findByRole("dialog", { name: "מעבר מהיר" }));
    await user.type(again.getByRole("combobox"), "dana");
    await user.click(await screen.findByRole("option", { name: /dana.*משתמש/ }));
    assert.equal(address(), "/admin/users?q=dana");
    const field = await screen.findByRole<HTMLInputElement>("searchbox", { name: "חיפוש משתמש" });
    assert.equal(field.value, "dana");
  });
});

Deno.test("the narrow rail names an icon that is pointed at or focused", async () => {
  await withAdmin("/admin/users", async ({ user }) => {
    const link = await screen.findByRole("link", { name: "רשימת ההסרה" });
    assert.ok(screen.queryByText("רשימת ההסרה") === null);
    await user.hover(link);
    assert.ok(screen.getByText("רשימת ההסרה"));
    await user.unhover(link);
    assert.ok(screen.queryByText("רשימת ההסרה") === null);
    link.focus();
    await screen.findByText("רשימת ההסרה");
  });
});
