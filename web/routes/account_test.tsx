import { toastWith, untilIdle, withApp } from "../testing/open_app.tsx";
import type { FakeEdge } from "../testing/fake_edge_api.ts";
import assert from "node:assert/strict";
import { screen, waitFor, within } from "@testing-library/react";

const HOUR = 3_600_000;

function withSessions(edge: FakeEdge) {
  const now = Date.now();
  edge.sessions = [
    { createdAt: now, lastSeenAt: now, userAgent: "Mozilla/5.0 (Windows) Chrome/130.0", isThis: true },
    {
      createdAt: now - 50 * HOUR,
      lastSeenAt: now - 2 * HOUR,
      userAgent: "Mozilla/5.0 (iPhone) Safari/604",
      isThis: false,
    },
  ];
  return edge.addUser();
}

Deno.test("account is reached from the header of a client and from the menu of an administrator", async () => {
  await withApp({ path: "/client", prepare: (edge) => edge.addUser() }, async ({ user }) => {
    await user.click(await screen.findByRole("link", { name: "החשבון שלי" }));
    await screen.findByRole("heading", { level: 1, name: "החשבון שלי" });
    await user.click(screen.getByRole("link", { name: "חזרה לקמפיינים" }));
    await screen.findByRole("heading", { level: 1, name: /ברוך הבא/ });
  });
  const prepare = (edge: FakeEdge) => edge.addUser({ username: "menahel", role: "admin" });
  await withApp({ path: "/admin/users", prepare }, async ({ user }) => {
    await user.click(await screen.findByRole("button", { name: "תפריט חשבון: menahel" }));
    await user.click(screen.getByRole("menuitem", { name: "החשבון שלי" }));
    await screen.findByRole("heading", { level: 1, name: "החשבון שלי" });
    assert.equal(
      screen.getByRole("link", { name: "חזרה לדשבורד הניהול" }).getAttribute("href"),
      "/admin",
    );
  });
});

Deno.test("account changes the password after checking it, and says what that ended", async () => {
  await withApp({ path: "/account", prepare: withSessions }, async ({ edge, user }) => {
    const form = within(await screen.findByRole("region", { name: "החלפת סיסמה" }));
    const [current, next, again] = ["הסיסמה הנוכחית", "סיסמה חדשה", "הסיסמה החדשה, שוב"].map((label) =>
      form.getByLabelText<HTMLInputElement>(label)
    );
    const submit = form.getByRole("button", { name: "החלפת הסיסמה" });
    async function refused(field: HTMLInputElement, text: string) {
      await user.click(submit);
      await waitFor(() => assert.equal(form.getByRole("alert").textContent, text));
      await untilIdle();
      await waitFor(() => assert.ok(document.activeElement === field));
      assert.equal(field.getAttribute("aria-invalid"), "true");
    }
    await refused(current, "נא להזין את הסיסמה הנוכחית");
    await user.type(current, "not-mine");
    await user.type(next, "short");
    await refused(next, "הסיסמה החדשה קצרה מדי: נא להזין לפחות 8 תווים");
    await user.clear(next);
    await user.type(next, "not-mine");
    await refused(next, "הסיסמה החדשה זהה לנוכחית");
    await user.clear(next);
    await user.type(next, "sod-hadash");
    await refused(again, "שתי הסיסמאות אינן זהות");
    await user.type(again, "sod-hadash");
    await refused(current, "הסיסמה הנוכחית שגויה.");
    await user.clear(current);
    await user.type(current, "sod-gadol");
    await user.click(submit);
    assert.match(await toastWith("הסיסמה הוחלפה"), /החיבורים האחרים לחשבון נותקו/);
    await waitFor(() => assert.deepEqual([current.value, next.value, again.value], ["", "", ""]));
    assert.equal(edge.users[0].password, "sod-hadash");
    const asked = edge.requests.filter((request) => request === "POST /api/auth/password");
    assert.equal(asked.length, 2, "what the page itself refused was not asked");
    await screen.findByText("אין חיבורים אחרים.");
  });
});

