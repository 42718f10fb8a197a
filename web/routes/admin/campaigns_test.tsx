import { prove, toastWith, withApp } from "../../testing/open_app.tsx";
import type { FakeEdge } from "../../testing/fake_edge_api.ts";
import { makeDelivery } from "../../testing/make_campaign.ts";
import assert from "node:assert/strict";
import { screen, waitFor, within } from "@testing-library/react";

const ID = 41;

function admin(edge: FakeEdge) {
  edge.addUser();
  edge.addCampaign({ id: 42, name: "סוף עונה", status: "completed", counts: { sent: 3 } });
  edge.addCampaign({
    id: ID,
    name: "רימונים",
    message: "שלום",
    status: "active",
    counts: { sent: 40, unknown: 2, queued: 58 },
    notices: [{ code: "paused_by_client", since: 0, count: 58 }, { code: "unknown_deliveries", count: 2 }],
  });
  edge.deliveries.set(ID, [
    makeDelivery({ id: 1, phone: "+97254•••0968", state: "unknown", reason: "send_not_verified" }),
  ]);
  return edge.addUser({ username: "menahel", role: "admin" });
}

Deno.test("campaigns of all clients are listed, filtered by state and name, and follow live figures", async () => {
  await withApp({ path: "/admin/campaigns", prepare: admin }, async ({ edge, user, untilLive }) => {
    const table = within(await screen.findByRole("table"));
    const row = () => table.getByText("רימונים").closest("tr")!.textContent!;
    assert.match(row(), /dana.*בעבודה.*40 \/ 100/);
    await untilLive();
    const { id: campaignId, ...figures } = Object.assign(edge.campaigns[0], {
      status: "paused",
      sentCount: 55,
    });
    edge.emit({ type: "client_campaign", data: { ...figures, campaignId } });
    await waitFor(() => assert.match(row(), /מושהה.*55 \/ 100/));
    await user.selectOptions(screen.getByLabelText("סינון לפי מצב"), "סיים");
    await screen.findByText("סוף עונה");
    await waitFor(() => assert.ok(screen.queryByText("רימונים") === null));
    await user.type(screen.getByRole("searchbox"), "אין כזה");
    await screen.findByText("אין תוצאות ל״אין כזה״.");
  });
});

Deno.test("a client's campaign is read, paused, resumed and cancelled, but never sent or settled", async () => {
  await withApp({ path: `/admin/campaigns/${ID}`, prepare: admin }, async ({ edge, user }) => {
    await screen.findByRole("heading", { level: 1, name: "רימונים" });
    assert.ok(screen.getByText(/הושהה על ידי הלקוח/));
    assert.ok(screen.getByText(/בלי החלטה של הלקוח/));
    await screen.findByText("054-•••-0968");
    assert.ok(screen.queryByRole("button", { name: "טיפול" }) === null);
    await user.click(screen.getByRole("button", { name: "השהיה" }));
    await toastWith("הקמפיין הושהה");
    await user.click(await screen.findByRole("button", { name: "המשך" }));
    // What the client paused is resumed only after a question.
    const question = within(await screen.findByRole("dialog", { name: /^להמשיך במקום .*dana.*\?$/ }));
    assert.ok(question.getByText(/השהה את הקמפיין.*בתור/));
    assert.ok(document.activeElement === question.getByRole("button", { name: "להשאיר מושהה" }));
    await user.click(question.getByRole("button", { name: "המשך" }));
    await toastWith("הקמפיין ממשיך");
    await user.click(await screen.findByRole("button", { name: "ביטול הקמפיין" }));
    const dialog = within(await screen.findByRole("dialog", { name: "ביטול הקמפיין?" }));
    await user.click(dialog.getByRole("button", { name: "ביטול הקמפיין" }));
    await toastWith("הקמפיין בוטל");
    assert.equal(edge.campaigns[0].status, "cancelled");
  });
});

