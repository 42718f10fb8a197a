import { alertWith, prove, toastWith, withApp } from "../../testing/open_app.tsx";
import type { FakeEdge } from "../../testing/fake_edge_api.ts";
import { makeActivity } from "../../testing/make_fleet.ts";
import assert from "node:assert/strict";
import { screen, waitFor, within } from "@testing-library/react";

const PATH = "/admin/suppressions";

function admin(edge: FakeEdge) {
  edge.admin.suppressions = [
    { id: 2, phone: "+97254•••0968", source: "reply", at: 0 },
    { id: 1, phone: "+97252•••4567", source: "manual", at: 0 },
  ];
  return edge.addUser({ username: "menahel", role: "admin" });
}

Deno.test("suppressed numbers are listed with their source, and searched only by number", async () => {
  await withApp({ path: PATH, prepare: admin }, async ({ user }) => {
    await screen.findByRole("heading", { level: 1, name: "רשימת ההסרה" });
    const row = (await screen.findByText("054-•••-0968")).closest("li")!;
    assert.match(row.textContent!, /בקשת הנמען/);
    const search = screen.getByRole("searchbox", { name: "חיפוש לפי מספר" });
    await user.type(search, "052");
    await waitFor(() => assert.ok(screen.queryByText("054-•••-0968") === null));
    await screen.findByText("052-•••-4567");
    await user.type(search, "99");
    await screen.findByText("אין תוצאות ל״05299״.");
  });
});

Deno.test("numbers are added by hand, and the screen says what that stopped", async () => {
  await withApp({ path: PATH, prepare: admin }, async ({ edge, user }) => {
    const submit = await screen.findByRole("button", { name: "הוספה לרשימה" });
    await user.click(submit);
    assert.match(await toastWith("מספרים חסרים"), /נא להזין לפחות מספר אחד/);
    const field = screen.getByLabelText<HTMLTextAreaElement>("מספרים, אחד בכל שורה");
    await user.type(field, "053-1111111");
    await user.click(submit);
    await screen.findByText(/נוסף מספר אחד\. 3 הודעות לא יישלחו ויוחזרו למכסה\./);
    await waitFor(() => assert.equal(field.value, ""));
    await screen.findByText("053-•••-1111");
    edge.refusals.set("POST /api/suppressions", { code: "no_valid_contacts", error: "לא נמצאו מספרים." });
    await user.type(field, "abc");
    await user.click(submit);
    await alertWith("המספרים לא נוספו", /לא נמצאו מספרים\./);
    assert.equal(field.value, "abc");
  });
});

Deno.test("numbers are removed after a question with the effect and the requests by reply", async () => {
  await withApp({ path: PATH, prepare: admin }, async ({ edge, user }) => {
    const remove = await screen.findByRole("button", { name: "הוצאה מהרשימה" });
    assert.equal(remove.getAttribute("aria-disabled"), "true");
    for (const box of await screen.findAllByRole("checkbox")) await user.click(box);
    await user.click(screen.getByRole("button", { name: "הוצאת שני מספרים" }));
    const dialog = within(screen.getByRole("dialog", {
      name: "להוציא מרשימת ההסרה?",
      description: /^שני מספרים יוצאו מהרשימה/,
    }));
    assert.ok(dialog.getByText(/שני מספרים יוצאו מהרשימה ויוכלו לקבל הודעות/));
    assert.ok(dialog.getByText(/אחד מהם ביקש הסרה בעצמו/));
    await user.click(dialog.getByRole("button", { name: "הוצאה מהרשימה" }));
    await prove(user);
    assert.match(await toastWith("הרשימה עודכנה"), /שני מספרים הוצאו מהרשימה\./);
    assert.deepEqual(edge.admin.suppressions, []);
    await screen.findByText("רשימת ההסרה ריקה");
  });
});