Deno.test("account turns on the second factor: password, picture and key, first code, recovery codes", async () => {
  await withApp({ path: "/account", prepare: withSessions }, async ({ edge, user }) => {
    const card = within(await screen.findByRole("region", { name: "אימות דו־שלבי" }));
    assert.ok(await card.findByText("כבוי"));
    await user.click(card.getByRole("button", { name: "הפעלה" }));
    const dialog = within(await screen.findByRole("dialog", { name: "הפעלת אימות דו־שלבי" }));
    assert.ok(dialog.getByText(/כל החיבורים האחרים לחשבון ינותקו/));
    const password = dialog.getByLabelText<HTMLInputElement>("הסיסמה הנוכחית");
    await user.type(password, "not-mine{Enter}");
    await waitFor(() => assert.equal(dialog.getByRole("alert").textContent, "הסיסמה הנוכחית שגויה."));
    await untilIdle();
    await waitFor(() => assert.ok(document.activeElement === password));
    await user.clear(password);
    await user.type(password, "sod-gadol{Enter}");

    const picture = await dialog.findByRole("img", { name: "תמונת QR להוספת החשבון לאפליקציית אימות" });
    assert.ok(picture.querySelectorAll("path")[1]!.getAttribute("d")!.length > 1000);
    assert.ok(dialog.getByText("ABCD EFGH 23"));
    assert.equal(
      dialog.getByRole("link", { name: /פתיחה באפליקציה/ }).getAttribute("href"),
      "otpauth://totp/x",
    );
    await waitFor(() => assert.match(document.activeElement!.textContent!, /^סורקים/));
    const code = dialog.getByLabelText<HTMLInputElement>("הקוד שמופיע באפליקציה");
    await user.type(code, "654321{Enter}");
    await waitFor(() => assert.equal(dialog.getByRole("alert").textContent, "קוד האימות שגוי."));
    await untilIdle();
    await waitFor(() => assert.ok(document.activeElement === code));
    assert.equal(edge.secondFactor.since, null);
    await user.clear(code);
    await user.type(code, "123456{Enter}");

    const codes = within(await screen.findByRole("dialog", { name: "קודי השחזור שלך" }));
    assert.match(codes.getByLabelText("קודי שחזור").textContent!, /^AAAA-BBBB-CCCC-DDDD-EEEE-FF20\n/);
    await user.click(codes.getByRole("button", { name: "הקודים נשמרו" }));
    assert.ok(await card.findByText("פעיל"));
    assert.ok(card.getByText("נותרו 10 קודי שחזור."));
    assert.ok(screen.queryByRole("dialog") === null);
  });
});

Deno.test("account asks for password and code before it turns off the second factor or renews recovery codes", async () => {
  const prepare = (edge: FakeEdge) => {
    edge.secondFactor = { since: Date.now() - HOUR, recoveryCodes: 1 };
    return edge.addUser({ secondFactor: true });
  };
  await withApp({ path: "/account", prepare }, async ({ edge, user }) => {
    const card = within(await screen.findByRole("region", { name: "אימות דו־שלבי" }));
    assert.ok(await card.findByText("נותר קוד שחזור אחד. כדאי להפיק חדשים."));
    async function ask(button: string, title: string, code: string) {
      await user.click(card.getByRole("button", { name: button }));
      const dialog = within(await screen.findByRole("dialog", { name: title }));
      await user.type(dialog.getByLabelText("הסיסמה הנוכחית"), "sod-gadol");
      await user.type(dialog.getByLabelText("קוד אימות"), `${code}{Enter}`);
      return dialog;
    }
    const renew = await ask("קודי שחזור חדשים", "להפיק קודי שחזור חדשים?", "111111");
    await waitFor(() => assert.equal(renew.getByRole("alert").textContent, "קוד האימות שגוי."));
    await untilIdle();
    await waitFor(() => assert.ok(document.activeElement === renew.getByLabelText("קוד אימות")));
    await user.click(renew.getByRole("button", { name: "ביטול" }));
    await ask("קודי שחזור חדשים", "להפיק קודי שחזור חדשים?", "123456");
    const codes = within(await screen.findByRole("dialog", { name: "קודי השחזור שלך" }));
    await user.click(codes.getByRole("button", { name: "הקודים נשמרו" }));
    assert.ok(await card.findByText("נותרו 10 קודי שחזור."));

    edge.refusals.set("DELETE /api/auth/second-factor", { code: "too_many_attempts", error: "יותר מדי." });
    const refused = await ask("כיבוי", "לכבות את האימות הדו־שלבי?", "123456");
    await waitFor(() => assert.equal(refused.getByRole("alert").textContent, "יותר מדי."));
    await untilIdle();
    await user.click(refused.getByRole("button", { name: "ביטול" }));
    edge.refusals.clear();
    await ask("כיבוי", "לכבות את האימות הדו־שלבי?", "123456");
    await toastWith("האימות הדו־שלבי כובה");
    assert.ok(await card.findByRole("button", { name: "הפעלה" }));
    assert.equal(edge.users[0].secondFactor, false);
  });
});

Deno.test("an administrator without the required second factor reaches only the account", async () => {
  const prepare = (edge: FakeEdge) =>
    edge.addUser({ username: "menahel", role: "admin", lacksSecondFactor: true });
  await withApp({ path: "/admin/users", prepare }, async ({ edge, user }) => {
    await screen.findByRole("heading", { level: 1, name: "החשבון שלי" });
    const notice = await screen.findByText(/מנהלי המערכת חייבים בו/);
    assert.equal(edge.openSockets, 0);
    assert.ok(
      screen.queryByRole("link", { name: "חזרה לדשבורד הניהול" }) === null,
      "it would lead back here",
    );
    assert.deepEqual(edge.requests.filter((asked) => !asked.includes(" /api/auth/")), []);

    const card = within(screen.getByRole("region", { name: "אימות דו־שלבי" }));
    await user.click(await card.findByRole("button", { name: "הפעלה" }));
    await user.type(
      await screen.findByLabelText("הסיסמה הנוכחית", { selector: "dialog *" }),
      "sod-gadol{Enter}",
    );
    const code = await screen.findByLabelText("הקוד שמופיע באפליקציה");
    await waitFor(() =>
      assert.match(document.activeElement!.textContent!, /^סורקים/, "else it takes the keys")
    );
    await user.type(code, "123456{Enter}");
    await user.click(await screen.findByRole("button", { name: "הקודים נשמרו" }));
    await waitFor(() => assert.equal(notice.isConnected, false));
    await waitFor(() => assert.equal(edge.openSockets, 1));
    await user.click(screen.getByRole("link", { name: "חזרה לדשבורד הניהול" }));
    await screen.findByRole("heading", { level: 1, name: "דשבורד ניהול" });
  });
});

