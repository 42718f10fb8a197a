import { toastWith, withApp } from "../testing/open_app.tsx";
import type { FakeEdge } from "../testing/fake_edge_api.ts";
import assert from "node:assert/strict";
import { screen, waitFor, within } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import type { CampaignEventData } from "shared/live_event.ts";
import type { Campaign } from "shared/http_api.ts";

Deno.test("client home creates a campaign, loads a file and numbers, and sends it", async () => {
  await withApp({ path: "/client", prepare: (edge) => edge.addUser() }, async ({ edge, user }) => {
    await screen.findByText("עדיין לא יצרת קמפיינים");
    const card = within(screen.getByRole("region", { name: "קמפיין חדש" }));
    assert.ok(card.queryByRole("button", { name: "העלה קובץ CSV" }) === null);

    await user.type(card.getByPlaceholderText("למשל: קמפיין סתיו 2024"), "סתיו");
    await user.type(card.getByLabelText("תוכן ההודעה"), "שלום לכולם");
    // Chosen before there is a campaign to load it into, and still chosen after.
    const csv = new File(["phone\n054-371-0968\n054-371-0968\nabc\n"], "list.csv", { type: "text/csv" });
    await user.upload(card.getByLabelText(/קובץ CSV/), csv);
    await user.click(card.getByRole("button", { name: "צור קמפיין" }));
    await card.findByRole("button", { name: "עריכה" });
    assert.ok(card.queryByRole("button", { name: "צור קמפיין" }) === null);
    assert.equal(edge.campaigns[0].status, "draft");

    await user.click(await card.findByRole("button", { name: "העלה קובץ CSV" }));
    assert.match(
      await toastWith("המספרים נוספו"),
      /נוסף מספר אחד\. אחד חזר על עצמו, אחד לא תקין\./,
    );

    const numbers = card.getByLabelText<HTMLTextAreaElement>("או מספרים, אחד בכל שורה");
    await user.type(numbers, "0521234567\n0531234567");
    await user.click(card.getByRole("button", { name: "הוסף מספרים ידניים" }));
    await waitFor(() => assert.equal(numbers.value, ""));

    await card.findByText("3 הודעות ייגבו מהמכסה. יישארו 497.");
    await user.click(card.getByRole("button", { name: "שלח" }));
    assert.match(await toastWith("הקמפיין נשלח"), /ההודעות נשלחות כעת למערכת/);
    await screen.findByText("497");
    await screen.findByText("בעבודה");
    await card.findByRole("button", { name: "צור קמפיין" });
  });
});

Deno.test("client home refuses a campaign without its words and marks what is missing", async () => {
  await withApp({ path: "/client", prepare: (edge) => edge.addUser() }, async ({ edge, user }) => {
    await user.click(await screen.findByRole("button", { name: "צור קמפיין" }));
    assert.match(await toastWith("שדות חסרים"), /נא למלא שם קמפיין והודעה/);
    const name = screen.getByLabelText("שם הקמפיין");
    assert.equal(name.getAttribute("aria-invalid"), "true");
    assert.equal(edge.requests.includes("POST /api/campaigns"), false);
  });
});

Deno.test("client home keeps what was typed for the same user, until it is created", async () => {
  let keptKey = "";
  await withApp({ path: "/client", prepare: (edge) => edge.addUser({ id: 7 }) }, async ({ user }) => {
    await user.type(await screen.findByLabelText("שם הקמפיין"), "טיוטה");
    await waitFor(() => assert.match(localStorage.getItem("draft.7") ?? "", /טיוטה/));
    keptKey = localStorage.getItem("draft.7")!;
  });
  const prepare = (edge: FakeEdge) => {
    localStorage.setItem("draft.7", keptKey);
    return edge.addUser({ id: 7 });
  };
  await withApp({ path: "/client", prepare }, async ({ user }) => {
    const name = await screen.findByLabelText<HTMLInputElement>("שם הקמפיין");
    assert.equal(name.value, "טיוטה");
    await user.type(screen.getByLabelText("תוכן ההודעה"), "שלום");
    await user.click(screen.getByRole("button", { name: "צור קמפיין" }));
    await screen.findByRole("button", { name: "עריכה" });
    assert.equal(localStorage.getItem("draft.7")?.includes("טיוטה"), false);
  });
});

Deno.test("client home says the server's reason when creating fails, and keeps the words", async () => {
  await withApp({ path: "/client", prepare: (edge) => edge.addUser() }, async ({ edge, user }) => {
    edge.refusals.set("POST /api/campaigns", { code: "body_too_large", error: "התמונה גדולה מדי." });
    await user.type(await screen.findByLabelText("שם הקמפיין"), "סתיו");
    await user.type(screen.getByLabelText("תוכן ההודעה"), "שלום");
    await user.click(screen.getByRole("button", { name: "צור קמפיין" }));
    assert.match(await toastWith("הקמפיין לא נוצר"), /התמונה גדולה מדי\./);
    assert.equal(screen.getByLabelText<HTMLInputElement>("שם הקמפיין").value, "סתיו");
  });
});

