import { toastWith, withApp } from "../testing/open_app.tsx";
import type { FakeEdge } from "../testing/fake_edge_api.ts";
import assert from "node:assert/strict";
import { screen, waitFor, within } from "@testing-library/react";
import type { Webhook, WebhookCall } from "shared/webhooks_api.ts";

const PATH = "/account/webhooks";

function webhook(given: Partial<Webhook> = {}): Webhook {
  return {
    id: 7,
    name: "מערכת הלקוחות",
    url: "https://crm.example.co.il/hooks",
    types: ["campaign.completed", "message.sent"],
    quotaBelow: 100,
    createdAt: 0,
    paused: null,
    failingSince: null,
    arrivedAt: null,
    waiting: 0,
    givenUp: 0,
    oldSecretUntil: null,
    ...given,
  };
}

function call(given: Partial<WebhookCall> = {}): WebhookCall {
  return {
    id: 3,
    webhookId: "5f0c2b7d9a1e4c3f8b6d7e90",
    type: "message.batch",
    events: 40,
    campaignId: 1,
    state: "given_up",
    madeAt: 0,
    tries: 12,
    nextAt: null,
    endedAt: 0,
    lastStatus: 500,
    lastReason: "refused",
    ...given,
  };
}

function withWebhooks(...webhooks: Webhook[]) {
  return (edge: FakeEdge) => {
    edge.webhooks = webhooks;
    return edge.addUser();
  };
}

async function giveProof(user: { type(field: Element, text: string): Promise<void> }) {
  const question = within(await screen.findByRole("dialog", { name: "אישור בסיסמה" }));
  await user.type(question.getByLabelText("הסיסמה הנוכחית"), "sod-gadol{Enter}");
}

Deno.test("a webhook is made with a password, and its secret is shown once", async () => {
  await withApp({ path: "/account", prepare: withWebhooks() }, async ({ edge, user }) => {
    await user.click(await screen.findByRole("link", { name: "לכתובות" }));
    await screen.findByRole("heading", { level: 1, name: "Webhooks" });
    await screen.findByText("אין כתובות");
    const submit = screen.getByRole("button", { name: "הוספת הכתובת" });
    await user.click(submit);
    screen.getByText("נא לכתוב שם");
    await user.type(screen.getByLabelText("שם"), "CRM");
    await user.type(screen.getByLabelText("כתובת"), "crm.example");
    await user.click(submit);
    screen.getByText("נא לכתוב כתובת שמתחילה ב־https://");
    await user.clear(screen.getByLabelText("כתובת"));
    await user.type(screen.getByLabelText("כתובת"), "https://crm.example/hook");
    await user.click(submit);
    screen.getByText("נא לבחור לפחות נושא אחד");
    await user.click(screen.getByRole("checkbox", { name: /^בקשות הסרה/ }));
    await user.click(screen.getByRole("checkbox", { name: /^מכסה נמוכה/ }));
    await user.click(screen.getByRole("button", { name: "הוספת הכתובת" }));
    await giveProof(user);
    const dialog = within(await screen.findByRole("dialog", { name: "הסוד של CRM" }));
    const secret = dialog.getByLabelText("סוד").textContent!;
    assert.match(secret, /^whsec_/);
    assert.deepEqual(edge.webhooks[0]!.types, ["opt_out.created", "quota.low"]);
    await user.click(dialog.getByRole("button", { name: "שמרתי את הסוד" }));
    assert.ok(!document.body.textContent!.includes(secret));
    within(await screen.findByRole("list", { name: "רשימת הכתובות" })).getByText("CRM");
  });
});

Deno.test("a refused address says so, and keeps what was typed", async () => {
  await withApp({ path: PATH, prepare: withWebhooks() }, async ({ edge, user }) => {
    await screen.findByText("אין כתובות");
    await user.type(screen.getByLabelText("שם"), "CRM");
    await user.type(screen.getByLabelText("כתובת"), "https://10.0.0.1/");
    await user.click(screen.getByRole("checkbox", { name: /^קמפיינים/ }));
    await user.click(screen.getByRole("button", { name: "הוספת הכתובת" }));
    await giveProof(user);
    await toastWith("הכתובת לא נשמרה");
    assert.equal((screen.getByLabelText("כתובת") as HTMLInputElement).value, "https://10.0.0.1/");
    assert.deepEqual(edge.webhooks, []);
  });
});