Deno.test("a client's numbers are shown to an administrator after a reason, and masked again", async () => {
  await withApp({ path: `/admin/campaigns/${ID}`, prepare: admin }, async ({ edge, user }) => {
    await screen.findByText("054-•••-0968");
    await user.click(screen.getByRole("button", { name: "הצגת מספרים" }));
    const dialog = within(await screen.findByRole("dialog", { name: "הצגת המספרים המלאים" }));
    await user.click(dialog.getByRole("button", { name: "הצגה" }));
    await dialog.findByText("נא לכתוב סיבה, במילים אחדות.");
    assert.deepEqual(edge.admin.reasons, []);
    edge.deliveries.set(ID, [makeDelivery({ id: 1, phone: "+972543710968" })]);
    await user.type(dialog.getByLabelText("הסיבה"), "תלונה של נמען");
    await user.click(dialog.getByRole("button", { name: "הצגה" }));
    const question = within(await screen.findByRole("dialog", { name: "אישור בסיסמה" }));
    await user.click(question.getByRole("button", { name: "ביטול" }));
    await waitFor(() => assert.equal(screen.queryByRole("dialog", { name: "אישור בסיסמה" }), null));
    const reason = dialog.getByLabelText<HTMLTextAreaElement>("הסיבה");
    assert.equal(reason.value, "תלונה של נמען", "what was typed is not lost with the password");
    await user.click(await dialog.findByRole("button", { name: "הצגה" }));
    await prove(user);
    await screen.findByText("054-371-0968");
    await screen.findByText(/המספרים גלויים לך עד/);
    assert.deepEqual(edge.admin.reasons, ["תלונה של נמען"]);
    edge.deliveries.set(ID, [makeDelivery({ id: 1, phone: "+97254•••0968" })]);
    await user.click(screen.getByRole("button", { name: "הסתרה" }));
    await screen.findByText("054-•••-0968");
    await screen.findByRole("button", { name: "הצגת מספרים" });
  });
});

Deno.test("a recipient's own message is shown to an administrator, and what was unmasked leaves the screen at once", async () => {
  const prepare = (edge: FakeEdge) => {
    const user = admin(edge);
    edge.campaigns[0]!.message = "שלום {{שם}}";
    edge.values.set(1, { שם: "נועה" });
    edge.admin.numbersShown.set(ID, Date.now() + 60_000);
    return user;
  };
  await withApp({ path: `/admin/campaigns/${ID}`, prepare }, async ({ edge, user }) => {
    await screen.findByText("שלום נועה");
    const words = within(screen.getByRole("region", { name: "ההודעה" }));
    await user.type(words.getByRole("searchbox"), "נוע");
    await user.click(await words.findByRole("button", { name: /נועה/ }));
    edge.values.set(1, { שם: "•••" });
    await user.click(screen.getByRole("button", { name: "הסתרה" }));
    await screen.findByText("שלום •••");
    assert.equal(screen.queryByText(/נועה/), null);
  });
});

Deno.test("an administrator waives a service campaign's sending hours with a reason, and withdraws it", async () => {
  const prepare = (edge: FakeEdge) => {
    edge.admin.settings.settings = { ...edge.admin.settings.settings, serviceHoursEnforced: true };
    return admin(edge);
  };
  await withApp({ path: `/admin/campaigns/${ID}`, prepare }, async ({ edge, user }) => {
    await user.click(await screen.findByRole("button", { name: "אישור שליחה מחוץ לשעות" }));
    const dialog = within(await screen.findByRole("dialog", { name: "שליחה מחוץ לשעות השליחה" }));
    dialog.getByText(/הלקוח יראה שאושרה חריגה/);
    await user.type(dialog.getByLabelText("הסיבה"), "  א ");
    await user.click(dialog.getByRole("button", { name: "אישור החריגה" }));
    await dialog.findByText("נא לכתוב סיבה, במילים אחדות.");
    assert.equal(edge.admin.hoursWaived.size, 0);
    await user.type(dialog.getByLabelText("הסיבה"), "ביטול תור דחוף.");
    await user.click(dialog.getByRole("button", { name: "אישור החריגה" }));
    await screen.findByText(/^שליחה מחוץ לשעות השליחה אושרה על ידי \u2068menahel\u2069, /);
    screen.getByText(/הסיבה: א ביטול תור דחוף\.$/);
    await focusOn("ביטול החריגה");
    assert.equal(edge.admin.hoursWaived.get(ID)!.reason, "א ביטול תור דחוף.");
    await user.click(screen.getByRole("button", { name: "ביטול החריגה" }));
    await toastWith("החריגה בוטלה");
    await screen.findByRole("button", { name: "אישור שליחה מחוץ לשעות" });
    await focusOn("אישור שליחה מחוץ לשעות");
    assert.equal(edge.admin.hoursWaived.size, 0);
  });
});

