import { withApp } from "../../testing/open_app.tsx";
import type { FakeEdge } from "../../testing/fake_edge_api.ts";
import { makeCapacity } from "../../testing/make_fleet.ts";
import { makeCampaign } from "../../testing/make_campaign.ts";
import assert from "node:assert/strict";
import { screen, within } from "@testing-library/react";
import type { CapacityCampaign } from "shared/admin_api.ts";

const PATH = "/admin/capacity";

function campaign(given: Partial<CapacityCampaign>): CapacityCampaign {
  const { id, name, kind, status, totalContacts, sentCount, pace, estimate, notices } = makeCampaign({
    status: "active",
  });
  return {
    ...{ id, name, kind, status, totalContacts, sentCount, pace, estimate, notices },
    client: { id: 1, username: "dana" },
    waiting: 0,
    ...given,
  };
}

function admin(edge: FakeEdge) {
  const now = Date.now();
  edge.admin.capacity = makeCapacity({
    at: now,
    total: { leftNow: 63, leftToday: 179, usedToday: 71, capPerDay: 250, phones: 2, phonesReady: 1 },
    waiting: 500,
    waitingPaused: 7,
    sites: [
      {
        id: 1,
        name: "חיפה",
        state: "away",
        ...{ leftNow: 0, leftToday: 0, usedToday: 5, capPerDay: 0, phones: 1, phonesReady: 0, leftAway: 250 },
      },
      {
        id: 2,
        name: "חולון",
        state: "working",
        ...{
          leftNow: 63,
          leftToday: 179,
          usedToday: 71,
          capPerDay: 250,
          phones: 1,
          phonesReady: 1,
          leftAway: 0,
        },
      },
    ],
    campaigns: [
      campaign({
        id: 5,
        name: "עומד",
        waiting: 100,
        notices: [{ code: "stalled", cause: "not_asking", count: 100, since: now - 240_000 }],
      }),
      campaign({
        id: 6,
        name: "רץ",
        waiting: 400,
        pace: 40,
        estimate: { endsAt: now + 9.5 * 60_000, by: "pace" },
      }),
    ],
    campaignsRunning: 3,
  });
  return edge.addUser({ role: "admin" });
}

Deno.test("the capacity board shows what is left by site, the queue against it, and when each campaign ends", async () => {
  await withApp({ path: PATH, prepare: admin }, async () => {
    await screen.findByRole("heading", { level: 1, name: "קיבולת" });
    const figures = within(await screen.findByRole("region", { name: "קיבולת היום" }));
    assert.ok(figures.getByText("179"));
    assert.ok(figures.getByText("321 הודעות יחכו למחר"));
    assert.ok(figures.getByText("ועוד 7 בקמפיינים מושהים"));
    const sites = within(screen.getByRole("region", { name: "טבלת הקיבולת לפי אתר" })).getAllByRole("row");
    assert.match(sites[1]!.textContent!, /חיפה.*מנותק.*0 מתוך 1.*250/);
    const used = within(sites[1]!).getByRole("img").querySelector("i")!;
    assert.doesNotMatch(used.className, /tone-warn/, "its phones are away, their day is not full");
    assert.match(sites[2]!.textContent!, /חולון.*עובד.*1 מתוך 1.*63.*179/);
    const region = screen.getByRole("region", { name: "טבלת הקמפיינים שבדרך" });
    const [, stands, runs] = within(region).getAllByRole("row");
    assert.match(stands!.textContent!, /עומד.*dana.*100.*אין הערכה.*לא יצאה הודעה כבר 4 דקות/);
    assert.match(runs!.textContent!, /רץ.*400.*40 בדקה.*~10 דקות/);
    assert.equal(within(runs!).getByRole("link").getAttribute("href"), "/admin/campaigns/6");
    assert.ok(screen.getByText("מוצגים 2 הקמפיינים הוותיקים מתוך 3."));
  });
});

Deno.test("the capacity board of an empty system says what will stand there, and leads to the sites", async () => {
  await withApp({ path: PATH, prepare: (edge) => edge.addUser({ role: "admin" }) }, async () => {
    await screen.findByText("עוד אין אתרים");
    assert.ok(screen.getByText("אין כרגע קמפיינים בדרך"));
    assert.equal(screen.getByRole("link", { name: "לאתרים" }).getAttribute("href"), "/admin/sites");
    assert.ok(screen.getByText("התור ריק"));
  });
});

Deno.test("the capacity board says when it was not loaded, and tries again", async () => {
  const prepare = (edge: FakeEdge) => {
    edge.refusals.set("GET /api/admin/capacity", { error: "אירעה שגיאה בשרת.", code: "internal" });
    return admin(edge);
  };
  await withApp({ path: PATH, prepare }, async ({ edge, user }) => {
    await screen.findByText("הקיבולת לא נטענה");
    edge.refusals.delete("GET /api/admin/capacity");
    await user.click(screen.getByRole("button", { name: "ניסיון נוסף" }));
    assert.ok((await screen.findAllByText("179")).length > 0);
  });
});
