import { toastWith, untilIdle, withApp } from "../../testing/open_app.tsx";
import type { FakeEdge } from "../../testing/fake_edge_api.ts";
import { makeCause } from "../../testing/make_fleet.ts";
import assert from "node:assert/strict";
import { screen, waitFor, within } from "@testing-library/react";

const CAUSE = "device_needs_hand:unauthorized";

function admin(edge: FakeEdge) {
  const now = Date.now();
  edge.admin.causes = [
    makeCause({
      cause: "site_away",
      code: "site_away",
      type: "error",
      title: "אתר אחד לא מחובר",
      step: "בודקים שהמחשב דולק.",
      count: 1,
      alerts: 1,
      since: now - 120_000,
      messages: [{
        channel: "email",
        state: "failed",
        at: now - 60_000,
        attempts: 1,
        reason: "refused",
        status: 550,
        nextAt: now + 120_000,
      }],
    }),
    makeCause({ count: 25, alerts: 25, title: "25 מכשירים לא מורשים" }),
  ];
  edge.admin.alerts = Array.from({ length: 25 }, (_, index) => ({
    code: "device_needs_hand" as const,
    cause: CAUSE,
    type: "warning" as const,
    message: `המכשיר ${index + 1} לא מורשה.`,
    since: now,
    siteId: 1,
    deviceId: index + 1,
    campaignId: null,
    fileId: null,
  }));
  return edge.addUser({ username: "menahel", role: "admin" });
}

Deno.test("alerts are listed by cause with the step, what happened to their message, and every single one on pages", async () => {
  await withApp({ path: "/admin/alerts", prepare: admin }, async ({ user }) => {
    const open = within(await screen.findByRole("region", { name: "מחכות לטיפול" }));
    const rows = open.getAllByRole("listitem");
    assert.equal(rows.length, 2);
    assert.match(rows[0]!.textContent!, /אתר אחד לא מחובר.*בודקים שהמחשב דולק/);
    assert.match(
      rows[0]!.textContent!,
      /לא נמסרה בדוא״ל לפני דקה: השרת שמעבר סירב \(550\)\. ניסיון נוסף בעוד/,
    );
    await user.click(open.getByRole("button", { name: "הצגת 25 התראות" }));
    await open.findByText(/המכשיר 20 לא מורשה/);
    assert.equal(open.queryByText(/המכשיר 21 לא מורשה/), null);
    await user.click(open.getByRole("button", { name: "הצגת עוד" }));
    await open.findByText(/המכשיר 25 לא מורשה/);
    assert.equal(open.queryByRole("button", { name: "הצגת עוד" }), null);
    const links = open.getAllByRole("link", { name: "לפרטי המכשיר" });
    assert.equal(links[24]!.getAttribute("href"), "/admin/devices/25");
  });
});

Deno.test("a cause is acknowledged, snoozed and returned to the list, and the bell counts only what is open", async () => {
  await withApp({ path: "/admin/alerts", prepare: admin }, async ({ user, edge }) => {
    await screen.findByRole("button", { name: "התראות: 2 פתוחות" });
    await user.click(await screen.findByRole("button", { name: "ראיתי: 25 מכשירים לא מורשים" }));
    const quiet = within(await screen.findByRole("region", { name: "מושתקות" }));
    assert.ok(quiet.getByText(/סומנה כמטופלת בידי menahel .*תחזור אם תחמיר או תופיע שוב/));
    await untilIdle();
    assert.equal(document.querySelector(".toast-card"), null, "the list shows that it was done");
    await screen.findByRole("button", { name: "התראות: 1 פתוחה" });
    await user.click(screen.getByRole("button", { name: "השתקה: אתר אחד לא מחובר" }));
    await user.click(screen.getByRole("menuitem", { name: "השתקה ל־4 שעות" }));
    await screen.findByText("אין התראות. שום דבר לא מחכה לטיפול.");
    assert.equal(edge.admin.causes![0]!.quiet!.kind, "snoozed");
    await user.click(screen.getByRole("button", { name: "החזרה לרשימה: 25 מכשירים לא מורשים" }));
    await screen.findByRole("region", { name: "מחכות לטיפול" });
    edge.admin.causes = [];
    await user.click(screen.getByRole("button", { name: "ראיתי: 25 מכשירים לא מורשים" }));
    assert.match(await toastWith("ההתראה לא השתנתה"), /לא נמצא|כבר איננה/);
  });
});

