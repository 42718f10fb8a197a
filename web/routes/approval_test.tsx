import type { FakeEdge } from "../testing/fake_edge_api.ts";
import { makeActivity } from "../testing/make_fleet.ts";
import { toastWith, withApp } from "../testing/open_app.tsx";
import assert from "node:assert/strict";
import { screen, waitFor, within } from "@testing-library/react";
import type { Approval, WaitingApproval } from "shared/approval_api.ts";

const ID = 77;
const path = `/client/campaign/${ID}`;

function campaign(approval: Partial<Approval>) {
  return (edge: FakeEdge) => {
    edge.addCampaign({
      id: ID,
      name: "סתיו",
      status: "ready",
      counts: { queued: 860 },
      approval: { state: "needed", total: 1200, from: 1000, hasChanged: false, reason: null, ...approval },
      notices: [{ code: "approval_needed", count: 1200 }],
    });
    return edge.addUser({ messageQuota: 5000 });
  };
}

Deno.test("a large send asks for its approval from its review, with the reason, and is not sent", async () => {
  await withApp({ path, prepare: campaign({}) }, async ({ edge, user }) => {
    await screen.findByText(/השליחה דורשת אישור של מנהל המערכת/);
    await user.click(await screen.findByRole("button", { name: "שלח" }));
    const dialog = within(await screen.findByRole("dialog"));
    await dialog.findByText(/היום יוצאות מכם הודעות ל־1,200 נמענים בסך הכול, ומעל 1,000 ביום נדרש אישור/);
    await user.click(dialog.getByRole("button", { name: "לבקש אישור ל־860 נמענים" }));
    await toastWith("הבקשה נשלחה למנהלי המערכת");
    assert.ok(edge.requests.includes(`POST /api/campaigns/${ID}/approval`));
    assert.deepEqual(edge.sends, []);
  });
});

Deno.test("a plan of a large send is itself the question, and says so", async () => {
  await withApp({ path, prepare: campaign({}) }, async ({ user }) => {
    await user.click(await screen.findByRole("button", { name: "שלח" }));
    const dialog = within(await screen.findByRole("dialog"));
    await user.click(await dialog.findByRole("button", { name: "במועד אחר" }));
    await dialog.findByText(/התזמון הוא גם הבקשה/);
    assert.ok(dialog.getByRole("button", { name: "לתזמן ל־860 נמענים" }));
  });
});

Deno.test("a send that waits or was refused cannot be sent and says why; an approved one is sent", async () => {
  const press = async (approval: Partial<Approval>) => {
    let sends = 0;
    await withApp({ path, prepare: campaign(approval) }, async ({ edge, user }) => {
      await user.click(await screen.findByRole("button", { name: "שלח" }));
      const dialog = within(await screen.findByRole("dialog"));
      await dialog.findByText(
        approval.state === "asked"
          ? /הבקשה נשלחה ומחכה להחלטה/
          : approval.state === "refused"
          ? /הסיבה: חסר שם העסק/
          : /אישר את השליחה כפי שהיא/,
      );
      await user.click(dialog.getByRole("button", { name: "לשלוח ל־860 נמענים" }));
      if (approval.state === "approved") await waitFor(() => assert.equal(edge.sends.length, 1));
      sends = edge.sends.length;
    });
    return sends;
  };
  assert.equal(await press({ state: "asked" }), 0);
  assert.equal(await press({ state: "refused", reason: "חסר שם העסק" }), 0);
  assert.equal(await press({ state: "approved" }), 1);
});

const WAITING: WaitingApproval = {
  campaign: { id: ID, name: "סתיו" },
  client: { id: 5, username: "dana" },
  revision: 4,
  kind: "service",
  text: "שלום לכולם",
  imageUrl: null,
  recipients: 860,
  total: 1200,
  from: 1000,
  plannedAt: null,
  series: null,
  askedAt: Date.now() - 60_000,
};

function admin(edge: FakeEdge) {
  edge.admin.approvals = [WAITING, {
    ...WAITING,
    campaign: { id: 78, name: "חורף" },
    plannedAt: Date.now() + 1e8,
    series: "שבועי",
  }];
  return edge.addUser({ username: "menahel", role: "admin" });
}

Deno.test("the dashboard shows what waits with everything that would go, and approves exactly that", async () => {
  await withApp({ path: "/admin", prepare: admin }, async ({ edge, user }) => {
    const queue = within(await screen.findByRole("region", { name: "מחכים לאישור (2)" }));
    const item = within(queue.getByRole("listitem", { name: "סתיו" }));
    assert.ok(item.getByText("שלום לכולם"));
    assert.ok(item.getByText("860 נמענים, ועם שאר היום של הלקוח 1,200. מעל 1,000 ביום נדרש אישור."));
    assert.ok(
      within(queue.getByRole("listitem", { name: "חורף" })).getByText(/מהשליחה החוזרת ״שבועי״, מתוזמן ל/),
    );
    await user.click(item.getByRole("button", { name: "לאשר" }));
    await toastWith("השליחה אושרה");
    assert.deepEqual(edge.admin.decisions, [{ id: ID, revision: 4, decision: "approved", reason: "" }]);
    await screen.findByRole("region", { name: "מחכים לאישור (1)" });
  });
});

Deno.test("a refusal needs a reason, and a campaign that changed meanwhile says so", async () => {
  await withApp({ path: "/admin", prepare: admin }, async ({ edge, user, untilLive }) => {
    const queue = within(await screen.findByRole("region", { name: "מחכים לאישור (2)" }));
    await user.click(
      within(queue.getByRole("listitem", { name: "סתיו" })).getByRole("button", { name: "לא לאשר" }),
    );
    const dialog = within(await screen.findByRole("dialog"));
    await user.click(dialog.getByRole("button", { name: "לא לאשר" }));
    assert.ok(dialog.getByText("נא לכתוב את הסיבה"));
    await user.type(dialog.getByLabelText("הסיבה"), "חסר שם העסק");
    await user.click(dialog.getByRole("button", { name: "לא לאשר" }));
    await toastWith("השליחה לא אושרה");
    assert.deepEqual(edge.admin.decisions.map(({ decision, reason }) => [decision, reason]), [
      ["refused", "חסר שם העסק"],
    ]);
    // The second one is changed by its client, and the queue follows the news of it.
    const error = "הקמפיין השתנה מאז שהעמוד נטען.";
    edge.refusals.set("POST /api/admin/campaigns/78/approval", { code: "words_changed", error });
    await user.click(await screen.findByRole("button", { name: "לאשר" }));
    await toastWith("ההחלטה לא נשמרה");
    await untilLive();
    edge.admin.approvals = [];
    edge.emit({ type: "activity", data: makeActivity({ id: 9, code: "approval_approved" }) });
    // An inspected element is a whole screen of text.
    await waitFor(() => assert.ok(screen.queryByRole("region", { name: /מחכים לאישור/ }) === null));
  });
});
