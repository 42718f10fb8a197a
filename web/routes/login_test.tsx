import { toastWith, withApp } from "../testing/open_app.tsx";
import type { FakeEdge } from "../testing/fake_edge_api.ts";
import assert from "node:assert/strict";
import { screen, waitFor } from "@testing-library/react";

Deno.test("landing shows the claims and leads to the login", async () => {
  await withApp({ path: "/" }, async ({ edge, user }) => {
    await screen.findByRole("heading", { level: 1, name: "כל הודעה יוצאת. פעם אחת בלבד." });
    assert.ok(screen.getByText("מכשירים פעילים"));
    assert.equal(screen.getAllByRole("article").length, 4);
    await user.click(screen.getByRole("link", { name: "כניסת מנהל" }));
    await screen.findByRole("heading", { name: "כניסה למערכת" });
    assert.deepEqual(edge.requests, [], "a visitor asks the server for nothing");
  });
});

Deno.test("login leads a client to the campaigns, with the greeting and the toast", async () => {
  await withApp({ path: "/login", prepare: (edge) => void edge.addUser() }, async ({ edge, user }) => {
    await user.type(await screen.findByLabelText("שם משתמש"), "dana");
    await user.type(screen.getByLabelText("סיסמה"), "sod-gadol");
    await user.click(screen.getByRole("button", { name: "התחברות" }));
    // toastWith() also catches a toast that disappears before the screen is complete.
    assert.match(await toastWith("התחברת בהצלחה"), /ברוך הבא, dana/);
    await screen.findByRole("heading", { level: 1, name: "ברוך הבא, dana" });
    await waitFor(() => assert.equal(edge.openSockets, 1));
  });
});

Deno.test("login leads an administrator to the users", async () => {
  const prepare = (edge: FakeEdge) => void edge.addUser({ username: "admin", role: "admin" });
  await withApp({ path: "/login", prepare }, async ({ user }) => {
    await user.type(await screen.findByLabelText("שם משתמש"), "admin");
    await user.type(screen.getByLabelText("סיסמה"), "sod-gadol{Enter}");
    await screen.findByRole("heading", { name: "ניהול משתמשים" });
  });
});

Deno.test("login that fails keeps the fields, says why, and selects the password", async () => {
  await withApp({ path: "/login", prepare: (edge) => void edge.addUser() }, async ({ user }) => {
    await user.type(await screen.findByLabelText("שם משתמש"), "dana");
    await user.type(screen.getByLabelText("סיסמה"), "wrong{Enter}");
    assert.match(await toastWith("שגיאה בהתחברות"), /שם משתמש או סיסמה שגויים/);
    const password = screen.getByLabelText<HTMLInputElement>("סיסמה");
    assert.equal(document.activeElement, password);
    assert.equal(password.selectionEnd, "wrong".length);
    assert.equal(screen.getByLabelText<HTMLInputElement>("שם משתמש").value, "dana");
  });
});

Deno.test("a toast is announced to screen readers in Hebrew from its first word", async () => {
  await withApp({ path: "/login", prepare: (edge) => void edge.addUser() }, async ({ user }) => {
    await user.type(await screen.findByLabelText("שם משתמש"), "dana");
    // Visible for a second only: start to wait before the cause.
    const toast = screen.findByText(/^\S+ שגיאה בהתחברות/, { selector: "[role=status]" });
    await user.type(screen.getByLabelText("סיסמה"), "wrong{Enter}");
    assert.match((await toast).textContent!, /^התראה /);
  });
});

Deno.test("login says the server's reason when it is not the password", async () => {
  await withApp({ path: "/login" }, async ({ edge, user }) => {
    edge.refusals.set("POST /api/auth/login", { code: "too_many_attempts", error: "יותר מדי ניסיונות." });
    await user.type(await screen.findByLabelText("שם משתמש"), "dana");
    await user.type(screen.getByLabelText("סיסמה"), "x{Enter}");
    assert.match(await toastWith("שגיאה בהתחברות"), /יותר מדי ניסיונות/);
  });
});

