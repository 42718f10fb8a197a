import { alertWith, toastWith, untilIdle, withApp } from "../testing/open_app.tsx";
import type { FakeEdge } from "../testing/fake_edge_api.ts";
import { makeDelivery } from "../testing/make_campaign.ts";
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
    await user.click(card.getByLabelText("שירות"));
    // The file is chosen before its campaign exists, and must still be chosen afterwards.
    const csv = new File(["phone\n054-371-0968\n054-371-0968\nabc\n"], "list.csv", { type: "text/csv" });
    await user.upload(card.getByLabelText(/קובץ CSV/), csv);
    await user.click(card.getByRole("button", { name: "צור קמפיין" }));
    await card.findByRole("button", { name: "עריכה" });
    assert.ok(card.queryByRole("button", { name: "צור קמפיין" }) === null);
    assert.equal(edge.campaigns[0].status, "draft");

    await user.click(await card.findByRole("button", { name: "העלה קובץ CSV" }));
    await screen.findByText("נוסף מספר אחד. אחד חזר על עצמו, אחד לא תקין.");
    await untilIdle();

    const numbers = card.getByLabelText<HTMLTextAreaElement>("או מספרים, אחד בכל שורה");
    await user.type(numbers, "0521234567\n0531234567");
    await user.click(card.getByRole("button", { name: "הוסף מספרים ידניים" }));
    await waitFor(() => assert.equal(numbers.value, ""));

    // The numbers are present already: nothing is added, and no other message is shown.
    await user.type(numbers, "0521234567");
    await user.click(card.getByRole("button", { name: "הוסף מספרים ידניים" }));
    await screen.findByText("המספר כבר נמצא בקמפיין. לא נוסף דבר.");
    await waitFor(() => assert.equal(numbers.value, ""));

    await card.findByText("3 הודעות ייגבו מהמכסה. יישארו 497.");
    await user.click(card.getByRole("button", { name: "שלח" }));
    await user.click(await screen.findByRole("button", { name: "לשלוח ל־3 נמענים" }));
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
    await user.click(screen.getByLabelText("שירות"));
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
    await user.click(screen.getByLabelText("שירות"));
    await user.click(screen.getByRole("button", { name: "צור קמפיין" }));
    assert.match(await toastWith("הקמפיין לא נוצר"), /התמונה גדולה מדי\./);
    assert.equal(screen.getByLabelText<HTMLInputElement>("שם הקמפיין").value, "סתיו");
  });
});

