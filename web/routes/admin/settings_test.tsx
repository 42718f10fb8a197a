import { prove, toastWith, withApp } from "../../testing/open_app.tsx";
import type { FakeEdge } from "../../testing/fake_edge_api.ts";
import { makeActivity } from "../../testing/make_fleet.ts";
import assert from "node:assert/strict";
import { DEFAULT_SETTINGS } from "shared/settings.ts";
import { screen, waitFor, within } from "@testing-library/react";

const admin = (edge: FakeEdge) => edge.addUser({ username: "menahel", role: "admin" });

Deno.test("settings begin with their defaults, save, and show what changed", async () => {
  await withApp({ path: "/admin/settings", prepare: admin }, async ({ edge, user }) => {
    await screen.findByRole("heading", { level: 1, name: "הגדרות מערכת" });
    const cap = await screen.findByLabelText<HTMLInputElement>("תקרה יומית למכשיר");
    const pace = screen.getByLabelText<HTMLInputElement>("מרווח בין הודעות");
    assert.deepEqual([cap.value, cap.step, cap.min, cap.max], ["250", "1", "1", "10000"]);
    assert.deepEqual([pace.value, pace.step, pace.min, pace.max], ["1", "0.1", "0", "3600"]);
    for (const name of ["התראות", "חימום חשבונות חדשים", "מעבר אוטומטי לחשבון משני"]) {
      assert.equal(screen.getByRole<HTMLInputElement>("switch", { name }).checked, true, name);
    }
    await user.clear(pace);
    await user.type(pace, "2.5");
    assert.ok(screen.getByText("יש שינוי אחד שלא נשמר"));
    assert.match(pace.closest("div")!.textContent!, /שונה, היה 1/);
    await user.click(screen.getByRole("switch", { name: "חימום חשבונות חדשים" }));
    assert.ok(screen.getByText("יש שני שינויים שלא נשמרו"));
    await user.click(screen.getByRole("button", { name: "שמור שינויים" }));
    await prove(user);
    await toastWith("ההגדרות נשמרו");
    const { settings } = edge.admin.settings;
    assert.deepEqual(settings, { ...DEFAULT_SETTINGS, rateLimit: 2.5, warmupEnabled: false });
    await screen.findByText("אין שינויים שלא נשמרו");
    await screen.findByText(/ נשמר לאחרונה על ידי \u2068menahel\u2069, היום ב־/);
  });
});

Deno.test("settings out of bounds are reported under the field and not sent", async () => {
  await withApp({ path: "/admin/settings", prepare: admin }, async ({ edge, user }) => {
    const cap = await screen.findByLabelText("תקרה יומית למכשיר");
    await user.clear(cap);
    await user.type(cap, "10001");
    assert.ok(screen.getByText("נא להזין מספר שלם מ־1 עד 10,000"));
    assert.equal(cap.getAttribute("aria-invalid"), "true");
    await user.click(screen.getByRole("button", { name: "שמור שינויים" }));
    assert.match(await toastWith("ההגדרות לא נשמרו"), /יש ערך לא תקין/);
    assert.ok(!edge.requests.includes("PUT /api/admin/settings"));
    await user.click(screen.getByRole("button", { name: "ביטול" }));
    assert.equal(screen.getByLabelText<HTMLInputElement>("תקרה יומית למכשיר").value, "250");
  });
});

Deno.test("the ceiling of contacts is read with separators, and may be typed with them", async () => {
  await withApp({ path: "/admin/settings", prepare: admin }, async ({ edge, user }) => {
    const ceiling = await screen.findByLabelText<HTMLInputElement>("תקרת אנשי קשר ללקוח");
    assert.equal(ceiling.value, "5,000,000");
    await user.click(ceiling);
    assert.equal(
      ceiling.value,
      "5,000,000",
      "a value that changes at the focus loses the selection that Tab makes",
    );
    await user.clear(ceiling);
    await user.type(ceiling, "2,500,000");
    assert.match(ceiling.closest("div")!.textContent!, /שונה, היה 5,000,000/);
    await user.tab();
    assert.equal(ceiling.value, "2,500,000");
    await user.click(screen.getByRole("button", { name: "שמור שינויים" }));
    await toastWith("ההגדרות נשמרו");
    assert.equal(edge.admin.settings.settings.maxContactsPerClient, 2_500_000);
  });
});

Deno.test("settings saved by another person appear, and a screen without the event does not undo them", async () => {
  await withApp({ path: "/admin/settings", prepare: admin }, async ({ edge, user, untilLive }) => {
    const cap = await screen.findByLabelText<HTMLInputElement>("תקרה יומית למכשיר");
    await untilLive();
    await user.click(screen.getByRole("switch", { name: "התראות" }));
    const saveElsewhere = (settings: Partial<typeof DEFAULT_SETTINGS>) =>
      edge.admin.settings = {
        settings: { ...edge.admin.settings.settings, ...settings },
        savedAt: 1,
        savedBy: "אחר",
      };
    saveElsewhere({ maxMessagesPerDay: 100 });
    edge.emit({ type: "activity", data: makeActivity({ id: 7, code: "settings_changed" }) });
    await waitFor(() => assert.equal(cap.value, "100"));
    assert.ok(screen.getByText("יש שינוי אחד שלא נשמר"));

    saveElsewhere({ retentionDays: 30 });
    await user.click(screen.getByRole("button", { name: "שמור שינויים" }));
    await toastWith("ההגדרות נשמרו");
    assert.deepEqual(edge.admin.settings.settings, {
      ...DEFAULT_SETTINGS,
      maxMessagesPerDay: 100,
      retentionDays: 30,
      enableNotifications: false,
    });
  });
});