Deno.test("client home refuses a file that is not CSV and an image of another kind", async () => {
  await withApp({ path: "/client", prepare: (edge) => edge.addUser() }, async () => {
    const user = userEvent.setup({ applyAccept: false });
    await user.upload(await screen.findByLabelText(/קובץ CSV/), new File(["x"], "list.xlsx"));
    assert.match(await toastWith("הקובץ לא נבחר"), /זה לא קובץ CSV/);
    await user.upload(
      screen.getByLabelText("בחירת תמונה"),
      new File(["x"], "a.gif", { type: "image/gif" }),
    );
    assert.match(await toastWith("התמונה לא צורפה"), /image\/gif/);
  });
});

Deno.test("client home sends a ready campaign from its own card and words a refusal", async () => {
  const prepare = (edge: FakeEdge) => {
    edge.addCampaign({ name: "מוכן לדרך", status: "ready", counts: { queued: 900 } });
    return edge.addUser({ messageQuota: 500 });
  };
  await withApp({ path: "/client", prepare }, async ({ user }) => {
    const item = within((await screen.findByRole("link", { name: "מוכן לדרך" })).closest("li")!);
    assert.ok(item.getByText(/חסרות 400 הודעות במכסה: דרושות 900, זמינות 500/));
    await user.click(item.getByRole("button", { name: "שלח" }));
    assert.match(await toastWith("שגיאה בשליחת קמפיין"), /חסרות 400 הודעות במכסה/);
  });
});

Deno.test("client home shows estimates, ends and ages by the product's rules", async () => {
  const prepare = (edge: FakeEdge) => {
    edge.addCampaign({ name: "רץ", status: "active", counts: { sent: 1742, queued: 1458 } });
    edge.addCampaign({ name: "כמעט", status: "processing", counts: { sent: 5 } });
    const completedAt = Date.now() - 3 * 86_400_000 - 1000;
    edge.addCampaign({ name: "תם", status: "completed", counts: { sent: 12 }, completedAt });
    return edge.addUser();
  };
  await withApp({ path: "/client", prepare }, async () => {
    await screen.findByText("~73 דקות");
    assert.ok(screen.getByText("בקרוב..."));
    assert.ok(screen.getByText("הושלם לפני 3 ימים"));
  });
});

Deno.test("client home shows a retry when the campaigns do not load", async () => {
  await withApp({ path: "/client", prepare: (edge) => edge.addUser() }, async ({ edge, user }) => {
    edge.refusals.set("GET /api/campaigns", { code: "internal", error: "תקלה בשרת" });
    await screen.findByRole("heading", { name: "הקמפיינים לא נטענו" });
    edge.refusals.clear();
    await user.click(screen.getByRole("button", { name: "ניסיון נוסף" }));
    await screen.findByText("עדיין לא יצרת קמפיינים");
  });
});

Deno.test("live events move the list and raise the two toasts", async () => {
  let campaign: Campaign;
  const prepare = (edge: FakeEdge) => {
    campaign = edge.addCampaign({ name: "רץ", status: "processing", counts: { queued: 10 } });
    return edge.addUser();
  };
  await withApp({ path: "/client", prepare }, async ({ edge }) => {
    await screen.findByRole("link", { name: "רץ" });
    await waitFor(() => assert.equal(edge.openSockets, 1));
    const figures = (sent: number, status: Campaign["status"]): CampaignEventData => {
      campaign.counts = { ...campaign.counts, sent, queued: 10 - sent };
      Object.assign(campaign, { sentCount: sent, status });
      return { ...campaign, campaignId: campaign.id };
    };
    edge.emit({ type: "campaign_started", data: figures(0, "active") });
    assert.match(await toastWith("קמפיין החל"), /שליחה החלה - 10 אנשי קשר/);
    edge.emit({ type: "campaign_progress", data: figures(4, "active") });
    await screen.findByRole("img", { name: "4 נשלחו, 6 בתור" });
    edge.emit({ type: "quota_changed", data: { messageQuota: 321 } });
    await screen.findByText("321");
    edge.emit({ type: "campaign_completed", data: figures(10, "completed") });
    assert.match(await toastWith("קמפיין הושלם!"), /הקמפיין הסתיים בהצלחה/);
    await screen.findByText("סיים");
  });
});

Deno.test("a session that ends leads to the login and says that the draft is kept", async () => {
  await withApp({ path: "/client", prepare: (edge) => edge.addUser() }, async ({ edge, user }) => {
    await user.type(await screen.findByLabelText("שם הקמפיין"), "סתיו");
    await user.type(screen.getByLabelText("תוכן ההודעה"), "שלום");
    edge.endSessions();
    await user.click(screen.getByRole("button", { name: "צור קמפיין" }));
    await screen.findByRole("heading", { name: "כניסה למערכת" });
    assert.match(await toastWith("תוקף הכניסה פג"), /הטיוטה נשמרה/);
    assert.equal(Object.keys(localStorage).some((key) => key.startsWith("draft.")), true);
  });
});
