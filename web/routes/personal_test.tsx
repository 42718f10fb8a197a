import type { FakeEdge } from "../testing/fake_edge_api.ts";
import { makeDelivery } from "../testing/make_campaign.ts";
import { toastWith, untilIdle, withApp } from "../testing/open_app.tsx";
import assert from "node:assert/strict";
import { screen, waitFor, within } from "@testing-library/react";
import { MAX_MESSAGE_CHARS } from "shared/campaign.ts";

const ID = 77;
const path = `/client/campaign/${ID}`;
const PERSONAL = `GET /api/campaigns/${ID}/personal`;
const ROWS = `POST /api/campaigns/${ID}/personal/rows`;

const PEOPLE: Record<string, string>[] = [
  { שם: "נועה", עיר: "חיפה" },
  { שם: "אלכסנדרה הגדולה", עיר: "תל אביב-יפו" },
  { שם: "", עיר: "" },
  { שם: "דן", עיר: "עכו" },
  { שם: "נועם", עיר: "" },
];

/** A ready campaign whose recipients have the ids 1, 2, … and values of their own. */
function personal(message: string, people = PEOPLE) {
  return (edge: FakeEdge) => {
    edge.addCampaign({ id: ID, name: "סתיו", message, status: "ready", counts: { queued: people.length } });
    edge.deliveries.set(
      ID,
      people.map((_, at) => makeDelivery({ id: at + 1, phone: `+97254000000${at + 1}` })),
    );
    people.forEach((values, at) => edge.values.set(at + 1, values));
    return edge.addUser({ id: 7, messageQuota: 100 });
  };
}

const words = () => within(screen.getByRole("region", { name: "ההודעה" }));
const bubble = (within: ReturnType<typeof words>) =>
  within.getByRole("region", { name: "ההודעה לנמען הזה" }).textContent;
const message = () => screen.findByLabelText<HTMLTextAreaElement>("תוכן ההודעה");

Deno.test("the fields of the recipients are buttons that put a placeholder at the cursor", async () => {
  await withApp({ path, prepare: personal("שלום!") }, async ({ edge, user }) => {
    await user.click(await screen.findByRole("button", { name: "עריכה" }));
    const fields = within(await screen.findByRole("group", { name: /^שדות של הנמענים/ }));
    const area = await message();
    area.setSelectionRange(4, 4);
    await user.click(fields.getByRole("button", { name: "שם" }));
    assert.equal(area.value, "שלום{{שם}}!");
    assert.ok(document.activeElement === area, "one goes on typing where the field stands");
    assert.equal(area.selectionStart, "שלום{{שם}}".length);
    await user.click(fields.getByRole("button", { name: "עיר" }));
    assert.equal(area.value, "שלום{{שם}}{{עיר}}!");
    area.setSelectionRange(4, 10);
    await user.click(fields.getByRole("button", { name: "עיר" }));
    assert.equal(area.value, "שלום{{עיר}}{{עיר}}!", "what is selected gives way");
    await screen.findByText("כך ההודעה תיראה לנמען הראשון");
    await screen.findByText("שלוםחיפהחיפה!");
    await user.click(screen.getByRole("button", { name: "שמירה" }));
    await toastWith("השינוי נשמר");
    assert.equal(edge.campaigns[0]!.message, "שלום{{עיר}}{{עיר}}!");
  });
});

Deno.test("an unknown field is named beside the message as one types, and one press takes the nearest", async () => {
  await withApp({ path, prepare: personal("שלום {{שם}}") }, async ({ user }) => {
    await user.click(await screen.findByRole("button", { name: "עריכה" }));
    await screen.findByRole("group", { name: /^שדות של הנמענים/ });
    const area = await message();
    await user.type(area, ", {{{{עור|כאן}} {{{{תאריך}}");
    await screen.findByText(/^אין לנמענים שדה בשם ״.עור.״\.$/);
    await screen.findByText(/^אין לנמענים שדה בשם ״.תאריך.״\.$/);
    assert.match(
      document.getElementById(area.getAttribute("aria-describedby")!.split(" ").at(-1)!)!.textContent!,
      /עור/,
    );
    assert.equal(screen.getAllByRole("button", { name: /^להחליף ל/ }).length, 1, "no name is near the other");
    await user.click(screen.getByRole("button", { name: /^להחליף ל״.עיר.״$/ }));
    assert.match(area.value, /\{\{עיר\|כאן\}\}/);
    assert.equal(screen.queryByText(/בשם ״.עור/), null);
    assert.ok(document.activeElement === area);
  });
});

