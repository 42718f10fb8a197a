import { prove, toastWith, withApp } from "../../testing/open_app.tsx";
import type { FakeEdge } from "../../testing/fake_edge_api.ts";
import { makeSite } from "../../testing/make_fleet.ts";
import assert from "node:assert/strict";
import { screen, within } from "@testing-library/react";

function admin(edge: FakeEdge) {
  const now = Date.now();
  edge.admin.sites = [
    makeSite({ id: 1, name: "חולון", devices: 5, connectedDevices: 4, held: 3, lastSeenAt: now - 2000 }),
    makeSite({
      id: 2,
      name: "חיפה",
      status: "away",
      stopped: true,
      stopReason: "journal_doubted",
      owesOutcomes: true,
      held: 2,
      devices: 1,
    }),
    makeSite({ id: 4, name: "ערד", stopped: true, stopReason: "two_machines", lastSeenAt: now }),
    makeSite({
      id: 5,
      name: "יפו",
      agentVersion: "0.9.0",
      protocol: "shigur.agent.v1",
      needsUpdate: true,
      takesItemTexts: false,
    }),
    makeSite({ id: 6, name: "לוד", agentVersion: "1.0.0", takesItemTexts: false }),
    makeSite({
      id: 3,
      name: "אילת",
      status: "not_enrolled",
      agentVersion: null,
      takesItemTexts: false,
      lastSeenAt: null,
    }),
  ];
  return edge.addUser({ role: "admin" });
}

const rowOf = async (name: string) => within((await screen.findByText(name)).closest("tr")!);

Deno.test("sites show their state, version, phones, last contact and waiting work", async () => {
  await withApp({ path: "/admin/sites", prepare: admin }, async () => {
    await screen.findByRole("heading", { level: 1, name: "אתרים" });
    const holon = await rowOf("חולון");
    assert.ok(holon.getByText("מחובר"));
    assert.ok(holon.getByText("1.0.0"));
    assert.ok(holon.getByText("4 מתוך 5 מחוברים"));
    const haifa = await rowOf("חיפה");
    assert.ok(haifa.getByText("נעצר"));
    assert.ok(haifa.getByText(/^יומן המשלוחים שלו שוחזר או הועתק\./));
    assert.ok((await rowOf("ערד")).getByText(/^שני מחשבים מתחברים באותו מפתח.*יש לכבות אחד מהם/));
    const jaffa = await rowOf("יפו");
    assert.ok(jaffa.getByText("דרוש עדכון"));
    assert.ok(jaffa.getByText(/יש להריץ שם שוב את פקודת ההתקנה/));
    const lod = await rowOf("לוד");
    assert.ok(lod.getByText("בלי נוסח אישי"));
    assert.ok(lod.getByText(/לא מקבלת קמפיינים אישיים\. יש להריץ שם שוב את פקודת ההתקנה/));
    for (const name of ["חולון", "יפו", "אילת"]) {
      assert.equal((await rowOf(name)).queryByText("בלי נוסח אישי"), null, name);
    }
  });
});

Deno.test("a new site gets a name, and its token and command are shown once", async () => {
  await withApp({ path: "/admin/sites", prepare: admin }, async ({ edge, user }) => {
    const create = await screen.findByRole("button", { name: "יצירת אתר" });
    await user.click(create);
    await screen.findByText("נא להזין שם לאתר");
    await user.type(screen.getByLabelText("שם האתר"), "נתניה");
    await user.click(create);
    await prove(user);
    const dialog = within(await screen.findByRole("dialog", { name: "חיבור אתר נתניה" }));
    const line = dialog.getByLabelText("פקודת ההתקנה").textContent!;
    assert.match(line, /^curl -fsS https:\S+ \| sudo sh -s -- --edge https:\S+ --token \w{32}$/);
    assert.match(dialog.getByLabelText("קוד ההצטרפות לבדו").textContent!, /^\w{32}$/);
    await user.click(dialog.getByRole("button", { name: /העתקה.*פקודת ההתקנה/ }));
    assert.equal(await navigator.clipboard.readText(), line);
    await user.click(dialog.getByRole("button", { name: "סיום" }));
    assert.ok(screen.queryByRole("dialog") === null);
    await screen.findByText("נתניה");
    assert.equal(edge.admin.sites.length, 7);
  });
});

Deno.test("a site that was not connected yet gets a new token", async () => {
  await withApp({ path: "/admin/sites", prepare: admin }, async ({ user }) => {
    await user.click(await screen.findByRole("button", { name: "פעולות: אילת" }));
    await user.click(screen.getByRole("menuitem", { name: "קוד הצטרפות חדש" }));
    await prove(user);
    await screen.findByRole("dialog", { name: "חיבור אתר אילת" });
  });
});

