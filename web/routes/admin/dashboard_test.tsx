import { type OpenApp, toastWith, withApp } from "../../testing/open_app.tsx";
import type { FakeEdge } from "../../testing/fake_edge_api.ts";
import { makeActivity, makeDashboard, makeStat } from "../../testing/make_fleet.ts";
import assert from "node:assert/strict";
import { screen, waitFor, within } from "@testing-library/react";

function admin(edge: FakeEdge) {
  edge.admin.dashboard = makeDashboard({
    stats: {
      totalDevices: makeStat(48, 45, [45, 48]),
      activeSessions: makeStat(41, 43),
      messagesToday: makeStat(9214, 9214),
      banRate: makeStat(0.8, null),
    },
    sendRate: Array.from({ length: 12 }, (_, index) => ({ at: index * 7_200_000, sent: index * 100 })),
    fleet: { sending: 24, ready: 16, full: 0, unable: 0, stopped: 0, offline: 5, atRisk: 2, banned: 1 },
    devices: [{
      deviceId: 1,
      name: "חולון 1",
      site: "מחסן חולון",
      status: "processing",
      whatsappVersion: "2.26.18.74",
      lastActivity: Date.now() - 4000,
      messagesCount: 148,
      capPerDay: 250,
      leftToday: 200,
      standing: "ready",
      held: 2,
      stopped: false,
    }],
    reset: { waitingMessages: 4212, runningCampaigns: 3, sentToday: 9214 },
  });
  edge.admin.activity = [
    makeActivity({ id: 5, message: "האתר התנתק", detail: "חיפה", timestamp: Date.now() - 60_000 }),
  ];
  return edge.addUser({ username: "menahel", role: "admin" });
}

Deno.test("dashboard shows four figures, each with its change", async () => {
  await withApp({ path: "/admin", prepare: admin }, async () => {
    await screen.findByRole("heading", { level: 1, name: "דשבורד ניהול" });
    const figures = within(await screen.findByRole("region", { name: "נתוני היום" })).getAllByRole("article");
    assert.deepEqual(figures.map(({ textContent }) => textContent), [
      "סה״כ מכשירים48עלייה של3לעומת אתמול",
      "חיבורים פעילים41ירידה של2לעומת אתמול",
      "הודעות היום9,214כמו אתמול",
      "אחוז חסימות0.8%אתמול עוד לא נמדד",
    ]);
  });
});

Deno.test("dashboard keeps its layout when one part is refused, and the part says so", async () => {
  const refused = (edge: FakeEdge) => {
    edge.refusals.set("GET /api/admin/activity", { error: "אירעה שגיאה בשרת.", code: "internal" });
    return admin(edge);
  };
  await withApp({ path: "/admin", prepare: refused }, async ({ edge }) => {
    const figures = await screen.findByRole("region", { name: "נתוני היום" });
    const asked = () => edge.requests.filter((line) => line === "GET /api/admin/activity").length;
    await waitFor(() => assert.ok(asked() >= 2, "the feed asks as it appears"));
    await screen.findByText("הפעילות לא נטענה");
    assert.equal(figures.isConnected, true);
  });
});

Deno.test("dashboard feed is live: an event shows as a line at once", async () => {
  await withApp({ path: "/admin", prepare: admin }, async ({ edge, untilLive }) => {
    const feed = within(await screen.findByRole("list", { name: "פעילות אחרונה" }));
    assert.match(feed.getByRole("listitem").textContent!, /האתר התנתקחיפה · לפני דקה/);
    await screen.findByText("לייב");
    await untilLive();
    edge.emit({
      type: "activity",
      data: makeActivity({ id: 6, message: "האתר חזר", timestamp: Date.now() }),
    });
    await waitFor(() => assert.match(feed.getAllByRole("listitem")[0].textContent!, /האתר חזר/));
  });
});

Deno.test("dashboard draws the rate of 24 hours with a sentence and a table", async () => {
  await withApp({ path: "/admin", prepare: admin }, async () => {
    await screen.findByRole("img", { name: /^תרשים: 6,600 הודעות ב־24 השעות האחרונות, הכי הרבה 1,100/ });
    const table = within(screen.getByRole("table", { name: "הודעות בכל שעתיים" }));
    assert.equal(table.getAllByRole("row").length, 13);
  });
});

Deno.test("dashboard shows the fleet in words and its phones with their menu", async () => {
  await withApp({ path: "/admin", prepare: admin }, async ({ user }) => {
    await screen.findByText("24 שולחים · 16 פנויים · 5 מנותקים · 2 בסיכון · 1 חסום");
    const devices = within(screen.getByRole("region", { name: "מכשירים פעילים" }));
    assert.match(
      devices.getByRole("article").textContent!,
      /חולון 1מעבד148מתוך 250 היוםנותרו 200 היום2\.26\.18\.74שלח לפני \d+ שנ׳/,
    );
    await user.click(devices.getByRole("button", { name: "פעולות: חולון 1" }));
    assert.deepEqual(screen.getAllByRole("menuitem").map(({ textContent }) => textContent), [
      "צפייה בפרטים",
      "הפעלה מחדש",
      "עצירה",
    ]);
    await user.click(screen.getByRole("menuitem", { name: "הפעלה מחדש" }));
    const dialog = within(await screen.findByRole("dialog", { name: "להפעיל מחדש את חולון 1?" }));
    await user.click(dialog.getByRole("button", { name: "הפעלה מחדש" }));
    await toastWith("המכשיר הופעל מחדש ועונה");
    await user.click(devices.getByRole("button", { name: "פעולות: חולון 1" }));
    await user.click(screen.getByRole("menuitem", { name: "צפייה בפרטים" }));
    await screen.findByRole("heading", { level: 1, name: "המכשיר לא נמצא" });
  });
});

