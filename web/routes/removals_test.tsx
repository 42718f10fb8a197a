import { alertWith, toastWith, untilIdle, withApp } from "../testing/open_app.tsx";
import type { FakeEdge } from "../testing/fake_edge_api.ts";
import assert from "node:assert/strict";
import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import type { Reply } from "shared/replies_api.ts";

const PATH = "/account/removals";

function reply(given: Partial<Reply>): Reply {
  return {
    id: 1,
    phone: "+972543710968",
    excerpt: "למה לא הסרתם אותי",
    at: Date.now(),
    state: "waiting",
    campaignId: 41,
    campaignName: "מבצע סתיו",
    client: "dana",
    decidedAt: null,
    ...given,
  };
}

function client(edge: FakeEdge) {
  edge.admin.suppressions = [
    { id: 2, phone: "+972521186640", source: "reply", at: 0 },
    { id: 1, phone: "+972537041182", source: "manual", at: 0 },
  ];
  edge.admin.replies = [reply({ id: 7 }), reply({ id: 8, phone: "+972502338174", excerpt: "stop the bus" })];
  return edge.addUser();
}

Deno.test("removals are reached from the account, show the whole list, and lead back", async () => {
  await withApp({ path: "/account", prepare: client }, async ({ user }) => {
    await user.click(await screen.findByRole("link", { name: "לרשימת ההסרה" }));
    await screen.findByRole("heading", { level: 1, name: "רשימת ההסרה" });
    assert.match((await screen.findByText("052-118-6640")).closest("li")!.textContent!, /בקשת הנמען/);
    assert.ok(screen.getByRole("button", { name: "ייצוא CSV" }));
    await user.click(screen.getByRole("link", { name: "חזרה לחשבון" }));
    await screen.findByRole("heading", { level: 1, name: "החשבון שלי" });
  });
});

Deno.test("a reply without shown words says why, and can be decided", async () => {
  const prepare = (edge: FakeEdge) => {
    edge.admin.replies = [reply({ id: 7, excerpt: "" })];
    return edge.addUser();
  };
  await withApp({ path: PATH, prepare }, async () => {
    const list = within(await screen.findByRole("list", { name: "תשובות שממתינות להחלטה" }));
    list.getByText(/^התוכן לא מוצג: ייתכן שהתשובה נכתבה ללקוח אחר/);
    assert.ok(list.queryByText("״״") === null);
    list.getByRole("button", { name: "להסיר: +972543710968" });
  });
});

Deno.test("a reply to a message that a restore lost says whom its removal concerns: all clients", async () => {
  const prepare = (edge: FakeEdge) => {
    edge.admin.replies = [reply({ id: 7, client: null, campaignName: null })];
    return edge.addUser({ role: "admin" });
  };
  await withApp({ path: "/admin/suppressions", prepare }, async ({ user }) => {
    const list = within(await screen.findByRole("list", { name: "תשובות שממתינות להחלטה" }));
    list.getByText("קמפיין שאבד בשחזור");
    list.getByText("לקוח לא ידוע");
    await user.click(list.getByRole("button", { name: "להסיר: +972543710968" }));
    const dialog = within(await screen.findByRole("dialog", { name: "להסיר את הנמען?" }));
    dialog.getByText(/לא יישלחו למספר הזה עוד הודעות של אף לקוח/);
  });
});

Deno.test("a waiting reply removes its number after a question or is kept by one press", async () => {
  await withApp({ path: PATH, prepare: client }, async ({ edge, user }) => {
    const list = within(await screen.findByRole("list", { name: "תשובות שממתינות להחלטה" }));
    assert.ok(list.getByText("״למה לא הסרתם אותי״"));
    await user.click(list.getByRole("button", { name: "להסיר: +972543710968" }));
    const dialog = within(await screen.findByRole("dialog", { name: "להסיר את הנמען?" }));
    assert.ok(
      dialog.getByText(
        /לא יישלחו למספר הזה עוד הודעות שלכם.*עשויה עוד לצאת\..*רק מנהל המערכת יכול לבטל את ההסרה/,
      ),
    );
    assert.deepEqual(edge.admin.replies.map(({ state }) => state), ["waiting", "waiting"]);
    await user.click(dialog.getByRole("button", { name: "הסרה" }));
    await toastWith("המספר הוסר");
    await screen.findByText("054-371-0968");
    const next = screen.getByRole("button", { name: "להסיר: +972502338174" });
    await waitFor(() => assert.ok(document.activeElement === next, "the focus goes on to the next reply"));
    await user.click(screen.getByRole("button", { name: "לא ביקשו הסרה: +972502338174" }));
    await toastWith("ההחלטה נשמרה");
    await screen.findByText("אין תשובות שממתינות להחלטה.");
    const heading = screen.getByRole("heading", { name: "תשובות שממתינות להחלטה" });
    await waitFor(() => assert.ok(document.activeElement === heading, "or to the heading behind the last"));
    assert.deepEqual(edge.admin.replies.map(({ state }) => state), ["removed", "kept"]);
    assert.deepEqual(edge.admin.suppressions.map(({ source }) => source), ["reply", "reply", "manual"]);
  });
});