Deno.test("the form of a new campaign names faulty placeholders, and says how a person is greeted", async () => {
  const prepare = (edge: FakeEdge) => edge.addUser();
  await withApp({ path: "/client", prepare }, async ({ edge, user }) => {
    const area = await message();
    await screen.findByText(/^לפנייה אישית כותבים \{\{שם\}\}/);
    assert.equal(screen.queryByRole("group", { name: /^שדות של הנמענים/ }), null);
    await user.type(area, "שלום {{{{שם}}");
    assert.equal(screen.queryByText(/^הסוגריים לא נסגרו/), null);
    await user.type(area, " {{{{עיר");
    await screen.findByText(/^הסוגריים לא נסגרו באותה שורה: ״.\{\{עיר.״/);
    await user.type(area, "|}}");
    await screen.findByText(/^חסר נוסח חלופי אחרי הקו: ״.\{\{עיר\|\}\}.״/);
    await user.type(area, " {{{{ }}");
    await screen.findByText(/^חסר שם של שדה/);
    assert.equal(edge.requests.some((asked) => asked.endsWith("/personal")), false);
  });
});

Deno.test("the fields that fail to load can be asked for again, and the words stay", async () => {
  await withApp({ path, prepare: personal("שלום") }, async ({ edge, user }) => {
    edge.refusals.set(PERSONAL, "no_answer");
    await user.click(await screen.findByRole("button", { name: "עריכה" }));
    await user.type(await message(), " לכולם");
    await screen.findByText("השדות של הנמענים לא נטענו.");
    edge.refusals.delete(PERSONAL);
    await user.click(screen.getByRole("button", { name: "ניסיון נוסף" }));
    await screen.findByRole("group", { name: /^שדות של הנמענים/ });
    assert.equal((await message()).value, "שלום לכולם");
  });
});

Deno.test("the words of a campaign without recipients can ask for any field, and say how", async () => {
  await withApp({ path, prepare: personal("שלום", []) }, async ({ user }) => {
    await user.click(await screen.findByRole("button", { name: "עריכה" }));
    await screen.findByText(/^לפנייה אישית כותבים \{\{שם\}\}/);
    await user.type(await message(), " {{{{שם}} {{{{");
    await screen.findByText(/^הסוגריים לא נסגרו/);
    assert.equal(screen.queryByText(/^אין לנמענים שדה/), null);
  });
});

Deno.test("recipients without fields are said to have none", async () => {
  await withApp({ path, prepare: personal("שלום", [{}, {}]) }, async ({ user }) => {
    await user.click(await screen.findByRole("button", { name: "עריכה" }));
    await screen.findByText(/^לנמענים שנטענו אין שדות/);
    await user.type(await message(), "{{{{שם}}");
    await screen.findByText(/^אין לנמענים שדה בשם ״.שם.״/);
  });
});

Deno.test("a campaign shows what its first, longest and emptiest recipient gets, with their values", async () => {
  const prepare = personal("שלום {{שם}} מ{{עיר|כאן}}");
  await withApp({ path, prepare }, async ({ user }) => {
    await screen.findByText("לנמען אחד חסר ערך שההודעה צריכה.");
    assert.equal(bubble(words()), "שלום נועה מחיפה");
    const values = () => words().getByLabelText("הערכים של הנמען").textContent;
    assert.equal(values(), "שםנועהעירחיפה");
    await user.click(words().getByRole("button", { name: "הארוך" }));
    assert.equal(bubble(words()), "שלום אלכסנדרה הגדולה מתל אביב-יפו");
    await user.click(words().getByRole("button", { name: "החסר" }));
    assert.match(bubble(words())!, /^לנמען הזה חסר: .שם.\./);
    assert.match(values()!, /^שםחסרעירריק, ויופיע ״.כאן.״$/);
    assert.equal(words().getByRole("button", { name: "החסר" }).getAttribute("aria-pressed"), "true");
  });
});

Deno.test("the preview steps through all recipients without a search, from the one in view, and stops at the ends", async () => {
  const beside = `GET /api/campaigns/${ID}/personal/rows/1`;
  const prepare = (edge: FakeEdge) => {
    edge.refusals.set(beside, { code: "not_ready", error: "אין תשובה" });
    return personal("שלום {{שם|אתם}}")(edge);
  };
  await withApp({ path, prepare }, async ({ edge, user }) => {
    const again = await screen.findByRole("button", { name: /^הנמענים שלפני ואחרי לא נטענו/ });
    edge.refusals.delete(beside);
    await user.click(again);
    const step = (name: string) => words().getByRole("button", { name });
    const isOpen = (name: string) => step(name).getAttribute("aria-disabled") === "false";
    await screen.findByText("1 מתוך 5");
    assert.equal(isOpen("הנמען הקודם"), false);
    const texts = [bubble(words())];
    for (let place = 2; place <= 5; place++) {
      await user.click(step("הנמען הבא"));
      await words().findByText(`${place} מתוך 5`);
      texts.push(bubble(words()));
    }
    assert.equal(new Set(texts).size, 5);
    await waitFor(() => assert.ok(isOpen("הנמען הקודם") && !isOpen("הנמען הבא")));
    await user.click(step("הנמען הבא"));
    assert.equal(bubble(words()), texts[4]);
    await user.click(words().getByRole("button", { name: "הארוך" }));
    await words().findByText("2 מתוך 5");
    await user.click(step("הנמען הקודם"));
    await words().findByText("1 מתוך 5");
    assert.equal(bubble(words()), texts[0]);
  });
});

Deno.test("any recipient is found by number or value, page by page, and a search in vain or failed says so", async () => {
  await withApp({ path, prepare: personal("שלום {{שם|אתם}}") }, async ({ edge, user }) => {
    await screen.findByRole("button", { name: "הארוך" });
    const search = words().getByRole("searchbox", { name: "חיפוש נמען לפי מספר או ערך" });
    await user.type(search, "נוע");
    const noam = await words().findByRole("button", { name: /נועם/ });
    await user.click(noam);
    assert.equal(bubble(words()), "שלום נועם");
    assert.equal(noam.getAttribute("aria-pressed"), "true");
    assert.ok(words().getByText("2 מתוך 2"));
    await user.clear(search);
    await user.type(search, "0540");
    await user.click(await words().findByRole("button", { name: "המשך החיפוש" }));
    await words().findByRole("button", { name: /דן · עכו/ });
    await user.clear(search);
    await user.type(search, "אין כזה");
    await words().findByText(/^אין נמען עם ״.אין כזה.״\.$/);
    edge.refusals.set(ROWS, { code: "too_many_attempts", error: "יותר מדי חיפושים." });
    await user.type(search, "!");
    await words().findByText("יותר מדי חיפושים.");
    edge.refusals.delete(ROWS);
    await user.click(words().getByRole("button", { name: "ניסיון נוסף" }));
    await words().findByText(/^אין נמען עם ״.אין כזה!.״\.$/);
  });
});

Deno.test("new words and new contacts are previewed again, and a text found for earlier words is not shown", async () => {
  await withApp({ path, prepare: personal("שלום {{שם|אתם}}") }, async ({ edge, user }) => {
    await screen.findByRole("button", { name: "הארוך" });
    await user.type(words().getByRole("searchbox"), "דן");
    await user.click(await words().findByRole("button", { name: /דן/ }));
    assert.equal(bubble(words()), "שלום דן");
    await user.click(screen.getByRole("button", { name: "עריכה" }));
    const area = await message();
    await user.clear(area);
    await user.type(area, "היי {{{{שם|אתם}}");
    await user.click(screen.getByRole("button", { name: "שמירה" }));
    await toastWith("השינוי נשמר");
    await waitFor(() => assert.equal(bubble(words()), "היי נועה"));
    const before = edge.requests.filter((asked) => asked === PERSONAL).length;
    edge.values.set(1, { שם: "יעל" });
    await user.type(screen.getByLabelText("או מספרים, אחד בכל שורה"), "0521234567");
    await user.click(screen.getByRole("button", { name: "הוסף מספרים ידניים" }));
    await waitFor(() => assert.equal(bubble(words()), "היי יעל"));
    assert.ok(edge.requests.filter((asked) => asked === PERSONAL).length > before);
  });
});

Deno.test("a preview that fails says so and can be tried again, one without recipients waits for them", async () => {
  const prepare = (edge: FakeEdge) => {
    edge.refusals.set(PERSONAL, "no_answer");
    return personal("שלום {{שם}}", [])(edge);
  };
  await withApp({ path, prepare }, async ({ edge, user }) => {
    await screen.findByText("ההודעות של הנמענים לא נטענו");
    edge.refusals.clear();
    await user.click(words().getByRole("button", { name: "ניסיון נוסף" }));
    await words().findByText(/^אחרי שמוסיפים נמענים/);
    assert.ok(words().getByText("שלום {{שם}}"));
  });
});

Deno.test("the review sends a message that some cannot get only after a choice to leave them out", async () => {
  await withApp({ path, prepare: personal("שלום {{שם}} מ{{עיר|כאן}}") }, async ({ edge, user }) => {
    await user.click(await screen.findByRole("button", { name: "שלח" }));
    const dialog = within(await screen.findByRole("dialog"));
    const choice = await dialog.findByRole("checkbox", { name: "להשמיט נמען אחד שחסר לו ערך" });
    await waitFor(() => assert.equal(bubble(dialog), "שלום נועה מחיפה"));
    await dialog.findByText("1 מתוך 5");
    await user.click(dialog.getByRole("button", { name: "הנמען הבא" }));
    assert.equal(bubble(dialog), "שלום אלכסנדרה הגדולה מתל אביב-יפו");
    await user.click(dialog.getByRole("button", { name: "לשלוח ל־5 נמענים" }));
    assert.ok(document.activeElement === choice, "the press leads to the choice");
    assert.match(dialog.getByRole("alert").textContent!, /^צריך לבחור/);
    assert.deepEqual(edge.sends, []);
    await user.click(choice);
    const cost = dialog.getByText("עלות").nextSibling!.textContent;
    assert.equal(cost, "4 הודעות5 הודעות ייגבו עם השליחה, והודעה אחת תחזור למכסה כשהנמענים יושמטו");
    assert.equal(dialog.getByText("יתרה אחרי השליחה").nextSibling!.textContent, "96 הודעות");
    await user.click(dialog.getByRole("button", { name: "לשלוח ל־4 נמענים ולהשמיט 1" }));
    await toastWith("הקמפיין נשלח");
    assert.deepEqual(edge.sends.map(({ leaveOutEmpty }) => leaveOutEmpty), [true]);
  });
});

Deno.test("a plain send and a personal one in which nobody lacks a value ask for no choice", async () => {
  for (const text of ["שלום", "שלום {{שם|אתם}}"]) {
    await withApp({ path, prepare: personal(text) }, async ({ edge, user }) => {
      await user.click(await screen.findByRole("button", { name: "שלח" }));
      await user.click(await screen.findByRole("button", { name: "לשלוח ל־5 נמענים" }));
      await toastWith("הקמפיין נשלח");
      assert.deepEqual(edge.sends.map(({ leaveOutEmpty }) => leaveOutEmpty), [undefined]);
    });
  }
});

Deno.test("the review names what keeps a personal message from everyone, and leads to the words", async () => {
  const long = "א".repeat(MAX_MESSAGE_CHARS - 12);
  for (
    const [text, named] of [
      ["שלום {{שפ}}", /אין לנמענים שדה בשם ״.שפ.״/],
      ["שלום {{שם", /הסוגריים לא נסגרו/],
      [`{{שם|אתם}}${long}`, /ההודעה של נמען אחד ארוכה מדי: הארוכה ביותר/],
    ] as const
  ) {
    await withApp({ path, prepare: personal(text) }, async ({ edge, user }) => {
      await user.click(await screen.findByRole("button", { name: "שלח" }));
      const dialog = within(await screen.findByRole("dialog"));
      const missing = within(await dialog.findByRole("region", { name: "מה חסר לפני שאפשר לשלוח" }));
      assert.ok(missing.getByText(named));
      await untilIdle();
      await user.click(dialog.getByRole("button", { name: "לשלוח ל־5 נמענים" }));
      assert.ok(document.activeElement === missing.getByRole("link", { name: "לעריכת ההודעה" }));
      assert.deepEqual(edge.sends, []);
    });
  }
  await withApp({ path, prepare: personal("{{שם}}", [{ שם: "" }, { שם: "" }]) }, async ({ edge, user }) => {
    await user.click(await screen.findByRole("button", { name: "שלח" }));
    await screen.findByText(/^לכל הנמענים חסר ערך/);
    assert.equal(screen.queryByRole("checkbox", { name: /^להשמיט/ }), null);
    assert.deepEqual(edge.sends, []);
  });
});

Deno.test("the choice to leave some out is about their number: another number is asked about again", async () => {
  await withApp({ path, prepare: personal("שלום {{שם}}") }, async ({ edge, user }) => {
    await user.click(await screen.findByRole("button", { name: "שלח" }));
    await user.click(await screen.findByRole("checkbox", { name: "להשמיט נמען אחד שחסר לו ערך" }));
    edge.values.set(1, { שם: "" });
    edge.refusals.set(`POST /api/campaigns/${ID}/send`, { code: "values_missing", error: "חסר ערך." });
    await user.click(screen.getByRole("button", { name: "לשלוח ל־4 נמענים ולהשמיט 1" }));
    const choice = await screen.findByRole<HTMLInputElement>("checkbox", {
      name: "להשמיט שני נמענים שחסר להם ערך",
    });
    assert.equal(choice.checked, false);
  });
});

Deno.test("a test to oneself takes the values of the recipient in view, also from the review", async () => {
  await withApp({ path, prepare: personal("שלום {{שם|אתם}}") }, async ({ edge, user }) => {
    await user.click(await screen.findByRole("button", { name: "הארוך" }));
    await user.click(screen.getByRole("button", { name: "הודעת ניסיון" }));
    const test = () => within(screen.getByRole("dialog", { name: "הודעת ניסיון" }));
    assert.ok(test().getByText("054-000-0002"));
    assert.ok(test().getByText("אלכסנדרה הגדולה · תל אביב-יפו"));
    await user.type(test().getByLabelText("לאיזה מספר לשלוח"), "0501234567");
    await user.click(test().getByRole("button", { name: "שליחת ניסיון" }));
    await test().findByText("הודעת הניסיון בדרך.");
    assert.deepEqual(edge.testRequests.map(({ row }) => row), [2]);
    await user.click(test().getByRole("button", { name: "סגירה" }));

    await user.click(screen.getByRole("button", { name: "שלח" }));
    const dialog = within(await screen.findByRole("dialog"));
    await user.type(await dialog.findByRole("searchbox"), "דן");
    await user.click(await dialog.findByRole("button", { name: /דן/ }));
    await user.click(dialog.getByRole("link", { name: "לשלוח הודעת ניסיון למספר אחד" }));
    await user.click(await test().findByRole("button", { name: "שליחת ניסיון" }));
    await waitFor(() => assert.deepEqual(edge.testRequests.map(({ row }) => row), [2, 4]));
  });
});

Deno.test("a recipient who was left out shows why in the table and in the history", async () => {
  const prepare = (edge: FakeEdge) => {
    const user = personal("שלום {{שם}}")(edge);
    Object.assign(edge.campaigns[0]!, { status: "completed", startedAt: 1 });
    Object.assign(edge.deliveries.get(ID)![2]!, { state: "skipped", reason: "value_missing" });
    const nobody = { site: null, account: null, sender: null, result: null, tappedAt: null };
    edge.stories.set(3, [{
      ...nobody,
      at: 1000,
      what: "skipped",
      by: 0,
      attempt: 0,
      reason: "value_missing",
    }]);
    return user;
  };
  await withApp({ path, prepare }, async ({ user }) => {
    await screen.findAllByText("חסר להם ערך שההודעה צריכה");
    await user.click(screen.getByRole("button", { name: "054-000-0003" }));
    const story = within(screen.getByRole("dialog", { name: "היסטוריית הנמען" }));
    await story.findByText(/^חסר להם ערך שההודעה צריכה/);
    await user.click(story.getByRole("button", { name: "סגירה" }));
    await waitFor(() => assert.equal(bubble(words()), "שלום נועה"));
    assert.equal(
      screen.queryByRole("button", { name: "הארוך" }),
      null,
      "after the send only a search chooses",
    );
  });
});

/** A campaign that has ended, in which one recipient was left out for a missing value. */
function ended({ failed }: { failed: number }) {
  return (edge: FakeEdge) => {
    const user = personal("שלום {{שם}}")(edge);
    const rows = edge.deliveries.get(ID)!;
    rows.forEach((row, place) => Object.assign(row, { state: place < failed ? "failed" : "sent" }));
    Object.assign(rows[2]!, { state: "skipped", reason: "value_missing" });
    const sent = rows.length - 1 - failed;
    Object.assign(edge.campaigns[0]!, {
      status: "completed_with_errors",
      startedAt: 1,
      completedAt: 2,
      sentCount: sent,
      counts: { ...edge.campaigns[0]!.counts, queued: 0, sent, failed, skipped: 1 },
      notices: [{ code: "left_out_empty", count: 1 }],
    });
    return user;
  };
}

Deno.test("a campaign that only left people out ends calmly, and takes them into a new one only when ticked", async () => {
  await withApp({ path, prepare: ended({ failed: 0 }) }, async ({ edge, user }) => {
    const told = (await screen.findByText(/1 הושמטה כי חסר לנמען ערך\. המכסה שלהן הוחזרה\./)).closest(
      ".notice",
    );
    assert.ok(told!.classList.contains("tone-idle"));
    assert.ok(screen.getAllByText("סיים")[0]!.closest(".mark")!.classList.contains("tone-ok"));
    await user.click(screen.getByRole("button", { name: "לכתוב שוב" }));
    const dialog = within(await screen.findByRole("dialog"));
    const leftOut = await dialog.findByRole<HTMLInputElement>("checkbox", { name: /חסר להם ערך/ });
    assert.equal(leftOut.checked, false);
    await user.click(dialog.getByRole("button", { name: "קמפיין חדש" }));
    await dialog.findByText("נא לסמן לפחות קבוצה אחת.");
    await user.click(leftOut);
    await dialog.findByText(/צריך להוסיף לשדה נוסח חלופי/);
    await user.click(dialog.getByRole("button", { name: "קמפיין חדש לנמען אחד" }));
    await screen.findByRole("heading", { level: 1, name: /\(עותק\)$/ });
    assert.equal(edge.campaigns[0]!.totalContacts, 1);
  });
});

Deno.test('writing again takes failures, "not on the app" only when ticked, and unknown ones only when confirmed', async () => {
  await withApp({ path, prepare: ended({ failed: 2 }) }, async ({ edge, user }) => {
    const rows = edge.deliveries.get(ID)!;
    Object.assign(rows[0]!, { reason: "not_on_app" });
    Object.assign(rows[1]!, { reason: "chat_not_opened" });
    rows.push(makeDelivery({ id: 900, phone: "+972541111111", state: "unknown", reason: "site_silent" }));
    await user.click(await screen.findByRole("button", { name: "לכתוב שוב" }));
    const dialog = within(await screen.findByRole("dialog"));
    const box = (name: RegExp) => dialog.getByRole<HTMLInputElement>("checkbox", { name });
    await dialog.findByRole("button", { name: "קמפיין חדש לנמען אחד" });
    assert.deepEqual([box(/אין חשבון/).checked, box(/לא ידוע/).checked], [false, false]);
    await user.click(box(/לא ידוע/));
    await user.click(dialog.getByRole("button", { name: "קמפיין חדש לשני נמענים" }));
    await dialog.findByText(/נא לאשר/);
    await user.click(box(/ידוע לי שחלק מהנמענים/));
    await user.click(dialog.getByRole("button", { name: "קמפיין חדש לשני נמענים" }));
    await screen.findByRole("heading", { level: 1, name: /\(עותק\)$/ });
    assert.equal(edge.campaigns[0]!.totalContacts, 2);
  });
});
