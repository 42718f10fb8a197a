import { toastWith, untilIdle, withApp } from "../testing/open_app.tsx";
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
    pace: 23.4,
    estimate: { endsAt: Date.now() + 2.5 * 60_000, by: "pace" },
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

Deno.test("campaign in progress shows figures, text and picture, and offers no send", async () => {
  await withApp({ path: `/client/campaign/${ID}`, prepare: runningCampaign }, async () => {
    await screen.findByRole("heading", { level: 1, name: "רימונים" });
    assert.ok(screen.getByText("~3 דקות"));
    assert.ok(screen.getByText("קצב שנמדד").parentElement!.textContent!.endsWith("23 בדקה"));
    assert.ok(screen.getByText("מתוך 100"));
    assert.match(screen.getByText(/שורה ראשונה/).textContent!, /שורה ראשונה\nשורה שנייה/);
    assert.ok(screen.getByRole("img", { name: "התמונה שצורפה להודעה" }));
    assert.ok(screen.queryByRole("button", { name: "שלח" }) === null);
  });
});

Deno.test("recipients show the day beside the time unless it is today", async () => {
  await withApp({ path: `/client/campaign/${ID}`, prepare: runningCampaign }, async () => {
    const row = (await screen.findByText("054-371-0968")).closest("tr")!;
    assert.match(row.textContent!, /02:00:001\.1\.1970/);
  });
});

Deno.test("campaign that sent one message uses the singular", async () => {
  const prepare = (edge: FakeEdge) => {
    edge.addCampaign({ id: ID, status: "active", counts: { sent: 1, queued: 4 } });
    return edge.addUser();
  };
  await withApp({ path: `/client/campaign/${ID}`, prepare }, async () => {
    const progress = within(await screen.findByRole("region", { name: "התקדמות" }));
    assert.ok(progress.getByText("נשלחה"));
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
    await user.click(await screen.findByRole("button", { name: "לשלוח ל־860 נמענים" }));
    assert.match(await toastWith("שגיאה"), /אירעה שגיאה בשליחת הקמפיין/);
    edge.refusals.clear();
    await user.click(await screen.findByRole("button", { name: "לשלוח ל־860 נמענים" }));
    await toastWith("הקמפיין נשלח");
    await screen.findByText("11,620");
    await screen.findByText("בעבודה");
  });
});

Deno.test("campaign whose people were reached before a restore is sent without them, after a question", async () => {
  const prepare = (edge: FakeEdge) => {
    edge.addCampaign({
      id: ID,
      name: "שוב",
      status: "ready",
      counts: { queued: 860 },
      notices: [{ code: "reached_in_lost_time", count: 12 }],
    });
    return edge.addUser({ messageQuota: 12_480 });
  };
  await withApp({ path: `/client/campaign/${ID}`, prepare }, async ({ edge, user }) => {
    await screen.findByText("12 אנשי קשר ברשימה כבר קיבלו הודעה.");
    await user.click(screen.getByRole("button", { name: "שלח" }));
    await user.click(await screen.findByRole("button", { name: "לשלוח ל־860 נמענים" }));
    await screen.findByRole("button", { name: "להשמיט ולשלוח לשאר" });
    const dialog = within(screen.getByRole("dialog"));
    assert.ok(dialog.getByText("12 אנשי קשר ברשימה כבר קיבלו הודעה"));
    assert.equal(edge.campaigns[0]!.status, "ready", "nothing is sent before somebody chose");
    await user.click(dialog.getByRole("button", { name: "להשמיט ולשלוח לשאר" }));
    await toastWith("הקמפיין נשלח");
    await screen.findByText("11,632");
  });
});