Deno.test("login asks for a code once the password was right, and keeps what was typed", async () => {
  const prepare = (edge: FakeEdge) => void edge.addUser({ secondFactor: true });
  await withApp({ path: "/login", prepare }, async ({ edge, user }) => {
    await user.type(await screen.findByLabelText("שם משתמש"), "dana");
    const password = screen.getByLabelText<HTMLInputElement>("סיסמה");
    await user.type(password, "sod-gadol{Enter}");
    const code = await screen.findByLabelText<HTMLInputElement>("קוד אימות");
    await waitFor(() => assert.ok(document.activeElement === code));
    assert.deepEqual([code.autocomplete, code.inputMode, code.dir], ["one-time-code", "numeric", "ltr"]);
    assert.equal(password.form!.hidden, true);
    assert.equal(document.querySelector(".toast-card"), null, "that is no failure");

    await user.type(code, "111111{Enter}");
    assert.match(await toastWith("שגיאה בהתחברות"), /קוד האימות שגוי/);
    assert.deepEqual([code.value, code.selectionEnd], ["111111", 6]);
    assert.ok(document.activeElement === code);
    await user.click(screen.getByRole("button", { name: "שימוש בקוד שחזור" }));
    const recovery = screen.getByLabelText<HTMLInputElement>("קוד שחזור");
    assert.deepEqual([recovery.value, recovery.inputMode], ["", "text"]);
    assert.ok(document.activeElement === recovery);

    await user.click(screen.getByRole("button", { name: "חזרה" }));
    assert.ok(document.activeElement === password);
    assert.deepEqual([password.value, screen.queryByLabelText("קוד שחזור")], ["sod-gadol", null]);
    await user.type(password, "{Enter}");
    await user.click(await screen.findByLabelText("קוד אימות"));
    await user.paste("123 456");
    await user.click(screen.getAllByRole("button", { name: "התחברות" })[0]);
    await screen.findByRole("heading", { level: 1, name: "ברוך הבא, dana" });
    assert.equal(edge.requests.filter((asked) => asked === "POST /api/auth/login").length, 4);
  });
});

Deno.test("guard leads a visitor to the login without asking the server", async () => {
  await withApp({ path: "/client" }, async ({ edge }) => {
    await screen.findByRole("heading", { name: "כניסה למערכת" });
    assert.deepEqual(edge.requests, []);
  });
});

Deno.test("guard leads a client away from the administrators' screens", async () => {
  await withApp({ path: "/admin/users", prepare: (edge) => edge.addUser() }, async () => {
    await screen.findByRole("heading", { level: 1, name: "ברוך הבא, dana" });
  });
});

Deno.test("an unknown path shows the 404 page, inside the admin shell too", async () => {
  await withApp({ path: "/no/such/page" }, async () => {
    await screen.findByText("404 Page Not Found");
  });
  await withApp({ path: "/admin/nothing", prepare: (edge) => edge.addUser({ role: "admin" }) }, async () => {
    await screen.findByText("404 Page Not Found");
    assert.ok(screen.getByRole("link", { name: "לדשבורד הניהול" }));
  });
});

Deno.test("logout leads to the login and closes the socket, even when the server refuses it", async () => {
  await withApp({ path: "/client", prepare: (edge) => edge.addUser() }, async ({ edge, user }) => {
    edge.refusals.set("POST /api/auth/logout", { code: "internal", error: "תקלה" });
    await screen.findByRole("heading", { level: 1, name: "ברוך הבא, dana" });
    await waitFor(() => assert.equal(edge.openSockets, 1));
    await user.click(screen.getByRole("button", { name: "התנתקות" }));
    await screen.findByRole("heading", { name: "כניסה למערכת" });
    await waitFor(() => assert.equal(edge.openSockets, 0));
    assert.equal(document.cookie.includes("shigur_hint=1"), false);
  });
});

