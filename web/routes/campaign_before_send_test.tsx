import { toastWith, untilIdle, withApp } from "../testing/open_app.tsx";
import assert from "node:assert/strict";
import { screen, waitFor, within } from "@testing-library/react";
import type { FakeEdge } from "../testing/fake_edge_api.ts";

const ID = 41;

Deno.test("campaign before it is sent: its words are edited, and kept while they are not saved", async () => {
  const prepare = (edge: FakeEdge) => {
    edge.addCampaign({ id: ID, name: "סתיו", message: "שלום", status: "ready", counts: { queued: 3 } });
    return edge.addUser({ id: 7 });
  };
  let kept = "";
  await withApp({ path: `/client/campaign/${ID}`, prepare }, async ({ edge, user }) => {
    edge.refusals.set(`PATCH /api/campaigns/${ID}`, { code: "campaign_not_editable", error: "כבר נשלח." });
    await user.click(await screen.findByRole("button", { name: "עריכה" }));
    await user.type(await screen.findByLabelText("תוכן ההודעה"), " לכולם");
    await user.click(screen.getByRole("button", { name: "שמירה" }));
    assert.match(await toastWith("השינוי לא נשמר"), /כבר נשלח\./);
    kept = localStorage.getItem(`draft.7.${ID}`)!;
  });
  const again = (edge: FakeEdge) => {
    localStorage.setItem(`draft.7.${ID}`, kept);
    return prepare(edge);
  };
  await withApp({ path: `/client/campaign/${ID}`, prepare: again }, async ({ edge, user }) => {
    const message = await screen.findByLabelText<HTMLTextAreaElement>("תוכן ההודעה");
    assert.equal(message.value, "שלום לכולם");
    await user.click(screen.getByRole("button", { name: "שמירה" }));
    await toastWith("השינוי נשמר");
    assert.equal(edge.campaigns[0].message, "שלום לכולם");
    assert.equal(localStorage.getItem(`draft.7.${ID}`), null);
  });
});

Deno.test("campaign before it is sent: its image is replaced, removed, and kept", async () => {
  const prepare = (edge: FakeEdge) => {
    const imageUrl = `/api/campaigns/${ID}/image?v=1`;
    edge.addCampaign({ id: ID, name: "סתיו", message: "שלום", status: "draft", imageUrl });
    return edge.addUser();
  };
  await withApp({ path: `/client/campaign/${ID}`, prepare }, async ({ edge, user }) => {
    const asked = () => edge.requests.filter((request) => /^(PUT|DELETE)/.test(request));
    const path = `/api/campaigns/${ID}/image`;
    const edit = async () => await user.click(await screen.findByRole("button", { name: "עריכה" }));
    const save = async () => {
      await user.click(await screen.findByRole("button", { name: "שמירה" }));
      await screen.findByRole("button", { name: "עריכה" });
    };
    await edit();
    await save();
    assert.deepEqual(asked(), []);

    await edit();
    const file = new File(["x"], "סתיו.png", { type: "image/png" });
    await user.upload(await screen.findByLabelText("החלפת התמונה"), file);
    assert.ok(screen.getByText("סתיו.png"));
    edge.refusals.set(`PUT ${path}`, { code: "unsupported_media", error: "התמונה לא נקראת." });
    await user.click(screen.getByRole("button", { name: "שמירה" }));
    assert.match(await toastWith("השינוי לא נשמר"), /התמונה לא נקראת\./);
    edge.refusals.clear();
    await save();
    assert.notEqual(edge.campaigns[0].imageUrl, `${path}?v=1`);

    await edit();
    await user.click(await screen.findByRole("button", { name: "הסרת התמונה" }));
    assert.ok(screen.getByText("בחירת תמונה"));
    await save();
    assert.equal(edge.campaigns[0].imageUrl, null);
    assert.deepEqual(asked(), [`PUT ${path}`, `PUT ${path}`, `DELETE ${path}`]);
  });
});