Deno.test("campaign that is ready may get a pilot wave within its list, and lose it again", async () => {
  const prepare = (edge: FakeEdge) => {
    edge.addCampaign({ id: ID, name: "מוכן", status: "ready", counts: { queued: 860 } });
    return edge.addUser({ messageQuota: 12_480 });
  };
  await withApp({ path: `/client/campaign/${ID}`, prepare }, async ({ edge, user }) => {
    const pilotOf = () => edge.campaigns.find(({ id }) => id === ID)!.pilot;
    await user.click(await screen.findByRole("button", { name: "לשלוח קודם גל ניסיון" }));
    const count = await screen.findByLabelText<HTMLInputElement>("כמה ראשונים");
    assert.equal(count.value, "86", "a tenth of the list");
    await user.clear(count);
    await user.type(count, "860");
    await user.click(screen.getByRole("button", { name: "שמירת גל הניסיון" }));
    assert.ok(screen.getByText("נא להזין מספר שלם מ־1 עד 859"));
    await user.clear(count);
    await user.type(count, "30");
    await user.click(screen.getByRole("button", { name: "שמירת גל הניסיון" }));
    await screen.findByText("קודם 30 הודעות, אחריהן המתנה של שעה, ואז השאר.");
    assert.deepEqual(pilotOf(), { count: 30, waitMinutes: 60 });
    await user.click(screen.getByRole("button", { name: "שינוי גל הניסיון" }));
    await user.click(await screen.findByRole("button", { name: "בלי גל ניסיון" }));
    await screen.findByText("ההודעה תצא לכל הרשימה.");
    assert.equal(pilotOf(), null);
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

Deno.test("campaign pauses, resumes, and cancels after a question with the effect in numbers", async () => {
  await withApp({ path: `/client/campaign/${ID}`, prepare: runningCampaign }, async ({ edge, user }) => {
    await user.click(await screen.findByRole("button", { name: "השהיה" }));
    await user.click(await screen.findByRole("button", { name: "המשך" }));
    await screen.findByRole("button", { name: "השהיה" });
    await user.click(screen.getByRole("button", { name: "ביטול הקמפיין" }));
    const dialog = within(
      await screen.findByRole("dialog", { name: "ביטול הקמפיין?", description: /יוחזרו למכסה/ }),
    );
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
    assert.ok(dialog.getByText("לשלוח שוב לשני נמענים? ייתכן שחלקם כבר קיבלו את ההודעה."));
    await user.click(dialog.getByLabelText("לסמן כנשלח: ההודעה נראית בשיחה"));
    await user.click(dialog.getByRole("button", { name: "סימון כנשלח" }));
    assert.match(await toastWith("המצב עודכן"), /שני נמענים עודכנו/);
    await waitFor(() => assert.ok(screen.queryByText(/במצב לא ידוע/) === null));
    assert.equal(edge.deliveries.get(ID)!.filter(({ state }) => state === "unknown").length, 0);
  });
});

Deno.test("unknown delivery is settled alone, and resending warns first", async () => {
  await withApp({ path: `/client/campaign/${ID}`, prepare: runningCampaign }, async ({ edge, user }) => {
    const row = within((await screen.findByText("053-704-1182")).closest("tr")!);
    await user.click(row.getByRole("button", { name: "טיפול" }));
    const dialog = within(screen.getByRole("dialog", { name: "מה קרה להודעה?" }));
    assert.ok(dialog.queryByRole("button", { name: /סימון|שליחה/ }) === null);
    await user.click(dialog.getByLabelText("לשלוח שוב: ייתכן שהנמען יקבל אותה פעמיים"));
    assert.ok(dialog.getByText("לשלוח שוב לנמען אחד? ייתכן שכבר קיבל את ההודעה."));
    await user.click(dialog.getByLabelText("לסמן ככישלון: ההודעה תוחזר למכסה"));
    await user.click(dialog.getByRole("button", { name: "סימון ככישלון" }));
    assert.match(await toastWith("המצב עודכן"), /נמען אחד עודכן/);
    const states = edge.deliveries.get(ID)!.map(({ state }) => state);
    assert.deepEqual(states, ["sent", "failed", "failed", "unknown", "leased"]);
  });
});

Deno.test("campaign that an administrator paused says so and offers no resume", async () => {
  const prepare = (edge: FakeEdge) => {
    const notices = [{ code: "paused_by_admin", count: 58 }] as const;
    edge.addCampaign({ id: ID, status: "paused", counts: { sent: 40, queued: 58 }, notices: [...notices] });
    return edge.addUser();
  };
  await withApp({ path: `/client/campaign/${ID}`, prepare }, async () => {
    await screen.findByText("הושהה על ידי מנהל המערכת.");
    assert.ok(screen.getByText(/58 הודעות מחכות בתור\. ההמשך מחכה לאישור של מנהל המערכת\./));
    assert.ok(screen.queryByRole("button", { name: "המשך" }) === null);
    assert.ok(screen.getByRole("button", { name: "ביטול הקמפיין" }));
  });
});

Deno.test("recipients are filtered by state, found by number, and show their history", async () => {
  const prepare = (edge: FakeEdge) => {
    const step = {
      site: "חולון",
      account: null,
      sender: "+972559000001",
      reason: null,
      result: null,
      tappedAt: null,
    };
    edge.stories.set(2, [
      { ...step, at: 1000, what: "leased", by: 0, attempt: 1 },
      { ...step, at: 2000, what: "acked", by: 1, attempt: 1 },
      { ...step, at: 3000, what: "failed", by: 1, attempt: 1, reason: "not_on_app", result: "applied" },
    ]);
    return runningCampaign(edge);
  };
  await withApp({ path: `/client/campaign/${ID}`, prepare }, async ({ user }) => {
    await screen.findByText("054-371-0968");
    assert.ok(screen.getAllByText("ממתין לעמדת השליחה ״חולון״").length > 0);
    const search = screen.getByRole("searchbox", { name: "חיפוש לפי מספר" });
    await user.type(search, "052-1");
    await waitFor(() => assert.ok(screen.queryByText("054-371-0968") === null));
    await user.click(await screen.findByRole("button", { name: "052-118-6640" }));
    const story = within(screen.getByRole("dialog", { name: "היסטוריית הנמען" }));
    assert.ok(await story.findByText("ההודעה לא נשלחה"));
    assert.match(story.getByText(/^ניסיון 1/).textContent!, /עמדת השליחה ״חולון״ · 055-900-0001/);
    assert.ok(story.getByText("אין חשבון במספר הזה · לפי דיווח עמדת השליחה"));
    await user.click(story.getByRole("button", { name: "סגירה" }));
    await user.clear(search);
    await user.type(search, "058");
    await screen.findByText("המספר 058 לא נמצא בקמפיין הזה.");
    await user.clear(search);
    await user.click(screen.getByRole("button", { name: /נשלחו 40/ }));
    await screen.findByText("054-371-0968");
    assert.ok(screen.queryByText("052-118-6640") === null);
    assert.equal(screen.getByRole("button", { name: /נשלחו 40/ }).getAttribute("aria-pressed"), "true");
  });
});

Deno.test("recipients that do not load offer another try, and their file says when it failed", async () => {
  const prepare = (edge: FakeEdge) => {
    edge.refusals.set(`GET /api/campaigns/${ID}/deliveries`, { code: "internal", error: "תקלה בשרת" });
    edge.refusals.set(`GET /api/campaigns/${ID}/deliveries.csv`, { code: "internal", error: "תקלה בקובץ" });
    edge.acceptsSockets = false;
    return runningCampaign(edge);
  };
  await withApp({ path: `/client/campaign/${ID}`, prepare }, async ({ edge, user }) => {
    await screen.findByText("רשימת הנמענים לא נטענה");
    await user.click(screen.getByRole("button", { name: "ייצוא CSV" }));
    assert.match(await toastWith("הקובץ לא הורד"), /תקלה בקובץ/);
    edge.refusals.clear();
    await user.click(screen.getByRole("button", { name: "ניסיון נוסף" }));
    await screen.findByText("054-371-0968");
  });
});

Deno.test("ten thousand recipients load page by page, and few of them are in the DOM", async () => {
  const prepare = (edge: FakeEdge) => {
    edge.addCampaign({ id: ID, status: "completed", counts: { sent: 10_000 } });
    edge.deliveries.set(
      ID,
      Array.from(
        { length: 10_000 },
        (_, index) => makeDelivery({ id: index + 1, phone: `+97252${1_000_000 + index}`, state: "sent" }),
      ),
    );
    return edge.addUser();
  };
  await withApp({ path: `/client/campaign/${ID}`, prepare }, async ({ edge, untilLive }) => {
    await screen.findByText("052-100-0000");
    assert.ok(screen.getAllByRole("row").length < 100);
    await untilLive();
    // The first page, fetched once more when the live channel opens.
    assert.ok(edge.requests.filter((asked) => asked.endsWith("/deliveries")).length <= 2);
  });
});

Deno.test("campaign is duplicated for nobody or for all", async () => {
  await withApp({ path: `/client/campaign/${ID}`, prepare: runningCampaign }, async ({ edge, user }) => {
    edge.campaigns[0].counts.failed = 1;
    await screen.findByRole("button", { name: /נכשלו 1/ });
    await user.click(await screen.findByRole("button", { name: "שכפול" }));
    const dialog = within(screen.getByRole("dialog", { name: "שכפול הקמפיין" }));
    assert.equal(dialog.getByLabelText<HTMLInputElement>("בלי אנשי קשר").checked, true);
    assert.ok(dialog.getByLabelText("עם כל אנשי הקשר: 100"));
    await user.click(dialog.getByLabelText("עם כל אנשי הקשר: 100"));
    await user.click(dialog.getByRole("button", { name: "שכפול" }));
    assert.match(await toastWith("הקמפיין שוכפל"), /נוצר קמפיין חדש עם 5 אנשי קשר\./);
    await screen.findByText("מוכן");
    assert.equal(edge.campaigns[0].totalContacts, 5);
    const asked = `GET /api/campaigns/${edge.campaigns[0].id}/deliveries`;
    await waitFor(() => assert.ok(edge.requests.includes(asked)));
  });
});

Deno.test("test to oneself is refused in the dialog, then followed to its end", async () => {
  const prepare = (edge: FakeEdge) => {
    edge.addCampaign({ id: ID, status: "ready", counts: { queued: 3 } });
    return edge.addUser();
  };
  await withApp({ path: `/client/campaign/${ID}`, prepare }, async ({ edge, user, untilLive }) => {
    await user.click(await screen.findByRole("button", { name: "הודעת ניסיון" }));
    const dialog = within(screen.getByRole("dialog", { name: "הודעת ניסיון" }));
    await user.click(dialog.getByRole("button", { name: "שליחת ניסיון" }));
    assert.ok(dialog.getByText("נא להזין מספר טלפון"));
    const phone = dialog.getByLabelText("לאיזה מספר לשלוח");
    await user.type(phone, "12{Enter}");
    await dialog.findByText("מספר הטלפון לא תקין.");
    await untilIdle();
    await waitFor(() => assert.ok(document.activeElement === phone));
    await user.clear(phone);
    await user.type(phone, "0541234567{Enter}");
    await dialog.findByText("הודעת הניסיון בדרך.");
    await user.keyboard("{Enter}");
    assert.equal(edge.tests.length, 1, "a second Enter sends no second test");
    assert.ok(dialog.getByText("נשארו להיום עוד 4 הודעות ניסיון."));
    await dialog.findByText("בתור");
    await untilLive();
    edge.tests[0].notices = [{
      code: "outside_hours",
      count: 1,
      until: Date.parse("2026-11-22T09:00:00+02:00"),
    }];
    edge.emit({ type: "campaign_changed", data: { campaignId: edge.tests[0].id } });
    await dialog.findByText(/השליחה תימשך מעצמה ביום ראשון ב־09:00/);
    const [delivery] = edge.deliveries.get(edge.tests[0].id)!;
    Object.assign(delivery, { state: "sent" });
    edge.emit({ type: "campaign_changed", data: { campaignId: edge.tests[0].id } });
    await dialog.findByText("ההודעה נשלחה. כדאי לפתוח אותה בטלפון ולקרוא.");
    await screen.findByText("499");
  });
});

Deno.test("campaign keeps its figures when the server stops answering, says since when, and recovers", async () => {
  await withApp({ path: `/client/campaign/${ID}`, prepare: runningCampaign }, async ({ edge, untilLive }) => {
    await screen.findByText("מתוך 100");
    await untilLive();
    // The browser suite tests polling; here the live channel triggers the refetch.
    const askAgain = () => edge.emit({ type: "campaign_changed", data: { campaignId: ID } });
    edge.refusals.set(`GET /api/campaigns/${ID}`, "no_answer");
    askAgain();
    await screen.findByText("השרת לא ענה.");
    assert.ok(screen.getByText(/הנתונים האחרונים התקבלו ב־\d\d:\d\d, ושום דבר שנשלח לא אבד\./));
    assert.ok(screen.getByText("מתוך 100"));
    edge.refusals.clear();
    askAgain();
    await waitFor(() => assert.ok(screen.queryByText("השרת לא ענה.") === null));
  });
});

Deno.test("campaign that a breaker paused is resumed only after its reason was read", async () => {
  const reason = "12% מההודעות האחרונות נכשלו (6 מתוך 50). כדאי לבדוק את רשימת המספרים.";
  const prepare = (edge: FakeEdge) => {
    edge.addCampaign({
      id: ID,
      status: "paused",
      counts: { sent: 44, failed: 6, queued: 70 },
      notices: [{ code: "paused_by_rule", count: 70, trip: 9, reason }],
    });
    return edge.addUser();
  };
  await withApp({ path: `/client/campaign/${ID}`, prepare }, async ({ edge, user }) => {
    await user.click(await screen.findByRole("button", { name: "המשך" }));
    const dialog = within(await screen.findByRole("dialog", { name: "הקמפיין הושהה אוטומטית" }));
    assert.ok(dialog.getByText(reason));
    await user.click(dialog.getByRole("button", { name: "ראיתי את הסיבה, להמשיך" }));
    await toastWith("הקמפיין ממשיך");
    const asked = edge.requests.filter((request) => request === `POST /api/campaigns/${ID}/resume`);
    assert.equal(asked.length, 1, "not before the reason was seen");
  });
});

Deno.test("campaign that waits for its hours says when it continues", async () => {
  const until = Date.parse("2026-11-22T09:00:00+02:00");
  const prepare = (edge: FakeEdge) => {
    edge.addCampaign({
      id: ID,
      status: "active",
      counts: { queued: 70 },
      notices: [{ code: "outside_hours", count: 70, until }],
    });
    return edge.addUser();
  };
  await withApp({ path: `/client/campaign/${ID}`, prepare }, async () => {
    assert.ok(await screen.findByText(/השליחה תימשך מעצמה ביום ראשון ב־09:00\./));
  });
});
