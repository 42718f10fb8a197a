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
    await screen.findByRole("heading", { level: 1, name: "ברוך הבא, dana" });
    assert.match(await toastWith("התחברת בהצלחה"), /ברוך הבא, dana/);
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

Deno.test("login that fails keeps the fields, tells why, and selects the password", async () => {
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

Deno.test("login says the server's reason when it is not the password", async () => {
  await withApp({ path: "/login" }, async ({ edge, user }) => {
    edge.refusals.set("POST /api/auth/login", { code: "too_many_attempts", error: "יותר מדי ניסיונות." });
    await user.type(await screen.findByLabelText("שם משתמש"), "dana");
    await user.type(screen.getByLabelText("סיסמה"), "x{Enter}");
    assert.match(await toastWith("שגיאה בהתחברות"), /יותר מדי ניסיונות/);
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
