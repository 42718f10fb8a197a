import { toastWith, withApp } from "../../testing/open_app.tsx";
import type { FakeEdge } from "../../testing/fake_edge_api.ts";
import { makeAuditRow } from "../../testing/make_fleet.ts";
import assert from "node:assert/strict";
import { screen, waitFor } from "@testing-library/react";
import type { AuditFault } from "shared/audit.ts";

function admin(edge: FakeEdge) {
  const user = edge.addUser({ role: "admin" });
  edge.admin.audit = Array.from({ length: 5_000 }, (_, index) =>
    makeAuditRow({
      id: 5_000 - index,
      kind: index % 2 === 0 ? "login" : "settings_changed",
      text: `מעשה ${5_000 - index}`,
      campaignId: index === 0 ? 41 : null,
      actorId: index === 3 ? user.id : null,
      actorName: index === 3 ? user.username : null,
    }));
  edge.admin.chain = { checkedAt: Date.now() - 120_000, rows: 5_000, fault: null, open: 0, openSince: null };
  return user;
}

Deno.test("the audit log shows the newest of many rows with their actors, and that the chain is whole", async () => {
  await withApp({ path: "/admin/audit", prepare: admin }, async () => {
    await screen.findByRole("heading", { level: 1, name: "יומן ביקורת" });
    const newest = await screen.findByRole("link", { name: "מעשה 5000" });
    assert.equal(newest.getAttribute("href"), "/admin/campaigns/41");
    assert.ok(screen.getAllByRole("listitem").length < 80);
    await screen.findByText("היומן שלם.");
    await screen.findByText(/נבדק לפני שתי דקות: 5,000 שורות, כולן כפי שנחתמו/);
  });
});

Deno.test("the audit log is filtered by kind, by actor and by date", async () => {
  await withApp({ path: "/admin/audit", prepare: admin }, async ({ edge, user }) => {
    await screen.findByText("מעשה 5000");
    await user.click(screen.getByRole("button", { name: "מערכת" }));
    await screen.findByText("מעשה 4999");
    await waitFor(() => assert.ok(screen.queryByText("מעשה 5000") === null));
    const select = screen.getByRole("combobox", { name: "מי" });
    await waitFor(() => assert.equal(select.children.length, 2));
    await user.selectOptions(select, edge.users[0]!.username);
    await screen.findByText("מעשה 4997");
    await waitFor(() => assert.ok(screen.queryByText("מעשה 4999") === null));
    await user.type(screen.getByLabelText("מתאריך"), "22.11.2026");
    await screen.findByText("אין שורות שעונות לסינון.");
    assert.match(edge.admin.auditAsked.at(-1)!, /group=system&actor=\d+&from=1795298400000/);
  });
});

Deno.test("the audit log refuses to export invalid days, or a period that ends before it begins", async () => {
  await withApp({ path: "/admin/audit", prepare: admin }, async ({ edge, user }) => {
    await screen.findByText("מעשה 5000");
    const save = () => user.click(screen.getByRole("button", { name: "ייצוא CSV" }));
    const [from, to] = [screen.getByLabelText("מתאריך"), screen.getByLabelText("עד תאריך")];
    await user.type(from, "22.11");
    await save();
    assert.match(await toastWith("הקובץ לא הורד"), /נא לכתוב תאריך: יום, חודש ושנה/);
    await user.type(from, ".2026");
    await user.type(to, "21.11.2026");
    await screen.findByText("תאריך הסיום מוקדם מתאריך ההתחלה.");
    await save();
    await screen.findByText("תאריך הסיום מוקדם מתאריך ההתחלה.", { selector: ".toast-card *" });
    await user.clear(to);
    await user.type(to, "22.11.2026");
    assert.ok(screen.queryByText("תאריך הסיום מוקדם מתאריך ההתחלה.", { selector: "p" }) === null);
    await save();
    const asked = () => edge.requests.filter((request) => request === "GET /api/admin/audit.csv").length;
    await waitFor(() => assert.equal(asked(), 1, "one day is a span"));
  });
});

Deno.test("the audit log shows the broken row after a requested check", async () => {
  await withApp({ path: "/admin/audit", prepare: admin }, async ({ edge, user }) => {
    const fault: AuditFault = { row: 17, fault: "edited" };
    edge.admin.chainAfterCheck = { checkedAt: Date.now(), rows: 16, fault, open: 0, openSince: null };
    await user.click(await screen.findByRole("button", { name: "בדיקה עכשיו" }));
    await screen.findByText("היומן נפגע!");
    await screen.findByText(/שורה 17 אינה מה שנחתם: היא נערכה או הוזזה ממקומה/);
  });
});
