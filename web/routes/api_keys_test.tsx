import { toastWith, untilIdle, withApp } from "../testing/open_app.tsx";
import type { FakeEdge } from "../testing/fake_edge_api.ts";
import assert from "node:assert/strict";
import { screen, waitFor, within } from "@testing-library/react";
import type { ApiKey } from "shared/keys_api.ts";

const PATH = "/account/keys";

function key(given: Partial<ApiKey> = {}): ApiKey {
  return {
    id: 7,
    name: "מערכת הלקוחות",
    mode: "live",
    start: "shg_live_k7Qz",
    scopes: ["campaigns:read", "reports"],
    addresses: ["203.0.113.0/24"],
    dailyLimit: 5000,
    createdAt: 0,
    expiresAt: null,
    lastUsedAt: null,
    waits: false,
    ...given,
  };
}

function withKeys(...keys: ApiKey[]) {
  return (edge: FakeEdge) => {
    edge.keys = keys;
    return edge.addUser();
  };
}

Deno.test("a key is made with a password, and shown once", async () => {
  await withApp({ path: "/account", prepare: withKeys() }, async ({ edge, user }) => {
    await user.click(await screen.findByRole("link", { name: "למפתחות" }));
    await screen.findByRole("heading", { level: 1, name: "מפתחות API" });
    await screen.findByText("אין מפתחות");
    await user.type(screen.getByLabelText("לאיזו תוכנה"), "CRM");
    await user.click(screen.getByRole("radio", { name: /^ניסיון/ }));
    await user.click(screen.getByRole("checkbox", { name: /^דוחות/ }));
    await user.click(screen.getByRole("checkbox", { name: /^אנשי קשר/ }));
    await user.type(screen.getByLabelText("הגבלה ליום (לא חובה)"), "200");
    await user.type(screen.getByLabelText("כתובות מותרות (לא חובה)"), "203.0.113.7, 2001:db8::/32");
    await user.click(screen.getByRole("button", { name: "יצירת מפתח" }));
    const question = within(await screen.findByRole("dialog", { name: "אישור בסיסמה" }));
    await user.type(question.getByLabelText("הסיסמה הנוכחית"), "sod-gadol{Enter}");
    const dialog = within(await screen.findByRole("dialog", { name: "המפתח של CRM" }));
    const secret = dialog.getByLabelText("מפתח").textContent!;
    assert.match(secret, /^shg_test_/);
    const [made] = edge.keys;
    assert.deepEqual([made.mode, made.scopes, made.dailyLimit], ["test", ["reports", "contacts"], 200]);
    assert.deepEqual(made.addresses, ["203.0.113.7", "2001:db8::/32"]);
    assert.ok(made.expiresAt !== null, "a new key ends by itself unless a person says otherwise");
    await user.click(dialog.getByRole("button", { name: "שמרתי את המפתח" }));
    assert.ok(!document.body.textContent!.includes(secret));
    const list = within(await screen.findByRole("list", { name: "רשימת המפתחות" }));
    list.getByText("CRM");
  });
});

Deno.test("a form that is wrong is not sent, and keeps what was typed", async () => {
  await withApp({ path: PATH, prepare: withKeys() }, async ({ edge, user }) => {
    const submit = async () => await user.click(screen.getByRole("button", { name: "יצירת מפתח" }));
    await screen.findByText("אין מפתחות");
    await submit();
    screen.getByText("נא לכתוב לאיזו תוכנה המפתח");
    assert.equal(document.activeElement, screen.getByLabelText("לאיזו תוכנה"));
    await user.type(screen.getByLabelText("לאיזו תוכנה"), "CRM");
    await submit();
    screen.getByText("נא לבחור לפחות הרשאה אחת");
    await user.click(screen.getByRole("checkbox", { name: /^דוחות/ }));
    await user.type(screen.getByLabelText("הגבלה ליום (לא חובה)"), "0");
    await submit();
    screen.getByText("נא להזין מספר שלם, 1 ומעלה");
    await user.clear(screen.getByLabelText("הגבלה ליום (לא חובה)"));
    await user.type(screen.getByLabelText("כתובות מותרות (לא חובה)"), "office");
    await submit();
    screen.getByText("זו לא כתובת IP: office");
    assert.ok(!edge.requests.includes("POST /api/keys"));
  });
});

