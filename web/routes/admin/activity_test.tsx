import { withApp } from "../../testing/open_app.tsx";
import type { FakeEdge } from "../../testing/fake_edge_api.ts";
import { makeActivity } from "../../testing/make_fleet.ts";
import assert from "node:assert/strict";
import { screen, waitFor } from "@testing-library/react";

function admin(edge: FakeEdge) {
  edge.admin.activity = Array.from({ length: 10_000 }, (_, index) =>
    makeActivity({
      id: 10_000 - index,
      type: index === 1 ? "error" : "info",
      message: `שורה ${10_000 - index}`,
      campaignId: index === 0 ? 41 : null,
    }));
  return edge.addUser({ role: "admin" });
}

Deno.test("activity shows the newest of many lines, with links to their objects", async () => {
  await withApp({ path: "/admin/activity", prepare: admin }, async () => {
    await screen.findByRole("heading", { level: 1, name: "יומן פעילות" });
    const newest = await screen.findByRole("link", { name: "שורה 10000" });
    assert.equal(newest.getAttribute("href"), "/admin/campaigns/41");
    assert.ok(screen.getAllByRole("listitem").length < 80);
  });
});

Deno.test("activity does not move while a person reads: new lines are counted above it", async () => {
  await withApp({ path: "/admin/activity", prepare: admin }, async ({ edge, user, untilLive }) => {
    await screen.findByText("שורה 10000");
    await untilLive();
    const line = makeActivity({ id: 10_001, message: "שורה חדשה", timestamp: Date.now() });
    edge.admin.activity.unshift(line);
    edge.emit({ type: "activity", data: line });
    const show = await screen.findByRole("button", { name: "שורה חדשה אחת · הצגה" });
    assert.ok(screen.queryByText("שורה חדשה") === null);
    await user.click(show);
    await screen.findByText("שורה חדשה");
  });
});

Deno.test("activity is narrowed by kind and by words", async () => {
  await withApp({ path: "/admin/activity", prepare: admin }, async ({ user }) => {
    await user.click(await screen.findByRole("button", { name: "תקלות" }));
    await screen.findByText("שורה 9999");
    await waitFor(() => assert.ok(screen.queryByText("שורה 10000") === null));
    await user.type(screen.getByRole("searchbox"), "אין");
    await screen.findByText("אין תוצאות ל״אין״.");
  });
});
