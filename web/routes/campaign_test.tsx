import { toastWith, withApp } from "../testing/open_app.tsx";
import type { FakeEdge } from "../testing/fake_edge_api.ts";
import { makeDelivery } from "../testing/make_campaign.ts";
import assert from "node:assert/strict";
import { screen, waitFor, within } from "@testing-library/react";

const ID = 41;

function runningCampaign(edge: FakeEdge) {
  edge.addCampaign({
    id: ID,
    name: "רימונים",
    message: "שורה ראשונה\nשורה שנייה",
    imageUrl: `/api/campaigns/${ID}/image`,
    status: "active",
    counts: { sent: 40, unknown: 2, queued: 58 },
    notices: [{ code: "unknown_deliveries", count: 2 }],
  });
  edge.deliveries.set(ID, [
    makeDelivery({ id: 1, phone: "+972543710968", state: "sent" }),
    makeDelivery({ id: 2, phone: "+972521186640", state: "failed", reason: "not_on_app" }),
    makeDelivery({ id: 3, phone: "+972537041182", state: "unknown", reason: "send_not_verified" }),
    makeDelivery({ id: 4, phone: "+972537041183", state: "unknown", reason: "send_not_verified" }),
    makeDelivery({ id: 5, phone: "+972502338174", state: "leased", waitingForSite: "חולון" }),
  ]);
  return edge.addUser();
}

Deno.test("campaign that is missing says so and leads back", async () => {
  await withApp({ path: "/client/campaign/999", prepare: (edge) => edge.addUser() }, async ({ user }) => {
    await screen.findByRole("heading", { name: "קמפיין לא נמצא" });
    await user.click(screen.getByRole("link", { name: "חזרה לקמפיינים" }));
    await screen.findByText("הקמפיינים שלי");
  });
});

Deno.test("campaign in progress shows figures, words and picture, and offers no send", async () => {
  await withApp({ path: `/client/campaign/${ID}`, prepare: runningCampaign }, async () => {
    await screen.findByRole("heading", { level: 1, name: "רימונים" });
    assert.ok(screen.getByText("~3 דקות"));
    assert.ok(screen.getByText("מתוך 100"));
    assert.match(screen.getByText(/שורה ראשונה/).textContent!, /שורה ראשונה\nשורה שנייה/);
    assert.ok(screen.getByRole("img", { name: "התמונה שצורפה להודעה" }));
    assert.ok(screen.queryByRole("button", { name: "שלח" }) === null);
  });
});

Deno.test("campaign that is ready is sent from its own screen", async () => {
  const prepare = (edge: FakeEdge) => {
    edge.addCampaign({ id: ID, name: "מוכן", status: "ready", counts: { queued: 860 } });
    return edge.addUser({ messageQuota: 12_480 });
  };
  await withApp({ path: `/client/campaign/${ID}`, prepare }, async ({ edge, user }) => {
    await screen.findByText("860 הודעות ייגבו מהמכסה. יישארו 11,620.");
    edge.refusals.set(`POST /api/campaigns/${ID}/send`, "no_answer");
    await user.click(screen.getByRole("button", { name: "שלח" }));
    assert.match(await toastWith("שגיאה"), /אירעה שגיאה בשליחת הקמפיין/);
    edge.refusals.clear();
    await user.click(await screen.findByRole("button", { name: "שלח" }));
    await toastWith("הקמפיין נשלח");
    await screen.findByText("11,620");
    await screen.findByText("בעבודה");
  });
});

Deno.test("campaign that completed shows the banner", async () => {
  const prepare = (edge: FakeEdge) => {
    edge.addCampaign({ id: ID, name: "תם", status: "completed", counts: { sent: 3 } });
    return edge.addUser();
  };
  await withApp({ path: `/client/campaign/${ID}`, prepare }, async () => {
    await screen.findByText("הקמפיין הושלם בהצלחה");
  });
});

Deno.test("campaign pauses, resumes, and cancels after telling the effect in numbers", async () => {
  await withApp({ path: `/client/campaign/${ID}`, prepare: runningCampaign }, async ({ edge, user }) => {
    await user.click(await screen.findByRole("button", { name: "השהיה" }));
    await user.click(await screen.findByRole("button", { name: "המשך" }));
    await screen.findByRole("button", { name: "השהיה" });
    await user.click(screen.getByRole("button", { name: "ביטול" }));
    const dialog = within(await screen.findByRole("dialog", { name: "ביטול הקמפיין?" }));
    assert.ok(dialog.getByText(/58 הודעות שטרם נשלחו יבוטלו ויוחזרו למכסה\. 40 כבר נשלחו/));
    await user.click(dialog.getByRole("button", { name: "ביטול הקמפיין" }));
    await screen.findByText("בוטל");
    assert.equal(edge.campaigns[0].status, "cancelled");
  });
});

Deno.test("unknown deliveries are settled together, and nothing is chosen beforehand", async () => {
  await withApp({ path: `/client/campaign/${ID}`, prepare: runningCampaign }, async ({ edge, user }) => {
    await user.click(await screen.findByRole("button", { name: "טיפול בשני הנמענים" }));
    const dialog = within(await screen.findByRole("dialog", { name: "מה קרה להודעות?" }));
    assert.equal(dialog.queryAllByRole("radio", { checked: true }).length, 0);
    await user.click(dialog.getByLabelText("לשלוח שוב: ייתכן שהנמען יקבל אותה פעמיים"));
    assert.ok(dialog.getByText("לשלוח שוב ל־2 נמענים? ייתכן שחלקם כבר קיבלו את ההודעה."));
    await user.click(dialog.getByLabelText("לסמן כנשלח: ההודעה נראית בשיחה"));
    await user.click(dialog.getByRole("button", { name: "סימון כנשלח" }));
    assert.match(await toastWith("המצב עודכן"), /שני נמענים עודכנו/);
    await waitFor(() => assert.ok(screen.queryByText(/במצב לא ידוע/) === null));
    assert.equal(edge.deliveries.get(ID)!.filter(({ state }) => state === "unknown").length, 0);
  });
});