Deno.test("a waiver by another administrator closes the dialog, which does not open again by itself", async () => {
  const prepare = (edge: FakeEdge) => {
    edge.admin.settings.settings = { ...edge.admin.settings.settings, serviceHoursEnforced: true };
    return admin(edge);
  };
  await withApp({ path: `/admin/campaigns/${ID}`, prepare }, async ({ edge, user, untilLive }) => {
    await user.click(await screen.findByRole("button", { name: "אישור שליחה מחוץ לשעות" }));
    await screen.findByRole("dialog", { name: "שליחה מחוץ לשעות השליחה" });
    await untilLive();
    edge.admin.hoursWaived.set(ID, { at: Date.now(), by: "rona", reason: "דחוף" });
    // A newly opened channel fetches everything again.
    edge.closeSockets();
    await focusOn("ביטול החריגה");
    assert.ok(screen.queryByRole("dialog") === null);
    await user.click(screen.getByRole("button", { name: "ביטול החריגה" }));
    await toastWith("החריגה בוטלה");
    await screen.findByRole("button", { name: "אישור שליחה מחוץ לשעות" });
    assert.ok(screen.queryByRole("dialog") === null);
  });
});

Deno.test("the focus of a withdrawn waiver moves to the heading when the settings no longer limit service", async () => {
  const prepare = (edge: FakeEdge) => {
    edge.admin.hoursWaived.set(ID, { at: Date.now(), by: "rona", reason: "דחוף" });
    return admin(edge);
  };
  await withApp({ path: `/admin/campaigns/${ID}`, prepare }, async ({ user }) => {
    await user.click(await screen.findByRole("button", { name: "ביטול החריגה" }));
    await toastWith("החריגה בוטלה");
    const heading = screen.getByRole("heading", { level: 1, name: "רימונים" });
    await waitFor(() => assert.ok(document.activeElement === heading));
  });
});

Deno.test("a campaign of an older server without waivers is shown, and offers none", async () => {
  const prepare = (edge: FakeEdge) => {
    edge.admin.isOlder = true;
    return admin(edge);
  };
  await withApp({ path: `/admin/campaigns/${ID}`, prepare }, async () => {
    await screen.findByRole("heading", { level: 1, name: "רימונים" });
    await screen.findByText("054-•••-0968");
    assert.ok(screen.queryByRole("button", { name: "אישור שליחה מחוץ לשעות" }) === null);
  });
});

for (
  const [what, kind, status] of [
    ["advertises", "marketing", "active"],
    ["its client may still rewrite", "service", "ready"],
  ] as const
) {
  Deno.test(`a campaign that ${what} offers no waiver of the sending hours`, async () => {
    const prepare = (edge: FakeEdge) => {
      edge.admin.settings.settings = { ...edge.admin.settings.settings, serviceHoursEnforced: true };
      edge.addCampaign({ id: ID, name: "מבצע", kind, status, counts: { queued: 5 } });
      return edge.addUser({ role: "admin" });
    };
    await withApp({ path: `/admin/campaigns/${ID}`, prepare }, async () => {
      await screen.findByRole("heading", { level: 1, name: /מבצע/ });
      assert.ok(screen.queryByRole("button", { name: "אישור שליחה מחוץ לשעות" }) === null);
    });
  });
}

Deno.test("a ready campaign of a client offers an administrator no send", async () => {
  const prepare = (edge: FakeEdge) => {
    edge.addCampaign({ id: ID, name: "מוכן", status: "ready", counts: { queued: 5 } });
    return edge.addUser({ role: "admin" });
  };
  await withApp({ path: `/admin/campaigns/${ID}`, prepare }, async () => {
    await screen.findByText("הקמפיין מוכן ומחכה שהלקוח ישלח אותו.");
    assert.ok(screen.queryByRole("button", { name: "שלח" }) === null);
  });
});

Deno.test("an empty list, a missing campaign and a failed load say so", async () => {
  const prepare = (edge: FakeEdge) => edge.addUser({ role: "admin" });
  await withApp({ path: "/admin/campaigns", prepare }, async () => {
    await screen.findByText("עוד אין קמפיינים");
  });
  await withApp({ path: "/admin/campaigns/999", prepare }, async () => {
    await screen.findByRole("heading", { level: 1, name: "קמפיין לא נמצא" });
  });
  const broken = (edge: FakeEdge) => {
    edge.refusals.set("GET /api/admin/campaigns", "no_answer");
    edge.acceptsSockets = false;
    return admin(edge);
  };
  await withApp({ path: "/admin/campaigns", prepare: broken }, async ({ edge, user }) => {
    await screen.findByText(/Failed to fetch campaigns/);
    edge.refusals.clear();
    await user.click(screen.getByRole("button", { name: "ניסיון נוסף" }));
    await screen.findByText("רימונים");
  });
});

async function focusOn(name: string) {
  const button = await screen.findByRole("button", { name });
  await waitFor(() => assert.ok(document.activeElement === button, name));
}