Deno.test("account asks for a new password and shows nothing else to a user with a given one", async () => {
  for (const [role, path] of [["client", "/client"], ["admin", "/admin/users"]] as const) {
    const prepare = (edge: FakeEdge) =>
      edge.addUser({ role, firstPassword: true, lacksSecondFactor: role === "admin" });
    await withApp({ path, prepare }, async ({ edge, user }) => {
      const form = within(await screen.findByRole("region", { name: "החלפת סיסמה" }));
      const notice = () => screen.queryByText(/הסיסמה הראשונה טובה רק/);
      assert.ok(notice());
      for (const other of ["אימות דו־שלבי", "חיבורים פתוחים"]) {
        assert.ok(screen.queryByRole("region", { name: other }) === null);
      }
      assert.ok(screen.queryByRole("link", { name: /חזרה/ }) === null, "it would lead back here");
      assert.equal(edge.openSockets, 0);
      assert.deepEqual([...new Set(edge.requests)], ["GET /api/auth/me"]);
      await user.type(form.getByLabelText("הסיסמה הנוכחית"), "sod-gadol");
      await user.type(form.getByLabelText("סיסמה חדשה"), "sod-hadash");
      await user.type(form.getByLabelText("הסיסמה החדשה, שוב"), "sod-hadash{Enter}");
      await toastWith("הסיסמה הוחלפה");
      await waitFor(() => assert.ok(notice() === null));
      if (role === "client") {
        // Nothing else was to be done here.
        await screen.findByRole("heading", { level: 1, name: "ברוך הבא, dana" });
        await waitFor(() => assert.equal(edge.openSockets, 1));
      } else {
        // An administrator who also lacks a second factor is asked for that next.
        await screen.findByRole("region", { name: "אימות דו־שלבי" });
        assert.ok(screen.getByText(/מנהלי המערכת חייבים בו/));
      }
    });
  }
});

Deno.test("account lists its logins, and ends the others by password, after it says how many", async () => {
  await withApp({ path: "/account", prepare: withSessions }, async ({ user }) => {
    const list = within(await screen.findByRole("region", { name: "חיבורים פתוחים" }));
    assert.ok(await list.findByText("Safari ב־iPhone"));
    assert.ok(list.getByText(/פעיל לפני שעתיים/));
    assert.ok(within(list.getByText("Chrome ב־Windows").closest("li")!).getByText("החיבור הזה"));
    await user.click(list.getByRole("button", { name: "ניתוק החיבורים האחרים" }));
    const dialog = within(await screen.findByRole("dialog", { name: "לנתק את החיבורים האחרים?" }));
    assert.ok(dialog.getByText(/^חיבור אחד לחשבון שלכם ינותק\./));
    const password = dialog.getByLabelText("הסיסמה הנוכחית");
    await user.type(password, "not-mine{Enter}");
    await waitFor(() => assert.equal(dialog.getByRole("alert").textContent, "הסיסמה הנוכחית שגויה."));
    await untilIdle();
    await waitFor(() => assert.ok(document.activeElement === password));
    await user.clear(password);
    await user.type(password, "sod-gadol");
    await user.click(dialog.getByRole("button", { name: "ניתוק" }));
    await toastWith("החיבורים האחרים נותקו");
    await waitFor(() => assert.ok(list.queryByText("Safari ב־iPhone") === null));
    await list.findByText("אין חיבורים אחרים.");
  });
});

Deno.test("account whose sessions do not load offers another try, and says when ending them failed", async () => {
  const prepare = (edge: FakeEdge) => {
    edge.refusals.set("GET /api/auth/sessions", { code: "internal", error: "תקלה בשרת" });
    edge.refusals.set("DELETE /api/auth/sessions", "no_answer");
    edge.acceptsSockets = false;
    return withSessions(edge);
  };
  await withApp({ path: "/account", prepare }, async ({ edge, user }) => {
    await screen.findByText("החיבורים לא נטענו");
    edge.refusals.delete("GET /api/auth/sessions");
    await user.click(screen.getByRole("button", { name: "ניסיון נוסף" }));
    await user.click(await screen.findByRole("button", { name: "ניתוק החיבורים האחרים" }));
    const password = await screen.findByLabelText("הסיסמה הנוכחית", { selector: "dialog *" });
    await user.type(password, "sod-gadol{Enter}");
    await screen.findByText("השרת לא אישר את הפעולה. דבר לא השתנה.");
    assert.ok(screen.getByText("Safari ב־iPhone"));
  });
});
