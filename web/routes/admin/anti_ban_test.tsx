import { withApp } from "../../testing/open_app.tsx";
import type { FakeEdge } from "../../testing/fake_edge_api.ts";
import { makeAccount, makeDevice } from "../../testing/make_fleet.ts";
import assert from "node:assert/strict";
import { screen, within } from "@testing-library/react";

function admin(edge: FakeEdge) {
  const scores = [94, 70, 69, 30, ...Array.from({ length: 6 }, () => 29)];
  edge.admin.devices = scores.map((riskScore, index) =>
    makeDevice({
      id: index + 1,
      name: `מכשיר ${index + 1}`,
      accounts: [makeAccount({ id: index + 1, riskScore })],
    })
  );
  edge.admin.lastBan = { deviceId: 1, name: "מכשיר 1", at: Date.now() - 4 * 60_000 };
  return edge.addUser({ role: "admin" });
}

Deno.test("anti-ban counts each tier by the thresholds 70 and 30, with its share and its devices", async () => {
  await withApp({ path: "/admin/anti-ban", prepare: admin }, async ({ user }) => {
    await screen.findByRole("heading", { level: 1, name: "ניטור אנטי-באן" });
    const tiers = within(await screen.findByRole("region", { name: "רמות סיכון" })).getAllByRole("article");
    assert.deepEqual(tiers.map(({ textContent }) => textContent), [
      "סיכון גבוהציון 70 ומעלה2מכשירים · 20%",
      "סיכון בינוניציון 30 עד 692מכשירים · 20%",
      "סיכון נמוךציון מתחת ל־306מכשירים · 60%",
    ]);
    const high = within(screen.getByRole("region", { name: /^סיכון גבוה/ }));
    assert.match(high.getAllByRole("listitem")[0].textContent!, /מכשיר 1אין סימנים חריגיםציון94/);
    const low = within(screen.getByRole("region", { name: /^סיכון נמוך/ }));
    assert.equal(low.getAllByRole("listitem").length, 5);
    await user.click(low.getByRole("button", { name: "עוד מכשיר אחד" }));
    await low.findByText("מכשיר 10");
    assert.ok(screen.getByText("מכשיר 1 נחסם לפני 4 דקות."));
    assert.equal(screen.getByRole("link", { name: "לפרטי המכשיר" }).getAttribute("href"), "/admin/devices/1");
    assert.equal(
      screen.getByRole("link", { name: "הגדרות אנטי-באן" }).getAttribute("href"),
      "/admin/settings#anti-ban",
    );
  });
});

Deno.test("anti-ban says what an empty tier will show", async () => {
  await withApp({ path: "/admin/anti-ban", prepare: (edge) => edge.addUser({ role: "admin" }) }, async () => {
    await screen.findByText("אין מכשירים בסיכון גבוה. כאן יופיעו מכשירים שהציון שלהם 70 ומעלה, עם הסיבה.");
  });
});