Deno.test("a key says its scopes and bounds, and is revoked after a question whose focus is on cancel", async () => {
  await withApp(
    { path: PATH, prepare: withKeys(key(), key({ id: 8, name: "אתר" })) },
    async ({ edge, user }) => {
      const list = within(await screen.findByRole("list", { name: "רשימת המפתחות" }));
      const row = list.getByText("מערכת הלקוחות").closest("li")!;
      assert.match(row.textContent!, /קריאת קמפיינים · דוחות/);
      assert.match(row.textContent!, /עוד לא היה בשימוש · בלי תפוגה · עד 5,000 בקשות ביום/);
      assert.match(row.textContent!, /203\.0\.113\.0\/24/);
      await user.click(list.getByRole("button", { name: "ביטול המפתח מערכת הלקוחות" }));
      const dialog = within(await screen.findByRole("dialog"));
      assert.equal(document.activeElement, dialog.getByRole("button", { name: "ביטול" }));
      await user.click(dialog.getByRole("button", { name: "ביטול המפתח" }));
      await toastWith("המפתח בוטל");
      await waitFor(() => assert.deepEqual(edge.keys.map(({ id }) => id), [8]));
      await untilIdle();
    },
  );
});

Deno.test("after a restore a key waits, and is confirmed with a password", async () => {
  await withApp({ path: PATH, prepare: withKeys(key({ waits: true })) }, async ({ edge, user }) => {
    await screen.findByText("מפתח אחד מחכה לאישור");
    await user.click(screen.getByRole("button", { name: "אישור של מערכת הלקוחות" }));
    const question = within(await screen.findByRole("dialog", { name: "אישור בסיסמה" }));
    await user.type(question.getByLabelText("הסיסמה הנוכחית"), "sod-gadol{Enter}");
    await toastWith("המפתח אושר ופועל שוב");
    assert.equal(edge.keys[0].waits, false);
  });
});

Deno.test("an administrator chooses among an administrator's scopes; a colleague has no keys", async () => {
  const admin = (edge: FakeEdge) => edge.addUser({ role: "admin" });
  await withApp({ path: PATH, prepare: admin }, async () => {
    await screen.findByRole("checkbox", { name: /^קריאה/ });
    assert.equal(screen.queryByRole("radio"), null);
    assert.equal(screen.queryByRole("checkbox", { name: /^דוחות/ }), null);
  });
  const colleague = (edge: FakeEdge) =>
    edge.addUser({ colleague: { client: 1, clientName: "דנה", duty: "sender", waits: false } });
  await withApp({ path: PATH, prepare: colleague }, async () => {
    await screen.findByRole("heading", { level: 1, name: "החשבון שלי" });
    assert.equal(screen.queryByRole("link", { name: "למפתחות" }), null);
  });
});

Deno.test("a lost answer and a second press make one draft", async () => {
  await withApp({ path: "/client", prepare: (edge) => edge.addUser() }, async ({ edge, user }) => {
    const card = within(await screen.findByRole("region", { name: "קמפיין חדש" }));
    await user.type(card.getByPlaceholderText("למשל: קמפיין סתיו 2024"), "סתיו");
    await user.type(card.getByLabelText("תוכן ההודעה"), "שלום לכולם");
    await user.click(card.getByLabelText("שירות"));
    edge.refusals.set("POST /api/campaigns", "lost_answer");
    await user.click(card.getByRole("button", { name: "צור קמפיין" }));
    await waitFor(() => assert.equal(edge.campaigns.length, 1));
    await untilIdle();
    await user.click(await card.findByRole("button", { name: "צור קמפיין" }));
    await card.findByRole("button", { name: "עריכה" });
    assert.equal(edge.campaigns.length, 1);
  });
});
