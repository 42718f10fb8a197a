import { withApp } from "../../testing/open_app.tsx";
import type { FakeEdge } from "../../testing/fake_edge_api.ts";
import assert from "node:assert/strict";
import { screen, waitFor, within } from "@testing-library/react";

/** A hundred messages a day in the last 30 days, fifty before, since 70 days. */
function busy(edge: FakeEdge) {
  edge.admin.trendsOf = {
    sent: (ago) => ago > 70 ? null : ago > 30 ? 50 : 100,
    names: { site: ["חולון", "חיפה"], account: ["מכירות"], client: ["dana"] },
    more: 3,
    sentSince: 7,
  };
  return edge.addUser({ role: "admin" });
}

const figure = (name: string) => screen.getByRole("heading", { level: 2, name }).parentElement!.textContent!;

Deno.test("trends compare a period with the one before, and the choice is in the address", async () => {
  await withApp({ path: "/admin/trends", prepare: busy }, async ({ edge, user, address }) => {
    await screen.findByRole("heading", { level: 1, name: "מגמות" });
    await screen.findByText(/מ־27\.10\.2026 עד 25\.11\.2026/);
    assert.match(figure("נשלחו"), /3,000.*עלייה של.*100%.*לעומת התקופה הקודמת/);
    assert.match(figure("ממוצע ליום"), /100/);
    assert.ok(screen.getByText(/היום עד כה: 7 הודעות/));
    const list = within(screen.getByRole("region", { name: "לפי אתר" }));
    assert.equal(list.getAllByRole("row").length, 3);
    assert.ok(screen.getByText("ועוד 3, עם פחות הודעות."));
    await user.click(screen.getByRole("button", { name: "7 ימים" }));
    await user.click(screen.getByRole("button", { name: "לפי לקוח" }));
    await screen.findByRole("region", { name: "לפי לקוח" });
    await waitFor(() => assert.match(figure("נשלחו"), /700.*כמו בתקופה הקודמת/));
    await user.click(screen.getByRole("button", { name: "הצגה בתרשים: dana" }));
    await waitFor(() => assert.match(figure("נשלחו"), /350/));
    assert.equal(address(), "/admin/trends?days=7&by=client&id=1");
    await user.click(screen.getByRole("button", { name: "לפי חשבון" }));
    await screen.findByRole("button", { name: "הצגה בתרשים: מכירות מחסן חולון WA Business" });
    await user.click(screen.getByRole("button", { name: "לפי לקוח" }));
    await user.click(await screen.findByRole("button", { name: "הצגה בתרשים: dana" }));
    assert.ok(edge.requests.includes("GET /api/admin/trends"));
    await user.click(screen.getByRole("button", { name: "כולם" }));
    await waitFor(() => assert.match(figure("נשלחו"), /700/));
  });
});

Deno.test("a table with every day stands behind the chart, and a button shows it", async () => {
  await withApp({ path: "/admin/trends?days=7", prepare: busy }, async ({ user }) => {
    const table = await screen.findByRole("table", { name: "הודעות שנשלחו בכל יום" });
    const rows = within(table).getAllByRole("row").map((row) => row.textContent);
    assert.equal(rows.length, 8);
    assert.equal(rows[1], "19.11.2026100100");
    assert.ok(screen.getByRole("img", { name: /^תרשים: 700 הודעות ב־7 ימים/ }));
    await user.click(screen.getByRole("button", { name: "הצגה כטבלה" }));
    assert.ok(screen.queryByRole("img", { name: /תרשים/ }) === null);
    assert.ok(screen.getByRole("region", { name: "הודעות שנשלחו בכל יום" }));
  });
});

Deno.test("days before the first measured one are no zeros, and are not compared", async () => {
  await withApp({ path: "/admin/trends?days=90", prepare: busy }, async () => {
    const table = await screen.findByRole("table", { name: "הודעות שנשלחו בכל יום" });
    const cells = within(table).getAllByRole("row").map((row) => row.lastElementChild!.textContent);
    assert.deepEqual([cells[1], cells[20], cells[21], cells[90]], ["–", "–", "50", "100"]);
    assert.match(figure("נשלחו"), /התקופה הקודמת לא נמדדה כולה/);
  });
});

Deno.test("trends without a whole day say what today has, and a failed load can be retried", async () => {
  const prepare = (edge: FakeEdge) => {
    edge.refusals.set("GET /api/admin/trends", { code: "not_ready", error: "מסד הנתונים עמוס." });
    edge.admin.trendsOf = { sent: () => null, sentSince: 12 };
    return edge.addUser({ role: "admin" });
  };
  await withApp({ path: "/admin/trends", prepare }, async ({ edge, user }) => {
    await screen.findByText("המגמות לא נטענו");
    await screen.findByText("מסד הנתונים עמוס.");
    edge.refusals.clear();
    await user.click(screen.getByRole("button", { name: "ניסיון נוסף" }));
    await screen.findByText("עוד אין יום שלם שנמדד.");
    assert.ok(screen.getByText(/היום נשלחו עד כה: 12 הודעות/));
  });
});