Deno.test("client home refuses a file that is no table and an image of another kind", async () => {
  await withApp({ path: "/client", prepare: (edge) => edge.addUser() }, async () => {
    const user = userEvent.setup({ applyAccept: false });
    const csvField = await screen.findByLabelText<HTMLInputElement>(/קובץ CSV/);
    assert.equal(csvField.accept, ".csv,.xlsx");
    assert.equal(screen.getByLabelText<HTMLInputElement>("בחירת תמונה").accept, "image/*");
    await user.upload(csvField, new File(["x"], "list.pdf"));
    // Under the file, where it stays until another is chosen.
    await alertWith("הקובץ לא נבחר", /זה לא קובץ CSV/);
    assert.ok(document.querySelector(".toast-card") === null);
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
    return edge.addUser({ messageQuota: 900 });
  };
  await withApp({ path: "/client", prepare }, async ({ edge, user }) => {
    const item = within((await screen.findByRole("link", { name: "מוכן לדרך" })).closest("li")!);
    // Another screen used the quota a moment ago, and this one has not heard of it.
    const send = `POST /api/campaigns/${edge.campaigns[0].id}/send`;
    edge.refusals.set(send, { code: "quota_short", error: "חסרות 400 הודעות במכסה" });
    await user.click(item.getByRole("button", { name: "שלח" }));
    await user.click(await screen.findByRole("button", { name: "לשלוח ל־900 נמענים" }));
    assert.match(await toastWith("שגיאה בשליחת קמפיין"), /חסרות 400 הודעות במכסה/);
    edge.refusals.set(send, "no_answer");
    await user.click(screen.getByRole("button", { name: "לשלוח ל־900 נמענים" }));
    await screen.findByText(/Failed to send campaign/);
  });
});

Deno.test("client home shows estimates, ends and ages by the product's rules", async () => {
  const prepare = (edge: FakeEdge) => {
    const now = Date.now();
    edge.addCampaign({
      name: "רץ",
      status: "active",
      counts: { sent: 1742, queued: 1458 },
      estimate: { endsAt: now + 72.5 * 60_000, by: "rule" },
    });
    edge.addCampaign({
      name: "ארוך",
      status: "active",
      counts: { sent: 1, queued: 90_000 },
      estimate: { endsAt: now + 30 * 86_400_000, by: "pace" },
    });
    edge.addCampaign({
      name: "עומד",
      status: "active",
      counts: { sent: 1, queued: 9 },
      notices: [{ code: "stalled", cause: "not_asking", count: 9, since: now - 5 * 60_000 }],
    });
    edge.addCampaign({
      name: "מוכן",
      status: "ready",
      counts: { queued: 9 },
      estimate: { endsAt: now + 30_000, by: "capacity" },
    });
    edge.addCampaign({
      name: "כמעט",
      status: "processing",
      counts: { sent: 5 },
      estimate: { endsAt: now, by: "pace" },
    });
    const completedAt = Date.now() - 3 * 86_400_000 - 1000;
    edge.addCampaign({ name: "תם", status: "completed", counts: { sent: 12 }, completedAt });
    return edge.addUser();
  };
  await withApp({ path: "/client", prepare }, async () => {
    await screen.findByText("~73 דקות");
    assert.ok(screen.getByText("בקרוב..."));
    assert.ok(screen.getByText("אם יישלח עכשיו, יסתיים תוך כדקה."));
    const cardOf = (name: string) => screen.getByRole("link", { name }).closest("li")!.textContent!;
    assert.match(cardOf("ארוך"), /יסתיים ב־\d+\.\d+\.\d{4}/);
    await screen.findByText("לא יצאה הודעה כבר 5 דקות, אף שיש טלפון פנוי.");
    assert.doesNotMatch(cardOf("עומד"), /זמן משוער|יסתיים/, "no end while nothing can go");
    assert.ok(screen.getByText("הושלם לפני 3 ימים"));
  });
});

Deno.test("client home shows a retry when the campaigns do not load", async () => {
  const prepare = (edge: FakeEdge) => {
    edge.refusals.set("GET /api/campaigns", { code: "internal", error: "תקלה בשרת" });
    edge.acceptsSockets = false;
    return edge.addUser();
  };
  await withApp({ path: "/client", prepare }, async ({ edge, user }) => {
    await screen.findByText("הקמפיינים לא נטענו");
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
  await withApp({ path: "/client", prepare }, async ({ edge, untilLive }) => {
    await screen.findByRole("link", { name: "רץ" });
    await untilLive();
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
    await user.click(screen.getByLabelText("שירות"));
    edge.endSessions();
    await user.click(screen.getByRole("button", { name: "צור קמפיין" }));
    // toastWith() also catches a toast that disappears before the screen is complete.
    assert.match(await toastWith("תוקף הכניסה פג"), /הטיוטה נשמרה/);
    await screen.findByRole("heading", { name: "כניסה למערכת" });
    assert.equal(Object.keys(localStorage).some((key) => key.startsWith("draft.")), true);
  });
});

Deno.test("client home keeps numbers and edits for their campaign while the card shows another", async () => {
  const prepare = (edge: FakeEdge) => {
    edge.addCampaign({ id: 41, name: "ראשון", notices: [{ code: "no_contacts" }] });
    edge.addCampaign({ id: 42, name: "שני", notices: [{ code: "no_contacts" }] });
    return edge.addUser({ id: 7 });
  };
  await withApp({ path: "/client", prepare }, async ({ user }) => {
    const numbers = () => screen.getByLabelText<HTMLTextAreaElement>("או מספרים, אחד בכל שורה");
    async function open(name: string) {
      const item = within((await screen.findByRole("link", { name })).closest("li")!);
      await user.click(item.getByRole("button", { name: "להוספת אנשי קשר" }));
      await screen.findByRole("button", { name: "עריכה" });
    }
    await user.type(await screen.findByLabelText("שם הקמפיין"), "שלישי");
    await user.type(numbers(), "0541111111");
    await open("ראשון");
    assert.equal(numbers().value, "");
    await user.type(numbers(), "0542222222");
    await open("שני");
    await user.type(numbers(), "0543333333");
    await open("ראשון");
    assert.equal(numbers().value, "0542222222");
    await user.click(screen.getByRole("button", { name: "התחלת קמפיין נוסף" }));
    assert.equal(screen.getByLabelText<HTMLInputElement>("שם הקמפיין").value, "שלישי");
    assert.equal(numbers().value, "0541111111");
  });
});

Deno.test("client home says that a file is missing when it can no longer be read", async () => {
  await withApp({ path: "/client", prepare: (edge) => edge.addUser() }, async ({ edge, user }) => {
    await user.type(await screen.findByLabelText("שם הקמפיין"), "סתיו");
    await user.type(screen.getByLabelText("תוכן ההודעה"), "שלום");
    await user.click(screen.getByLabelText("שירות"));
    const removed = new File(["x"], "list.csv", { type: "text/csv" });
    removed.slice = () => {
      throw new DOMException("gone", "NotReadableError");
    };
    await user.upload(screen.getByLabelText(/קובץ CSV/), removed);
    await user.click(screen.getByRole("button", { name: "צור קמפיין" }));
    await user.click(await screen.findByRole("button", { name: "העלה קובץ CSV" }));
    assert.match(await toastWith("קובץ חסר"), /נא להעלות קובץ CSV/);
    assert.ok(screen.queryByRole("button", { name: "העלה קובץ CSV" }) === null);
    assert.equal(edge.requests.some((asked) => asked.endsWith("/contacts")), false);
  });
});

Deno.test("client home shows a failure without a server's sentence in Hebrew", async () => {
  await withApp({ path: "/client", prepare: (edge) => edge.addUser() }, async ({ edge, user }) => {
    edge.refusals.set("POST /api/campaigns", "no_answer");
    await user.type(await screen.findByLabelText("שם הקמפיין"), "סתיו");
    await user.type(screen.getByLabelText("תוכן ההודעה"), "שלום");
    await user.click(screen.getByLabelText("שירות"));
    await user.click(screen.getByRole("button", { name: "צור קמפיין" }));
    assert.match(await toastWith("הקמפיין לא נוצר"), /Failed to create campaign/);
    edge.refusals.clear();
    await user.click(screen.getByRole("button", { name: "צור קמפיין" }));
    await screen.findByRole("button", { name: "עריכה" });
    const [campaign] = edge.campaigns;
    edge.refusals.set(`POST /api/campaigns/${campaign.id}/contacts/manual`, "no_answer");
    await user.type(screen.getByLabelText("או מספרים, אחד בכל שורה"), "0541111111");
    await user.click(screen.getByRole("button", { name: "הוסף מספרים ידניים" }));
    await alertWith("המספרים לא נוספו", /Upload failed/);
    assert.equal(
      screen.getByLabelText<HTMLTextAreaElement>("או מספרים, אחד בכל שורה").value,
      "0541111111",
    );
  });
});

Deno.test("client home shows campaigns beyond the newest two hundred, and searches them too", async () => {
  const prepare = (edge: FakeEdge) => {
    for (let number = 1; number <= 450; number++) edge.addCampaign({ name: `קמפיין מספר ${number}` });
    return edge.addUser();
  };
  await withApp({ path: "/client", prepare }, async ({ user, untilLive }) => {
    await screen.findByRole("link", { name: "קמפיין מספר 450" });
    await untilLive();
    const items = () =>
      within(screen.getByRole("region", { name: "הקמפיינים שלי" })).getAllByRole("listitem");
    assert.equal(items().length, 20);
    const search = screen.getByRole("searchbox", { name: "חיפוש קמפיין" });
    await user.type(search, "מספר 7");
    await waitFor(() => assert.ok(screen.queryByRole("link", { name: "קמפיין מספר 450" }) === null));
    await screen.findByText("אין תוצאות ל״מספר 7״ ב־200 הקמפיינים האחרונים.");
    await user.click(screen.getByRole("button", { name: "הצגת קמפיינים ישנים יותר" }));
    await screen.findByRole("link", { name: "קמפיין מספר 79" });
    await user.click(screen.getByRole("button", { name: "הצגת קמפיינים ישנים יותר" }));
    await screen.findByRole("link", { name: "קמפיין מספר 7" });
  });
});

Deno.test("client home's figures stay, with their age, while the server does not answer", async () => {
  await withApp({ path: "/client", prepare: (edge) => edge.addUser() }, async ({ edge, untilLive }) => {
    await screen.findByText("עדיין לא יצרת קמפיינים");
    await untilLive();
    edge.refusals.set("GET /api/campaigns", "no_answer");
    edge.emit({ type: "campaign_changed", data: { campaignId: 1 } });
    await screen.findByText("השרת לא ענה.");
    assert.ok(screen.getByText("עדיין לא יצרת קמפיינים"));
  });
});

Deno.test("client home shows the last changes of the quota, and more on request", async () => {
  const prepare = (edge: FakeEdge) => {
    for (let id = 1; id <= 30; id++) {
      edge.ledger.unshift({
        id,
        at: Date.now(),
        kind: "grant",
        delta: id,
        balanceAfter: id * 10,
        campaignId: null,
        campaignName: null,
        actor: "admin",
        actorName: null,
        reason: null,
      });
    }
    return edge.addUser();
  };
  await withApp({ path: "/client", prepare }, async ({ user, untilLive }) => {
    const ledger = within(await screen.findByRole("region", { name: "תנועות במכסה" }));
    await ledger.findByText("+30");
    await untilLive();
    const rows = () => ledger.getAllByRole("row").length - 1;
    assert.equal(rows(), 6);
    await user.click(ledger.getByRole("button", { name: "הצגת עוד" }));
    assert.equal(rows(), 20);
    await user.click(ledger.getByRole("button", { name: "הצגת עוד" }));
    await ledger.findByText("+1");
    assert.ok(ledger.queryByRole("button", { name: "הצגת עוד" }) === null);
  });
});

Deno.test("client home says when the changes of the quota do not load", async () => {
  const prepare = (edge: FakeEdge) => {
    const user = edge.addUser();
    edge.refusals.set(`GET /api/users/${user.id}/ledger`, { code: "internal", error: "תקלה בשרת" });
    edge.acceptsSockets = false;
    return user;
  };
  await withApp({ path: "/client", prepare }, async ({ edge, user }) => {
    const ledger = within(await screen.findByRole("region", { name: "תנועות במכסה" }));
    await ledger.findByText("תנועות המכסה לא נטענו");
    edge.refusals.clear();
    await user.click(ledger.getByRole("button", { name: "ניסיון נוסף" }));
    await ledger.findByText(/עוד אין תנועות/);
  });
});

Deno.test("client home lists what moves first, then what is paused; a filter shows one group", async () => {
  const prepare = (edge: FakeEdge) => {
    edge.addCampaign({ name: "רץ", status: "active", counts: { sent: 1, queued: 9 } });
    edge.addCampaign({ name: "עומד", status: "paused", counts: { sent: 1, queued: 9 } });
    edge.addCampaign({ name: "ישן", status: "completed", counts: { sent: 3 } });
    edge.addCampaign({ name: "טיוטה א" });
    edge.addCampaign({ name: "טיוטה ב" });
    return edge.addUser();
  };
  await withApp({ path: "/client", prepare }, async ({ user }) => {
    const list = within(await screen.findByRole("region", { name: "הקמפיינים שלי" }));
    await list.findByRole("link", { name: "רץ" });
    const names = () => list.getAllByRole("heading", { level: 3 }).map(({ textContent }) => textContent);
    assert.deepEqual(names(), ["רץ", "עומד", "טיוטה ב", "טיוטה א", "ישן"]);
    const filter = list.getByRole<HTMLSelectElement>("combobox", { name: "סינון לפי מצב" });
    assert.deepEqual([...filter.options].map(({ text }) => text), [
      "כל המצבים",
      "בעבודה (1)",
      "מושהים (1)",
      "לפני שליחה (2)",
      "הסתיימו (1)",
    ]);
    await user.selectOptions(filter, "לפני שליחה (2)");
    assert.deepEqual(names(), ["טיוטה ב", "טיוטה א"]);
  });
});

Deno.test("a campaign that ended with errors offers those who did not receive it again, in a draft of its own", async () => {
  const prepare = (edge: FakeEdge) => {
    edge.addCampaign({
      id: 7,
      name: "סתיו",
      status: "completed_with_errors",
      counts: { sent: 10, failed: 2, skipped: 1 },
    });
    edge.deliveries.set(
      7,
      [1, 2].map((id) => makeDelivery({ id, phone: `+97254000000${id}`, state: "failed" })),
    );
    return edge.addUser();
  };
  await withApp({ path: "/client", prepare }, async ({ edge, user, address }) => {
    await user.click(await screen.findByRole("link", { name: "סתיו" }));
    await screen.findByText("3 נמענים מתוך 13 לא קיבלו את ההודעה.");
    await screen.findByText(/2 נכשלו, 1 דולגה\. המכסה שלהן הוחזרה\./);
    await user.click(screen.getByRole("link", { name: "חזרה לקמפיינים" }));
    await user.click(await screen.findByRole("button", { name: "קמפיין חדש ל־3 שלא קיבלו" }));
    await screen.findByRole("heading", { level: 1, name: "סתיו (עותק)" });
    assert.equal(address(), `/client/campaign/${edge.campaigns[0].id}`);
    assert.deepEqual([edge.campaigns[0].status, edge.campaigns[0].totalContacts], ["ready", 2]);
  });
});

Deno.test("a campaign that only left people out is among those that were completed", async () => {
  const prepare = (edge: FakeEdge) => {
    const status = "completed_with_errors";
    edge.addCampaign({ id: 7, name: "רגוע", status, counts: { sent: 10, skipped: 1 } });
    edge.addCampaign({ id: 8, name: "נכשלו", status, counts: { sent: 10, failed: 1 } });
    for (const name of ["א", "ב", "ג"]) edge.addCampaign({ name });
    return edge.addUser();
  };
  await withApp({ path: "/client", prepare }, async () => {
    await screen.findByText(/ללא כשלים/);
    const filter = screen.getByRole<HTMLSelectElement>("combobox", { name: "סינון לפי מצב" });
    assert.deepEqual([...filter.options].map(({ text }) => text), [
      "כל המצבים",
      "לפני שליחה (3)",
      "הסתיימו (1)",
      "הסתיימו עם כשלים (1)",
    ]);
  });
});

Deno.test("client home tells a client without messages whether they ran out or were never loaded", async () => {
  await withApp({ path: "/client", prepare: (edge) => edge.addUser({ messageQuota: 0 }) }, async () => {
    await screen.findByText("עוד לא נטענו הודעות.");
    assert.ok(screen.queryByText("המכסה נגמרה.") === null);
  });
  const used = (edge: FakeEdge) => {
    edge.ledger.push({
      id: 1,
      at: Date.now(),
      kind: "grant",
      delta: 5,
      balanceAfter: 5,
      campaignId: null,
      campaignName: null,
      actor: "admin",
      actorName: null,
      reason: null,
    });
    return edge.addUser({ messageQuota: 0 });
  };
  await withApp({ path: "/client", prepare: used }, async () => {
    await screen.findByText("המכסה נגמרה.");
  });
});

/** Stores a draft as another tab does, and sends the event that only the other tabs get. */
function writeElsewhere(key: string, value: object, isHeard = true): void {
  const newValue = JSON.stringify(value);
  localStorage.setItem(key, newValue);
  if (isHeard) dispatchEvent(Object.assign(new Event("storage"), { key, newValue }));
}

Deno.test("a draft that another tab writes shows there what is written, and says that it is one draft", async () => {
  await withApp({ path: "/client", prepare: (edge) => edge.addUser({ id: 7 }) }, async ({ user }) => {
    const name = await screen.findByLabelText<HTMLInputElement>("שם הקמפיין");
    await user.type(name, "סתיו");
    assert.ok(screen.queryByText(/בלשונית אחרת/) === null);
    writeElsewhere("draft.7", { name: "חורף", message: "שלום" });
    await screen.findByText("הטיוטה פתוחה גם בלשונית אחרת.");
    assert.equal(name.value, "חורף");
    assert.equal(screen.getByLabelText<HTMLTextAreaElement>("תוכן ההודעה").value, "שלום");
  });
});

Deno.test("two tabs that write one draft at once overwrite nothing until a person chose", async () => {
  await withApp({ path: "/client", prepare: (edge) => edge.addUser({ id: 7 }) }, async ({ user }) => {
    const name = await screen.findByLabelText<HTMLInputElement>("שם הקמפיין");
    await user.type(name, "סתיו");
    writeElsewhere("draft.7", { name: "חורף" }, false);
    await user.type(name, " כאן");
    await screen.findByText("הטיוטה השתנתה בלשונית אחרת.");
    assert.equal(name.value, "סתיו כאן");
    assert.match(localStorage.getItem("draft.7")!, /חורף/);
    await user.click(screen.getByRole("button", { name: "להציג את מה שנכתב שם" }));
    assert.equal(name.value, "חורף");

    writeElsewhere("draft.7", { name: "אביב" }, false);
    await user.type(name, " שלנו");
    await user.click(await screen.findByRole("button", { name: "לשמור את מה שכאן" }));
    assert.equal(name.value, "חורף שלנו");
    assert.match(localStorage.getItem("draft.7")!, /חורף שלנו/);
  });
});