Deno.test("the next user of the same page sees nothing of the previous one", async () => {
  const prepare = (edge: FakeEdge) => {
    edge.addCampaign({ name: "סוד של דנה" });
    edge.addUser({ username: "avi" });
    return edge.addUser({ username: "dana" });
  };
  await withApp({ path: "/client", prepare }, async ({ edge, user }) => {
    await screen.findByText("סוד של דנה");
    await user.click(screen.getByRole("button", { name: "התנתקות" }));
    edge.refusals.set("GET /api/campaigns", "no_answer");
    await user.type(await screen.findByLabelText("שם משתמש"), "avi");
    await user.type(screen.getByLabelText("סיסמה"), "sod-gadol");
    await user.click(screen.getByRole("button", { name: "התחברות" }));
    await screen.findByRole("heading", { level: 1, name: "ברוך הבא, avi" });
    await screen.findByRole("button", { name: "ניסיון נוסף" });
    assert.ok(screen.queryByText("סוד של דנה") === null);
  });
});

Deno.test("theme toggles, is remembered, and says where it leads", async () => {
  await withApp({ path: "/" }, async ({ user }) => {
    document.documentElement.dataset.theme = "dark";
    await user.click(await screen.findByRole("button", { name: "מעבר לערכה בהירה" }));
    assert.equal(document.documentElement.dataset.theme, "light");
    assert.equal(localStorage.getItem("theme"), "light");
    await user.click(screen.getByRole("button", { name: "מעבר לערכה כהה" }));
    assert.equal(localStorage.getItem("theme"), "dark");
  });
});

Deno.test("login requires both fields, and sends no request without them", async () => {
  await withApp({ path: "/login" }, async ({ edge, user }) => {
    const username = await screen.findByLabelText<HTMLInputElement>("שם משתמש");
    assert.ok(username.required && screen.getByLabelText<HTMLInputElement>("סיסמה").required);
    await user.type(username, "dana");
    await user.click(screen.getByRole("button", { name: "התחברות" }));
    await user.type(screen.getByLabelText("סיסמה"), "x");
    await user.click(screen.getByRole("button", { name: "התחברות" }));
    await toastWith("שגיאה בהתחברות");
    assert.deepEqual(edge.requests, ["POST /api/auth/login"]);
  });
});

const GUARDED = ["/client", "/client/campaign/1", "/account", "/admin", "/admin/devices", "/admin/nothing"];

Deno.test("guard leads a visitor from every screen behind the login to the login", async () => {
  for (const path of GUARDED) {
    await withApp({ path }, async () => {
      await screen.findByRole("heading", { name: "כניסה למערכת" });
    });
  }
});

Deno.test("guard leads a client from every administrators' path to the campaigns", async () => {
  for (const path of ["/admin", "/admin/settings", "/admin/nothing"]) {
    await withApp({ path, prepare: (edge) => edge.addUser() }, async () => {
      await screen.findByRole("heading", { level: 1, name: "ברוך הבא, dana" });
    });
  }
});

Deno.test("guard lets an administrator see the client's screens, and shows the way back", async () => {
  const prepare = (edge: FakeEdge) => edge.addUser({ username: "menahel", role: "admin", messageQuota: 0 });
  await withApp({ path: "/client", prepare }, async ({ user }) => {
    await screen.findByRole("heading", { level: 1, name: "ברוך הבא, menahel" });
    await user.click(screen.getByRole("link", { name: "אזור הניהול" }));
    await screen.findByRole("heading", { level: 1, name: "דשבורד ניהול" });
  });
});

Deno.test("a lock-out says beside the field how long it lasts, and no toast repeats it", async () => {
  await withApp({ path: "/login", prepare: (edge) => void edge.addUser() }, async ({ edge, user }) => {
    edge.refusals.set("POST /api/auth/login", {
      code: "too_many_attempts",
      error: "יותר מדי ניסיונות.",
      retryAfterS: 872,
    });
    await user.type(await screen.findByLabelText("שם משתמש"), "dana");
    await user.type(screen.getByLabelText("סיסמה"), "wrong{Enter}");
    assert.match((await screen.findByRole("alert")).textContent!, /אפשר לנסות שוב בעוד 14:3[012]/);
    const password = screen.getByLabelText("סיסמה");
    const described = document.getElementById(password.getAttribute("aria-describedby")!);
    assert.match(described!.textContent!, /14:3/);
    assert.ok(screen.queryByText("שגיאה בהתחברות") === null);
    edge.refusals.clear();
    await user.clear(password);
    await user.type(password, "sod-gadol{Enter}");
    await screen.findByRole("heading", { level: 1, name: "ברוך הבא, dana" });
  });
});