Deno.test("a site is revoked, started and written off only after a question with the effect", async () => {
  await withApp({ path: "/admin/sites", prepare: admin }, async ({ edge, user }) => {
    const act = async (item: string, title: string, effect: RegExp, confirm: string) => {
      await user.click(await screen.findByRole("button", { name: "פעולות: חיפה" }));
      await user.click(screen.getByRole("menuitem", { name: item }));
      const dialog = within(await screen.findByRole("dialog", { name: title }));
      assert.ok(dialog.getByText(effect));
      await user.click(dialog.getByRole("button", { name: confirm }));
    };
    await act("הפעלה מחדש", "להפעיל מחדש את אתר חיפה?", /מוטל בספק/, "הפעלה מחדש");
    await toastWith("האתר הופעל מחדש");
    await act("ויתור על הדיווח", "לא לחכות יותר לדיווח של אתר חיפה?", /יקבלו אותה שוב/, "ויתור על הדיווח");
    await prove(user);
    await toastWith("השליחה לא מחכה יותר לאתר");
    const effect = /מכשיר אחד יפסיק לשלוח, ושתי הודעות שאצלו יעברו לבדיקה/;
    await act("ניתוק לצמיתות", "לנתק לצמיתות את אתר חיפה?", effect, "ניתוק לצמיתות");
    await toastWith("האתר נותק לצמיתות");
    const { status, stopped, owesOutcomes } = edge.admin.sites[1];
    assert.deepEqual([status, stopped, owesOutcomes], ["revoked", false, false]);
  });
});

Deno.test("a site asks for rehearsals, or no longer, after a question that says why", async () => {
  const prepare = (edge: FakeEdge) => {
    edge.admin.sites = [makeSite({ name: "חולון", asksRehearsal: true, owingDevices: 3 })];
    return edge.addUser({ role: "admin" });
  };
  await withApp({ path: "/admin/sites", prepare }, async ({ edge, user }) => {
    const row = await rowOf("חולון");
    assert.ok(row.getByText("מבקש חזרה"));
    assert.ok(row.getByText(/^3 טלפונים לא ישלחו פרסום עד חזרה\. הפקודה כתובה בדף/));
    const act = async (item: string, title: string, effect: RegExp) => {
      await user.click(await screen.findByRole("button", { name: "פעולות: חולון" }));
      await user.click(screen.getByRole("menuitem", { name: item }));
      const dialog = within(await screen.findByRole("dialog", { name: title }));
      assert.ok(dialog.getByText(effect));
      await user.click(dialog.getByRole("button", { name: item }));
    };
    await act("לא לבקש חזרה", "לא לבקש יותר חזרה באתר חולון?", /אף אחד לא יקבל הודעה פעמיים/);
    await toastWith("האתר לא מבקש חזרה");
    assert.equal(edge.admin.sites[0].asksRehearsal, false);
    await act(
      "לבקש חזרה לפני פרסום",
      "לבקש חזרה לפני פרסום באתר חולון?",
      /עלולים להיות מסכים שהמערכת עוד לא ראתה/,
    );
    await toastWith("האתר מבקש חזרה לפני פרסום");
    assert.equal(edge.admin.sites[0].asksRehearsal, true);
  });
});

Deno.test("a site with resting unconfirmed accounts says so and why, and can be started again", async () => {
  const prepare = (edge: FakeEdge) => {
    edge.admin.sites = [makeSite({ name: "חולון", unconfirmedRest: true })];
    return edge.addUser({ role: "admin" });
  };
  await withApp({ path: "/admin/sites", prepare }, async ({ edge, user }) => {
    const row = await rowOf("חולון");
    assert.ok(row.getByText("חשבונות מופסקים"));
    assert.ok(row.getByText(/^חשבונות שאיש לא אישר דיווחו על תקלות.*לאשר את החשבונות בדפי המכשירים/));
    await user.click(row.getByRole("button", { name: /חולון/ }));
    await user.click(await screen.findByRole("menuitem", { name: "הפעלה מחדש" }));
    const dialog = await screen.findByRole("dialog");
    assert.ok(within(dialog).getByText(/ורק מה שידווחו מעכשיו ייבחן/));
    await user.click(within(dialog).getByRole("button", { name: "הפעלה מחדש" }));
    await toastWith("האתר הופעל מחדש");
    assert.equal(edge.admin.sites[0].unconfirmedRest, false);
  });
});

Deno.test("an empty list of sites says what to do", async () => {
  await withApp({ path: "/admin/sites", prepare: (edge) => edge.addUser({ role: "admin" }) }, async () => {
    await screen.findByText("עוד אין אתרים");
  });
});