Deno.test("a recipient's opt-out is found by the whole number, and undone with a reason", async () => {
  const prepare = (edge: FakeEdge) => {
    const client = { id: 4, username: "משק הדר" };
    edge.admin.optOuts = [{ id: 3, phone: "+97254•••0968", client, at: 0 }];
    return admin(edge);
  };
  await withApp({ path: PATH, prepare }, async ({ edge, user }) => {
    const card = within(await screen.findByRole("region", { name: "נמען שרוצה לחזור" }));
    await user.click(card.getByRole("button", { name: "חיפוש" }));
    await card.findByText("נא להזין מספר טלפון");
    const field = card.getByLabelText("המספר המלא של הנמען");
    await user.type(field, "054");
    await user.click(card.getByRole("button", { name: "חיפוש" }));
    await card.findByText("מספר הטלפון לא תקין.");
    await waitFor(() => assert.ok(document.activeElement === field, "what is wrong stands at the field"));
    const status = card.getByRole("status");
    assert.equal(status.textContent, "", "there before it has something to say");
    await user.type(field, "-371-0968");
    await user.click(card.getByRole("button", { name: "חיפוש" }));
    await user.click(await card.findByRole("button", { name: "לאפשר שוב שליחה: משק הדר" }));
    const dialog = within(screen.getByRole("dialog", {
      name: "לאפשר שוב שליחה?",
      description: /משק הדר.*אם הלקוח עצמו הוסיף אותו.*או שהוא חסום לכל הלקוחות, הוא יישאר שם/,
    }));
    await user.type(dialog.getByLabelText("הסיבה"), "התקשר וביקש לחזור");
    await user.click(dialog.getByRole("button", { name: "לאפשר שליחה" }));
    assert.match(await toastWith("ההסרה בוטלה"), /או שהוא חסום לכל הלקוחות, הוא נשאר שם\./);
    await within(status).findByText("המספר הזה לא ביקש הסרה מאף לקוח.");
    const heading = card.getByRole("heading", { name: "נמען שרוצה לחזור" });
    await waitFor(() => assert.ok(document.activeElement === heading));
    assert.deepEqual(edge.admin.reasons, ["התקשר וביקש לחזור"]);
  });
});

Deno.test("an opt-out that another person undid meanwhile is reported, and is no longer on the list", async () => {
  const prepare = (edge: FakeEdge) => {
    const client = { id: 4, username: "משק הדר" };
    edge.admin.optOuts = [{ id: 3, phone: "+97254•••0968", client, at: 0 }];
    return admin(edge);
  };
  await withApp({ path: PATH, prepare }, async ({ edge, user }) => {
    const card = within(await screen.findByRole("region", { name: "נמען שרוצה לחזור" }));
    await user.type(card.getByLabelText("המספר המלא של הנמען"), "054-371-0968");
    await user.click(card.getByRole("button", { name: "חיפוש" }));
    await user.click(await card.findByRole("button", { name: "לאפשר שוב שליחה: משק הדר" }));
    edge.admin.optOuts = [];
    const dialog = within(screen.getByRole("dialog", { name: "לאפשר שוב שליחה?" }));
    await user.type(dialog.getByLabelText("הסיבה"), "התקשר וביקש לחזור");
    await user.click(dialog.getByRole("button", { name: "לאפשר שליחה" }));
    await toastWith("ההסרה לא בוטלה");
    await card.findByText("המספר הזה לא ביקש הסרה מאף לקוח.");
  });
});

Deno.test("a suppression list that does not load offers another try; another person's change appears by itself", async () => {
  const prepare = (edge: FakeEdge) => {
    edge.refusals.set("GET /api/suppressions", "no_answer");
    return admin(edge);
  };
  await withApp({ path: PATH, prepare }, async ({ edge, user, untilLive }) => {
    await untilLive();
    await screen.findByText("רשימת ההסרה לא נטענה");
    edge.refusals.clear();
    await user.click(await screen.findByRole("button", { name: "ניסיון נוסף" }));
    await screen.findByText("052-•••-4567");
    edge.admin.suppressions = [{ id: 9, phone: "+97258•••7777", source: "file", at: 0 }];
    edge.emit({
      type: "activity",
      data: makeActivity({ id: 1, code: "suppressions_added", message: "נוסף" }),
    });
    await screen.findByText("058-•••-7777");
  });
});