Deno.test("campaign's counts of an upload do not take the focus from a field in use", async () => {
  const prepare = (edge: FakeEdge) => {
    edge.addCampaign({ id: ID, name: "סתיו" });
    return edge.addUser();
  };
  await withApp({ path: `/client/campaign/${ID}`, prepare }, async ({ user }) => {
    const numbers = await screen.findByLabelText("או מספרים, אחד בכל שורה");
    await user.type(numbers, "0521234567");
    screen.getByRole("button", { name: "הוסף מספרים ידניים" }).click();
    numbers.focus();
    await screen.findByRole("group", { name: "תוצאות הטעינה" });
    await untilIdle();
    assert.ok(document.activeElement === numbers);
  });
});

Deno.test("campaign before it is sent: contacts are added with counts and reasons, and removed again", async () => {
  const prepare = (edge: FakeEdge) => {
    edge.addCampaign({ id: ID, name: "סתיו", notices: [{ code: "no_contacts" }] });
    return edge.addUser();
  };
  await withApp({ path: `/client/campaign/${ID}`, prepare }, async ({ edge, user }) => {
    await screen.findByText("עוד אין בקמפיין אנשי קשר.", { selector: "b" });
    await user.type(
      screen.getByLabelText("או מספרים, אחד בכל שורה"),
      "0521234567\n0521234567\nיוסי 12\n",
    );
    await user.click(screen.getByRole("button", { name: "הוסף מספרים ידניים" }));
    const counts = await screen.findByRole("group", { name: "תוצאות הטעינה" });
    await waitFor(() => assert.ok(document.activeElement === counts));
    assert.match(counts.textContent!, /1 ?מספר נקלט/);
    assert.match(counts.textContent!, /חזרו על עצמם1/);
    assert.match(counts.textContent!, /לא תקינים1/);
    assert.ok(within(counts).getByRole("row", { name: "3 יוסי 12 המספר קצר מדי" }));
    edge.refusals.set(`GET /api/campaigns/${ID}/imports/1/rejected.csv`, "no_answer");
    await user.click(within(counts).getByRole("button", { name: "הורדת השורה שנדחתה" }));
    await toastWith("הקובץ לא הורד");

    await user.click(await screen.findByRole("button", { name: "הסרת כל אנשי הקשר" }));
    const dialog = within(screen.getByRole("dialog", { name: "להסיר את כל אנשי הקשר?" }));
    assert.ok(dialog.getByText("איש קשר אחד יוסר מ״סתיו״. הנוסח יישאר, והקמפיין יחזור לטיוטה."));
    await user.click(dialog.getByRole("button", { name: "הסרת אנשי הקשר" }));
    await toastWith("אנשי הקשר הוסרו");
    await screen.findByText("טיוטה");
  });
});

Deno.test("campaign before it is sent is deleted after a question that says what goes", async () => {
  const prepare = (edge: FakeEdge) => {
    edge.addCampaign({ id: ID, name: "סתיו", status: "ready", counts: { queued: 860 } });
    return edge.addUser();
  };
  await withApp({ path: `/client/campaign/${ID}`, prepare }, async ({ edge, user }) => {
    edge.refusals.set(`DELETE /api/campaigns/${ID}`, { code: "campaign_not_editable", error: "כבר נשלח." });
    await user.click(await screen.findByRole("button", { name: "מחיקה" }));
    const dialog = () => within(screen.getByRole("dialog", { name: "למחוק את הקמפיין?" }));
    assert.ok(
      dialog().getByText("״סתיו״ לא נשלח עדיין. הנוסח ו־860 אנשי קשר יימחקו. המכסה לא תשתנה."),
    );
    await user.click(dialog().getByRole("button", { name: "מחיקת הקמפיין" }));
    assert.match(await toastWith("הקמפיין לא נמחק"), /כבר נשלח\./);
    edge.refusals.clear();
    await user.click(screen.getByRole("button", { name: "מחיקה" }));
    await user.click(dialog().getByRole("button", { name: "מחיקת הקמפיין" }));
    await toastWith("הקמפיין נמחק");
    await screen.findByText("עדיין לא יצרת קמפיינים");
  });
});