Deno.test("settings that the server refuses stay in the form", async () => {
  await withApp({ path: "/admin/settings", prepare: admin }, async ({ edge, user }) => {
    edge.refusals.set("PUT /api/admin/settings", { code: "invalid_input", error: "הערך לא התקבל." });
    await user.click(await screen.findByRole("switch", { name: "התראות" }));
    await user.click(screen.getByRole("button", { name: "שמור שינויים" }));
    assert.match(await toastWith("ההגדרות לא נשמרו"), /הערך לא התקבל/);
    assert.ok(screen.getByText("יש שינוי אחד שלא נשמר"));
  });
});

Deno.test("unsaved settings hold back a link until a person decides", async () => {
  await withApp({ path: "/admin/settings", prepare: admin }, async ({ user }) => {
    await user.click(await screen.findByRole("switch", { name: "התראות" }));
    const files = screen.getByRole("link", { name: "תור קבצים" });
    await user.click(files);
    const dialog = within(await screen.findByRole("dialog", { name: "לצאת בלי לשמור?" }));
    assert.ok(dialog.getByText("יש שינוי אחד שלא נשמר."));
    await user.click(dialog.getByRole("button", { name: "חזרה להגדרות" }));
    assert.ok(screen.getByRole("heading", { level: 1, name: "הגדרות מערכת" }));
    await user.click(files);
    await user.click(await screen.findByRole("button", { name: "יציאה בלי לשמור" }));
    await screen.findByRole("heading", { level: 1, name: "תור קבצים" });
  });
});

Deno.test("unsaved settings hold back a logout until a person decides", async () => {
  await withApp({ path: "/admin/settings", prepare: admin }, async ({ edge, user }) => {
    await user.click(await screen.findByRole("switch", { name: "התראות" }));
    const logOut = async () => {
      await user.click(screen.getByRole("button", { name: /^תפריט חשבון/ }));
      await user.click(await screen.findByRole("menuitem", { name: "התנתקות" }));
    };
    await logOut();
    await user.click(await screen.findByRole("button", { name: "חזרה להגדרות" }));
    await logOut();
    await user.click(await screen.findByRole("button", { name: "יציאה בלי לשמור" }));
    await screen.findByRole("heading", { level: 1, name: "כניסה למערכת" });
    const asked = edge.requests.filter((request) => request === "POST /api/auth/logout");
    assert.equal(asked.length, 1, "not before the question was answered");
  });
});

Deno.test("settings open at the card that the address names", async () => {
  await withApp({ path: "/admin/settings#anti-ban", prepare: admin }, async () => {
    await waitFor(() => assert.equal(document.activeElement?.textContent, "אנטי-באן"));
  });
});

Deno.test("a cap tenfold the recommended one, or marketing at night, asks before the save and stays marked", async () => {
  await withApp({ path: "/admin/settings", prepare: admin }, async ({ edge, user }) => {
    const cap = await screen.findByLabelText("תקרה יומית למכשיר");
    await user.clear(cap);
    await user.type(cap, "2500");
    assert.ok(screen.getByText("פי 10 מהמומלץ ויותר: ערך מסוכן."));
    await user.click(screen.getByRole("switch", { name: "לשלוח דיוור שיווקי רק בשעות השליחה" }));
    await user.click(screen.getByRole("button", { name: "שמור שינויים" }));
    const dialog = within(await screen.findByRole("dialog", { name: "לשמור ערך מסוכן?" }));
    assert.ok(dialog.getByText(/תקרה יומית למכשיר: 2,500, כשהמומלץ הוא 250/));
    assert.ok(dialog.getByText(/גם בלילה, בשבת ובחג/));
    assert.ok(document.activeElement === dialog.getByRole("button", { name: "ביטול" }));
    assert.ok(!edge.requests.includes("PUT /api/admin/settings"));
    await user.click(dialog.getByRole("button", { name: "שמירה בכל זאת" }));
    await prove(user);
    await toastWith("ההגדרות נשמרו");
    assert.ok(screen.getByText("פי 10 מהמומלץ ויותר: ערך מסוכן."));
    assert.ok(screen.getByText("כבוי: הודעות שיווק נשלחות גם בלילה, בשבת ובחג."));
    assert.deepEqual(edge.admin.settings.settings.maxMessagesPerDay, 2500);
  });
});

Deno.test("a breaker that hardly stops, or no days between messages, asks too and says what is in danger", async () => {
  await withApp({ path: "/admin/settings", prepare: admin }, async ({ user }) => {
    const type = async (label: string, value: string) => {
      const field = await screen.findByLabelText(label);
      await user.clear(field);
      await user.type(field, value);
    };
    await type("עצירה כשיותר מדי הודעות נכשלות", "100");
    assert.ok(screen.getByText("פי 10 מהמומלץ ויותר: ערך מסוכן."));
    await type("ימים בין הודעות שיווקיות לאותו נמען", "0");
    await type("מרווח בין הודעות", "0.1");
    assert.equal(screen.getAllByText("עשירית מהמומלץ או פחות: ערך מסוכן.").length, 2);
    await user.click(screen.getByRole("button", { name: "שמור שינויים" }));
    const dialog = within(await screen.findByRole("dialog", { name: "לשמור ערך מסוכן?" }));
    assert.ok(dialog.getByText(/נכשלות: 100, כשהמומלץ הוא 10\. קמפיין עם רשימה גרועה כמעט לא ייעצר מעצמו/));
    assert.ok(dialog.getByText(/לאותו נמען: 0, כשהמומלץ הוא 7\. אותו נמען עלול לקבל דיוור שוב ושוב/));
    assert.ok(dialog.getByText(/מרווח בין הודעות: 0\.1, כשהמומלץ הוא 1\. חשבונות עלולים להיחסם\./));
  });
});