Deno.test("numbers removed by request cannot be chosen, and one's own entries can be deleted", async () => {
  await withApp({ path: PATH, prepare: client }, async ({ user }) => {
    const asked = await screen.findByRole("img", { name: /הנמען ביקש הסרה בעצמו/ });
    assert.ok(within(asked.closest("li")!).queryByRole("checkbox") === null);
    await user.click(screen.getByRole("checkbox", { name: /^בחירה/ }));
    await user.click(screen.getByRole("button", { name: "הוצאת מספר אחד" }));
    const dialog = within(screen.getByRole("dialog", { name: "להוציא מרשימת ההסרה?" }));
    await user.click(dialog.getByRole("button", { name: "הוצאה מהרשימה" }));
    await toastWith("הרשימה עודכנה");
    await waitFor(() => assert.ok(screen.queryByText("053-704-1182") === null));
  });
});

Deno.test("a file of numbers is added to the list, and a missing one is reported", async () => {
  await withApp({ path: PATH, prepare: client }, async ({ edge, user }) => {
    const submit = await screen.findByRole("button", { name: "הוספת הקובץ לרשימה" });
    await user.click(submit);
    await toastWith("לא נבחר קובץ");
    const file = new File(["0541111111\n"], "הסרות.csv", { type: "text/csv" });
    await user.upload(screen.getByLabelText(/^קובץ CSV/), file);
    await user.click(submit);
    await screen.findByText(/נוספו שני מספרים/);
    assert.deepEqual(edge.admin.suppressedFiles, ["הסרות.csv"]);
  });
});

Deno.test("a file dropped on the removals' zone may be taken back; one that is no table is refused", async () => {
  await withApp({ path: PATH, prepare: client }, async ({ edge, user }) => {
    const zone = (await screen.findByLabelText(/^קובץ CSV/)).closest("label")!;
    const drop = (name: string) => fireEvent.drop(zone, { dataTransfer: { files: [new File(["1"], name)] } });
    drop("הסרות.pdf");
    await alertWith("הקובץ לא נבחר", /זה לא קובץ CSV/);
    drop("הסרות.csv");
    await user.click(await screen.findByRole("button", { name: "הסרת הקובץ" }));
    assert.ok(screen.getByText(/לחיצה לבחירה, או גרירה לכאן/));
    assert.ok(document.activeElement === screen.getByLabelText(/^קובץ CSV/), "where another may be chosen");
    assert.deepEqual(edge.admin.suppressedFiles, []);
  });
});

Deno.test("replies that do not load say so, and a live event of a campaign asks for them again", async () => {
  const prepare = (edge: FakeEdge) => {
    edge.refusals.set("GET /api/replies", "no_answer");
    return client(edge);
  };
  await withApp({ path: PATH, prepare }, async ({ edge, user, untilLive }) => {
    await untilLive();
    await screen.findByText("התשובות לא נטענו");
    edge.refusals.delete("GET /api/replies");
    await user.click(await screen.findByRole("button", { name: "ניסיון נוסף" }));
    await screen.findByText("״stop the bus״");
    edge.admin.replies.push(reply({ id: 9, excerpt: "תורידו אותי אולי" }));
    edge.emit({ type: "campaign_changed", data: { campaignId: 41 } });
    await screen.findByText("״תורידו אותי אולי״");
  });
});

Deno.test("a campaign says how many of its recipients asked to be removed, and leads to the list", async () => {
  const prepare = (edge: FakeEdge) => {
    edge.addCampaign({ id: 41, name: "רימונים", status: "active", counts: { sent: 9 }, optedOutCount: 2 });
    return client(edge);
  };
  await withApp({ path: "/client/campaign/41", prepare }, async ({ user }) => {
    await user.click(
      await screen.findByRole("link", {
        name: "שני נמענים ביקשו הסרה · שתי תשובות ממתינות להחלטה",
      }),
    );
    await screen.findByRole("heading", { level: 1, name: "רשימת ההסרה" });
  });
});

Deno.test("administrators keep the list for everybody, and see which client's recipient wrote", async () => {
  const prepare = (edge: FakeEdge) => {
    client(edge);
    edge.admin.replies = [reply({ phone: "+97254•••0968" })];
    return edge.addUser({ username: "menahel", role: "admin" });
  };
  await withApp({ path: PATH, prepare }, async () => {
    await screen.findByText(/מספרים שלא יקבלו הודעות מאף לקוח/);
    const row = (await screen.findByText("״למה לא הסרתם אותי״")).closest("li")!;
    assert.match(row.textContent!, /dana/);
  });
});

Deno.test("more replies that do not load show it beside the button, which then loads them", async () => {
  const prepare = (edge: FakeEdge) => {
    const person = client(edge);
    edge.admin.replies = Array.from({ length: 101 }, (_, index) => reply({ id: index + 1 }));
    edge.admin.replies[100]!.excerpt = "האחרונה ברשימה";
    return person;
  };
  await withApp({ path: PATH, prepare }, async ({ edge, user, untilLive }) => {
    const more = await screen.findByRole("button", { name: "תשובות נוספות" });
    await untilLive();
    edge.refusals.set("GET /api/replies", "no_answer");
    await user.click(more);
    const alert = await screen.findByRole("alert");
    assert.ok(alert.textContent!.length > 0);
    await untilIdle();
    assert.equal(more.textContent, "תשובות נוספות");
    edge.refusals.clear();
    await user.click(more);
    await screen.findByText("״האחרונה ברשימה״");
  });
});