Deno.test("campaign before it is sent lists its imports, and one is taken out after a question with its number", async () => {
  const prepare = (edge: FakeEdge) => {
    edge.addCampaign({ id: ID, name: "סתיו" });
    return edge.addUser();
  };
  await withApp({ path: `/client/campaign/${ID}`, prepare }, async ({ user }) => {
    const numbers = await screen.findByLabelText("או מספרים, אחד בכל שורה");
    await user.type(numbers, "0521234567");
    await user.click(screen.getByRole("button", { name: "הוסף מספרים ידניים" }));
    await screen.findByText("נוסף מספר אחד.");
    await untilIdle();
    const file = new File(["phone\n0531234567\n0541234567\n12\n"], "לקוחות.csv", { type: "text/csv" });
    await user.upload(screen.getByLabelText(/קובץ CSV/), file);
    await user.click(await screen.findByRole("button", { name: "העלה קובץ CSV" }));
    await screen.findByText("העמודה שנקראה: ״phone״ (A)");
    const imports = () => within(screen.getByRole("region", { name: "מה נטען" }));
    assert.equal(imports().getAllByRole("listitem").length, 2);
    await screen.findByText("אנשי קשר בקמפיין");
    assert.match(screen.getByText("אנשי קשר בקמפיין").closest("p")!.textContent!, /^3/);
    // Nothing waits in a queue before the send.
    assert.ok((await screen.findAllByText("טרם נשלח")).length > 0);
    assert.ok(screen.queryByText("בתור") === null);

    await user.click(imports().getByRole("button", { name: "הסרה: לקוחות.csv" }));
    const dialog = within(screen.getByRole("dialog", { name: "להסיר את מה שנטען?" }));
    assert.ok(dialog.getByText(/^שני אנשי קשר שנוספו ב״לקוחות\.csv״ יוסרו מהקמפיין\./));
    await user.click(dialog.getByRole("button", { name: "הסרה מהקמפיין" }));
    await waitFor(() => assert.equal(imports().getAllByRole("listitem").length, 1));
    await screen.findByText("איש קשר בקמפיין");
    assert.ok(imports().getByText("מספרים שהוקלדו"));
    await untilIdle();
    await waitFor(() => assert.ok(document.activeElement?.contains(screen.getByText("איש קשר בקמפיין"))));
    assert.ok(document.activeElement !== document.body, "a keyboard goes on where the import was");
  });
});

Deno.test("an edit that began from older words is not saved over newer ones until a person says so", async () => {
  const prepare = (edge: FakeEdge) => {
    edge.addCampaign({ id: ID, name: "סתיו", message: "שלום", status: "ready", counts: { queued: 3 } });
    return edge.addUser({ id: 7 });
  };
  await withApp({ path: `/client/campaign/${ID}`, prepare }, async ({ edge, user }) => {
    await user.click(await screen.findByRole("button", { name: "עריכה" }));
    await user.type(await screen.findByLabelText("תוכן ההודעה"), " מכאן");
    edge.campaigns[0].message = "נכתב במקום אחר";
    await user.click(screen.getByRole("button", { name: "שמירה" }));
    await screen.findByText("הנוסח השתנה בינתיים במקום אחר.");
    await screen.findByText(/הנוסח השמור עכשיו: .*נכתב במקום אחר/);
    assert.equal(edge.campaigns[0].message, "נכתב במקום אחר");
    await user.click(screen.getByRole("button", { name: "לשמור את הנוסח שלי במקומו" }));
    await toastWith("השינוי נשמר");
    assert.equal(edge.campaigns[0].message, "שלום מכאן");
  });
});