Deno.test("a paused webhook says why, and is resumed with a password; a test goes to one that works", async () => {
  const paused = webhook({ paused: { at: 0, why: "failed" }, waiting: 2 });
  await withApp({ path: "/client", prepare: withWebhooks(paused) }, async ({ edge, user }) => {
    await screen.findByText("כתובת webhook אחת מושהית");
    await user.click(screen.getByRole("link", { name: "לכתובות" }));
    await screen.findByText("הושהתה מעצמה: שלושה ימים לא התקבלה בה אף קריאה");
    screen.getByText(/שתי קריאות מחכות/);
    assert.equal(screen.queryByRole("button", { name: /^קריאת ניסיון/ }), null);
    await user.click(screen.getByRole("button", { name: "הפעלה של מערכת הלקוחות" }));
    await giveProof(user);
    await toastWith("הכתובת פועלת שוב");
    await user.click(await screen.findByRole("button", { name: "קריאת ניסיון אל מערכת הלקוחות" }));
    await toastWith("קריאת הניסיון בדרך");
    assert.ok(edge.requests.includes("POST /api/webhooks/7/test"));
  });
});

Deno.test("the calls show what came of them, and one or all that did not arrive are sent again", async () => {
  const prepare = (edge: FakeEdge) => {
    edge.webhookCalls = [
      call(),
      call({
        id: 4,
        webhookId: "77",
        type: "campaign.completed",
        events: 1,
        state: "arrived",
        lastReason: null,
      }),
    ];
    return withWebhooks(webhook({ givenUp: 1 }))(edge);
  };
  await withApp({ path: PATH, prepare }, async ({ edge, user }) => {
    await user.click(await screen.findByRole("button", { name: "הקריאות אל מערכת הלקוחות" }));
    const dialog = within(await screen.findByRole("dialog", { name: "הקריאות אל מערכת הלקוחות" }));
    const list = within(await dialog.findByRole("list", { name: "רשימת הקריאות" }));
    list.getByText(/השרת סירב · תשובה 500/);
    await user.click(dialog.getByRole("button", { name: "לא התקבלה" }));
    await waitFor(() => assert.equal(dialog.queryByText("77"), null));
    await user.click(dialog.getByRole("button", { name: "שליחה שוב של 5f0c2b7d9a1e4c3f8b6d7e90" }));
    await toastWith("קריאה אחת תישלח שוב");
    await user.click(dialog.getByRole("button", { name: "שליחה שוב של כל מה שלא התקבל" }));
    await waitFor(() => assert.ok(edge.requests.includes("POST /api/webhooks/7/again")));
    assert.ok(edge.requests.includes("POST /api/webhooks/7/calls/3/again"));
  });
});

Deno.test("a new secret is shown once, a change keeps the other fields, and a removal asks first", async () => {
  await withApp({ path: PATH, prepare: withWebhooks(webhook()) }, async ({ edge, user }) => {
    await user.click(await screen.findByRole("button", { name: "סוד חדש אל מערכת הלקוחות" }));
    await giveProof(user);
    const dialog = within(await screen.findByRole("dialog", { name: "הסוד של מערכת הלקוחות" }));
    await user.click(dialog.getByRole("button", { name: "שמרתי את הסוד" }));
    await screen.findByText(/גם הסוד הקודם חותם עד/);
    await user.click(screen.getByRole("button", { name: "שינוי של מערכת הלקוחות" }));
    const change = within(await screen.findByRole("dialog", { name: "שינוי של מערכת הלקוחות" }));
    await user.click(change.getByRole("checkbox", { name: /^תשובות/ }));
    await user.click(change.getByRole("button", { name: "שמירה" }));
    await giveProof(user);
    await toastWith("הכתובת נשמרה");
    assert.deepEqual(edge.webhooks[0]!.types, ["campaign.completed", "message.sent", "reply.received"]);
    await user.click(await screen.findByRole("button", { name: "מחיקה של מערכת הלקוחות" }));
    const question = within(await screen.findByRole("dialog", { name: "למחוק את הכתובת מערכת הלקוחות?" }));
    await user.click(question.getByRole("button", { name: "מחיקה" }));
    await screen.findByText("אין כתובות");
  });
});