Deno.test("dashboard's quick actions open their screens, and one reloads everything", async () => {
  await withApp({ path: "/admin", prepare: admin }, async ({ edge, user, untilLive }) => {
    const quick = within(await screen.findByRole("region", { name: "פעולות מהירות" }));
    const ways = {
      "הוספת מכשיר": "/admin/sites",
      "העלאת CSV": "/admin/files",
      "הגדרות אנטי-באן": "/admin/settings#anti-ban",
      "צפייה ביומן": "/admin/activity",
      "הגדרות מערכת": "/admin/settings",
    };
    for (const [name, path] of Object.entries(ways)) {
      assert.equal(quick.getByRole("link", { name }).getAttribute("href"), path);
    }
    const asked = () => edge.requests.filter((request) => request === "GET /api/admin/dashboard").length;
    await untilLive();
    const before = asked();
    await user.click(quick.getByRole("button", { name: "רענון נתונים" }));
    await waitFor(() => assert.ok(asked() > before));
  });
});

Deno.test("reset of the queues shows its effect in numbers before, and its result after", async () => {
  await withApp({ path: "/admin", prepare: admin }, async ({ edge, user }) => {
    await screen.findByRole("region", { name: "נתוני היום" });
    const open = screen.getByRole("button", { name: "איפוס תורים" });
    await user.click(open);
    const dialog = within(await screen.findByRole("dialog", { name: "איפוס כל התורים?" }));
    assert.ok(dialog.getByText(/תמחק מהתור 4,212 הודעות שטרם נשלחו ותבטל 3 קמפיינים פעילים\. 9,214 הודעות/));
    assert.ok(dialog.getByText(/להשתמש רק כשהמערכת תקועה/));
    assert.ok(
      document.activeElement === dialog.getByRole("button", { name: "ביטול" }),
      "Enter twice resets nothing",
    );
    await user.click(dialog.getByRole("button", { name: "אישור איפוס" }));
    assert.ok(dialog.getByText("נא לכתוב בדיוק: איפוס"));
    assert.ok(!edge.requests.includes("POST /api/admin/queues/clear"));
    await user.click(dialog.getByRole("button", { name: "ביטול" }));
    edge.admin.cleared = { message: "", messageQueueCleared: 4212, campaignQueueCleared: 3 };
    await user.click(open);
    await confirmReset(user);
    assert.match(await toastWith("התורים נוקו בהצלחה"), /4,215 משימות נוקו/);
    const asked = edge.requests.filter((request) => request === "POST /api/admin/queues/clear");
    assert.equal(asked.length, 1, "not when it was given up");
    await waitFor(() => assert.ok(screen.queryByRole("dialog") === null));
    edge.admin.cleared.message = "בוטלו 3 קמפיינים";
    await user.click(open);
    await confirmReset(user);
    await screen.findByText("בוטלו 3 קמפיינים");
  });
});

Deno.test("reset of the queues that fails says the server's reason or the product's own", async () => {
  await withApp({ path: "/admin", prepare: admin }, async ({ edge, user }) => {
    edge.refusals.set("POST /api/admin/queues/clear", "no_answer");
    await user.click(await screen.findByRole("button", { name: "איפוס תורים" }));
    await confirmReset(user);
    assert.match(await toastWith("שגיאה"), /לא ניתן לנקות את התורים/);
    edge.refusals.set("POST /api/admin/queues/clear", { code: "not_ready", error: "מסד הנתונים עמוס." });
    await user.click(screen.getByRole("button", { name: "איפוס תורים" }));
    await confirmReset(user);
    await screen.findByText("מסד הנתונים עמוס.");
  });
});

Deno.test("dashboard shows the worst alerts, with links", async () => {
  const prepare = (edge: FakeEdge) => {
    edge.admin.alerts = [{
      code: "site_away",
      type: "warning",
      message: "אתר חיפה לא מחובר.",
      since: Date.now() - 12 * 60_000,
      siteId: 2,
      deviceId: null,
      campaignId: null,
      fileId: null,
    }];
    return admin(edge);
  };
  await withApp({ path: "/admin", prepare }, async () => {
    const notice = (await screen.findByText("אתר חיפה לא מחובר.")).closest("[role=status]")!;
    assert.match(notice.textContent!, /לפני 12 דקות/);
    assert.equal(within(notice as HTMLElement).getByRole("link").getAttribute("href"), "/admin/sites");
  });
});

Deno.test("dashboard without figures explains itself, and one that does not load offers another try", async () => {
  const prepare = (edge: FakeEdge) => edge.addUser({ role: "admin" });
  await withApp({ path: "/admin", prepare }, async () => {
    await screen.findByText("לא נשלחו הודעות ב־24 השעות האחרונות.");
    await screen.findByText(/עוד אין פעילות היום/);
    await screen.findByText("אין כרגע מכשיר מחובר.");
  });
  const broken = (edge: FakeEdge) => {
    edge.refusals.set("GET /api/admin/dashboard", "no_answer");
    edge.acceptsSockets = false;
    return admin(edge);
  };
  await withApp({ path: "/admin", prepare: broken }, async ({ edge, user }) => {
    await screen.findByText("הדשבורד לא נטען");
    edge.refusals.clear();
    await user.click(screen.getByRole("button", { name: "ניסיון נוסף" }));
    await screen.findByRole("region", { name: "נתוני היום" });
  });
});

/** Types the word and confirms. */
async function confirmReset(user: OpenApp["user"]): Promise<void> {
  await user.type(screen.getByLabelText("להמשך כותבים כאן: איפוס"), "איפוס");
  await user.click(screen.getByRole("button", { name: "אישור איפוס" }));
}