Deno.test("by keyboard, the focus follows a cause to its other list, and in the panel goes to the next", async () => {
  await withApp({ path: "/admin/alerts", prepare: admin }, async ({ user }) => {
    const focused = () => document.activeElement!.closest("li")?.textContent ?? "";
    (await screen.findByRole("button", { name: "ראיתי: אתר אחד לא מחובר" })).focus();
    await user.keyboard("{Enter}");
    await screen.findByRole("button", { name: "החזרה לרשימה: אתר אחד לא מחובר" });
    await waitFor(() => assert.match(focused(), /אתר אחד לא מחובר.*סומנה כמטופלת/));
    screen.getByRole("button", { name: "החזרה לרשימה: אתר אחד לא מחובר" }).focus();
    await user.keyboard("{Enter}");
    await screen.findByRole("button", { name: "ראיתי: אתר אחד לא מחובר" });
    await waitFor(() => assert.match(focused(), /אתר אחד לא מחובר/));
    await user.click(screen.getByRole("button", { name: "התראות: 2 פתוחות" }));
    const panel = within(await screen.findByRole("dialog", { name: "מה מחכה לטיפול" }));
    panel.getByRole("button", { name: "ראיתי: אתר אחד לא מחובר" }).focus();
    await user.keyboard("{Enter}");
    await waitFor(() => assert.match(focused(), /25 מכשירים לא מורשים/));
    panel.getByRole("button", { name: "ראיתי: 25 מכשירים לא מורשים" }).focus();
    await user.keyboard("{Enter}");
    await panel.findByText("אין התראות. שום דבר לא מחכה לטיפול.");
    await waitFor(() =>
      assert.ok(document.activeElement === panel.getByRole("list", { name: "מה מחכה לטיפול" }))
    );
  });
});

Deno.test("what another administrator acknowledges or chooses shows at once", async () => {
  await withApp({ path: "/admin/alerts", prepare: admin }, async ({ edge }) => {
    await screen.findByRole("button", { name: "התראות: 2 פתוחות" });
    const causes = edge.admin.causes!;
    const quiet = { kind: "acknowledged" as const, by: "menahel-b", at: Date.now(), until: null };
    edge.admin.causes = [{ ...causes[0]!, quiet }, causes[1]!];
    edge.emit({ type: "alerts_changed", data: {} });
    await screen.findByRole("button", { name: "התראות: 1 פתוחה" });
    await screen.findByText(/סומנה כמטופלת בידי menahel-b/);
  });
});

Deno.test("the panel of the bell shows the open causes and leads to all of them", async () => {
  await withApp({ path: "/admin", prepare: admin }, async ({ user, address }) => {
    await user.click(await screen.findByRole("button", { name: "התראות: 2 פתוחות" }));
    const panel = within(await screen.findByRole("dialog", { name: "מה מחכה לטיפול" }));
    assert.ok(panel.getByText("25 מכשירים לא מורשים"));
    assert.ok(panel.getAllByText(/מאשרים את המחשב/).length > 0);
    await user.click(panel.getByRole("link", { name: "לכל ההתראות" }));
    await screen.findByRole("heading", { level: 1, name: "התראות" });
    assert.equal(address(), "/admin/alerts");
  });
});

Deno.test("alerts that do not load offer another try", async () => {
  const prepare = (edge: FakeEdge) => {
    edge.refusals.set("GET /api/admin/alerts", "no_answer");
    edge.acceptsSockets = false;
    return admin(edge);
  };
  await withApp({ path: "/admin/alerts", prepare }, async ({ edge, user }) => {
    await screen.findByText("ההתראות לא נטענו");
    edge.refusals.clear();
    await user.click(screen.getByRole("button", { name: "ניסיון נוסף" }));
    await screen.findByRole("region", { name: "מחכות לטיפול" });
  });
});

Deno.test("settings choose what leaves the browser by kind, test each way, and name no address", async () => {
  await withApp({ path: "/admin/settings", prepare: admin }, async ({ edge, user }) => {
    const card = within(await screen.findByRole("region", { name: "התראות אל מחוץ לדפדפן" }));
    await card.findByText("לא הוגדר בשרת (ALERT_WEBHOOK_URL)");
    assert.equal(card.queryByRole("button", { name: "ניסיון: webhook" }), null);
    assert.equal(card.queryByRole("textbox"), null);
    const box = card.getByRole("checkbox", { name: "מכשיר שדורש טיפול: דוא״ל" });
    await user.click(box);
    await waitFor(() => assert.equal(edge.admin.outside.kinds[1]!.email, true));
    edge.admin.testEnd = { state: "failed", reason: "login", status: 535 };
    await user.click(card.getByRole("button", { name: "ניסיון: דוא״ל" }));
    assert.match(await toastWith("הודעת הניסיון לא נמסרה"), /שם המשתמש או הסיסמה נדחו \(535\)/);
    await card.findByText(/ניסיון אחרון: לא נמסרה בדוא״ל/);
    edge.admin.testEnd = { state: "sent", reason: null, status: null };
    await user.click(card.getByRole("button", { name: "ניסיון: דוא״ל" }));
    await toastWith("הודעת הניסיון התקבלה בשרת שמעבר");
  });
});
