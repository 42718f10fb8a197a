import { prove, toastWith, withApp } from "../../testing/open_app.tsx";
import type { FakeEdge } from "../../testing/fake_edge_api.ts";
import assert from "node:assert/strict";
import { fireEvent, screen, waitFor, within } from "@testing-library/react";

function admin(edge: FakeEdge) {
  edge.addUser({ username: "dana", messageQuota: 500 });
  return edge.addUser({ username: "menahel", role: "admin", messageQuota: 0 });
}

async function openLoadDialog(user: { click: (element: Element) => Promise<void> }) {
  await user.click(await screen.findByRole("button", { name: "טען הודעות" }));
  return within(await screen.findByRole("dialog", { name: "טען הודעות ל-dana" }));
}

Deno.test("users lists everybody with role and quota, and finds by name", async () => {
  await withApp({ path: "/admin/users", prepare: admin }, async ({ user }) => {
    await screen.findByRole("heading", { level: 1, name: "ניהול משתמשים" });
    assert.ok(screen.getByText("יצירה וניהול של המשתמשים במערכת"));
    await screen.findByText("2 משתמשים רשומים");
    const list = within(screen.getByRole("region", { name: "רשימת המשתמשים" }));
    assert.match(list.getByText("dana").closest("li")!.textContent!, /לקוח500 הודעות זמינות/);
    assert.match(list.getByText("menahel").closest("li")!.textContent!, /מנהל/);
    await user.type(screen.getByRole("searchbox", { name: "חיפוש משתמש" }), "dan");
    await waitFor(() => assert.ok(list.queryByText("menahel") === null));
    await user.type(screen.getByRole("searchbox", { name: "חיפוש משתמש" }), "xyz");
    await screen.findByText("אין תוצאות ל״danxyz״.");
  });
});

Deno.test("users are created as clients by default, and the form is empty again", async () => {
  await withApp({ path: "/admin/users", prepare: admin }, async ({ edge, user }) => {
    await user.type(await screen.findByLabelText("שם משתמש"), "גן אורן");
    await user.type(screen.getByLabelText("סיסמה"), "sod-gadol");
    const role = screen.getByLabelText<HTMLSelectElement>("תפקיד");
    assert.equal(role.value, "client");
    await user.selectOptions(role, "מנהל");
    const first = screen.getByRole<HTMLInputElement>("checkbox", { name: "החלפה בכניסה הראשונה" });
    assert.equal(first.checked, true, "a given password is for the first login alone");
    await user.click(screen.getByRole("button", { name: "צור משתמש" }));
    await prove(user);
    assert.match(await toastWith("משתמש נוצר בהצלחה"), /המשתמש גן אורן נוסף למערכת/);
    await screen.findByText("3 משתמשים רשומים");
    assert.deepEqual([edge.users.at(-1)!.role, edge.users.at(-1)!.firstPassword], ["admin", true]);
    assert.deepEqual([role.value, first.checked], ["client", true]);
    const [newest] = within(screen.getByRole("region", { name: "רשימת המשתמשים" })).getAllByRole("listitem");
    assert.match(newest!.textContent!, /גן אורן.*חדש/);
    assert.equal(screen.getByLabelText<HTMLInputElement>("שם משתמש").value, "");
    assert.equal(screen.getByLabelText<HTMLInputElement>("סיסמה").value, "");
  });
});

Deno.test("a double click creates one user, and its second click reports no empty form", async () => {
  await withApp({ path: "/admin/users", prepare: admin }, async ({ user }) => {
    await user.type(await screen.findByLabelText("שם משתמש"), "yael");
    await user.type(screen.getByLabelText("סיסמה"), "sod-gadol");
    const submit = screen.getByRole("button", { name: "צור משתמש" });
    await user.click(submit);
    await toastWith("משתמש נוצר בהצלחה");
    fireEvent.click(submit, { detail: 2 });
    assert.ok(screen.queryByText("נא למלא את כל השדות") === null);
  });
});

Deno.test("users with a missing field are not sent to the server", async () => {
  await withApp({ path: "/admin/users", prepare: admin }, async ({ edge, user }) => {
    await user.type(await screen.findByLabelText("שם משתמש"), "x");
    await user.click(screen.getByRole("button", { name: "צור משתמש" }));
    assert.match(await toastWith("שגיאה"), /נא למלא את כל השדות/);
    await user.type(screen.getByLabelText("סיסמה"), "short");
    await user.click(screen.getByRole("button", { name: "צור משתמש" }));
    await screen.findByText("נא להזין לפחות 8 תווים");
    assert.ok(!edge.requests.includes("POST /api/users"));
  });
});

Deno.test("users that the server refuses show its sentence, or the product's", async () => {
  await withApp({ path: "/admin/users", prepare: admin }, async ({ edge, user }) => {
    await user.type(await screen.findByLabelText("שם משתמש"), "dana");
    await user.type(screen.getByLabelText("סיסמה"), "sod-gadol");
    await user.click(screen.getByRole("button", { name: "צור משתמש" }));
    assert.match(await toastWith("שגיאה ביצירת משתמש"), /שם המשתמש תפוס/);
    edge.refusals.set("POST /api/users", "no_answer");
    await user.click(await screen.findByRole("button", { name: "צור משתמש" }));
    await screen.findByText(/Failed to create user/);
  });
});

Deno.test("users whose list does not load offer another try", async () => {
  const prepare = (edge: FakeEdge) => {
    edge.refusals.set("GET /api/users", "no_answer");
    edge.acceptsSockets = false;
    return admin(edge);
  };
  await withApp({ path: "/admin/users", prepare }, async ({ edge, user }) => {
    await screen.findByText(/Failed to fetch users/);
    edge.refusals.clear();
    await user.click(screen.getByRole("button", { name: "ניסיון נוסף" }));
    await screen.findByText("2 משתמשים רשומים");
  });
});

Deno.test("loading messages adds to the balance on the screen, and shows the new one", async () => {
  await withApp({ path: "/admin/users", prepare: admin }, async ({ edge, user }) => {
    const dialog = await openLoadDialog(user);
    const count = dialog.getByLabelText<HTMLInputElement>("כמות הודעות לטעינה");
    assert.deepEqual([count.value, count.placeholder, count.min], ["10", "100", "1"]);
    assert.ok(dialog.getByText("הלקוח יוכל לשלוח עד 10 הודעות"));
    await user.click(dialog.getByRole("button", { name: "1,000" }));
    assert.ok(dialog.getByText("הלקוח יוכל לשלוח עד 1,000 הודעות"));
    await user.click(dialog.getByRole("button", { name: "טען 1,000 הודעות" }));
    assert.match(await toastWith("הודעות נטענו בהצלחה"), /סה"כ כעת: 1,500 הודעות זמינות/);
    await waitFor(() => assert.ok(screen.queryByRole("dialog") === null));
    await screen.findByText("1,500");
    assert.equal(edge.users[0].messageQuota, 1500);
    const again = await openLoadDialog(user);
    assert.equal(again.getByLabelText<HTMLInputElement>("כמות הודעות לטעינה").value, "10");
  });
});

Deno.test("a cancelled dialog returns the focus to the control that opened it", async () => {
  await withApp({ path: "/admin/users", prepare: admin }, async ({ user }) => {
    const dialog = await openLoadDialog(user);
    await user.click(dialog.getByRole("button", { name: "ביטול" }));
    assert.ok(document.activeElement === screen.getByRole("button", { name: "טען הודעות" }));
    await user.click(screen.getByRole("button", { name: "פעולות: dana" }));
    await user.click(screen.getByRole("menuitem", { name: "סיסמה חדשה" }));
    await user.click(within(await screen.findByRole("dialog")).getByRole("button", { name: "ביטול" }));
    assert.ok(document.activeElement === screen.getByRole("button", { name: "פעולות: dana" }));
  });
});

Deno.test("loading no messages is refused without a call", async () => {
  await withApp({ path: "/admin/users", prepare: admin }, async ({ edge, user }) => {
    const dialog = await openLoadDialog(user);
    const count = dialog.getByLabelText("כמות הודעות לטעינה");
    for (const wrong of ["0", "-3", "2.5", ""]) {
      await user.clear(count);
      if (wrong) await user.type(count, wrong);
      await user.click(dialog.getByRole("button", { name: "טען הודעות" }));
      assert.match(await toastWith("שגיאה"), /נא להזין כמות הודעות תקינה/);
    }
    assert.equal(edge.users[0].messageQuota, 500);
    assert.ok(!edge.requests.some((request) => request.startsWith("PATCH")));
  });
});

Deno.test("loading over a balance that changed meanwhile asks again with the new one", async () => {
  await withApp({ path: "/admin/users", prepare: admin }, async ({ edge, user }) => {
    const dialog = await openLoadDialog(user);
    edge.users[0].messageQuota = 480;
    await user.click(dialog.getByRole("button", { name: "טען 10 הודעות" }));
    await dialog.findByText("היתרה השתנתה בינתיים ל־480. לטעון 10 הודעות מעל היתרה החדשה?");
    assert.equal(edge.users[0].messageQuota, 480);
    await user.click(dialog.getByRole("button", { name: "טען 10 הודעות" }));
    await toastWith("הודעות נטענו בהצלחה");
    assert.equal(edge.users[0].messageQuota, 490);
  });
});

Deno.test("loading again after a lost answer repeats the request id, so that it is not loaded twice", async () => {
  await withApp({ path: "/admin/users", prepare: admin }, async ({ edge, user }) => {
    const dialog = await openLoadDialog(user);
    const path = `PATCH /api/users/${edge.users[0].id}/quota`;
    edge.refusals.set(path, "no_answer");
    await user.click(dialog.getByRole("button", { name: "טען 10 הודעות" }));
    assert.match(await toastWith("שגיאה בטעינת הודעות"), /Failed to load messages/);
    edge.refusals.clear();
    await user.click(await dialog.findByRole("button", { name: "טען 10 הודעות" }));
    await toastWith("הודעות נטענו בהצלחה");
    const again = await openLoadDialog(user);
    await user.click(again.getByRole("button", { name: "טען 10 הודעות" }));
    await waitFor(() => assert.equal(new Set(edge.admin.requestIds).size, 2));
  });
});

Deno.test("disabling a user shows its effect first, and enabling undoes it", async () => {
  await withApp({ path: "/admin/users", prepare: admin }, async ({ edge, user }) => {
    await user.click(await screen.findByRole("button", { name: "פעולות: dana" }));
    await user.click(screen.getByRole("menuitem", { name: "השבתה" }));
    const dialog = within(await screen.findByRole("dialog", { name: "להשבית את dana?" }));
    await dialog.findByText("שני קמפיינים פעילים יושהו והכניסה תיחסם. אפשר להפעיל מחדש בכל עת.");
    await user.click(dialog.getByRole("button", { name: "השבתה" }));
    await toastWith("המשתמש הושבת");
    await screen.findByText("מושבת");
    assert.equal(edge.users[0].disabled, true);
    await user.click(screen.getByRole("button", { name: "פעולות: dana" }));
    await user.click(screen.getByRole("menuitem", { name: "הפעלה מחדש" }));
    await prove(user);
    await toastWith("המשתמש הופעל מחדש");
    assert.equal(edge.users[0].disabled, false);
  });
});

Deno.test("a new password has at least eight characters, and administrators cannot do this to themselves", async () => {
  await withApp({ path: "/admin/users", prepare: admin }, async ({ edge, user }) => {
    await user.click(await screen.findByRole("button", { name: "פעולות: dana" }));
    assert.ok(screen.queryByRole("button", { name: "פעולות: menahel" }) === null);
    await user.click(screen.getByRole("menuitem", { name: "סיסמה חדשה" }));
    const dialog = within(await screen.findByRole("dialog", { name: "סיסמה חדשה ל-dana" }));
    await user.type(dialog.getByLabelText("סיסמה חדשה"), "short");
    await user.click(dialog.getByRole("button", { name: "קביעת סיסמה" }));
    await dialog.findByText("נא להזין לפחות 8 תווים");
    await user.type(dialog.getByLabelText("סיסמה חדשה"), "-but-longer");
    await user.click(dialog.getByRole("button", { name: "קביעת סיסמה" }));
    await prove(user);
    await toastWith("הסיסמה הוחלפה");
    assert.equal(edge.users[0].password, "short-but-longer");
    assert.equal(edge.users[0].firstPassword, true);
  });
});

Deno.test("a lost second factor of another user is removed after a question with the effect", async () => {
  const prepare = (edge: FakeEdge) => {
    const self = admin(edge);
    for (const user of edge.users) user.secondFactor = true;
    return self;
  };
  await withApp({ path: "/admin/users", prepare }, async ({ edge, user }) => {
    await user.click(await screen.findByRole("button", { name: "פעולות: dana" }));
    assert.ok(screen.queryByRole("button", { name: "פעולות: menahel" }) === null);
    assert.equal(screen.getAllByText("אימות דו־שלבי").length, edge.users.length);
    await user.click(screen.getByRole("menuitem", { name: "הסרת אימות דו־שלבי" }));
    const dialog = within(await screen.findByRole("dialog", { name: "להסיר את האימות הדו־שלבי של dana?" }));
    assert.ok(dialog.getByText(/כל החיבורים הפתוחים של המשתמש יסתיימו/));
    await user.click(dialog.getByRole("button", { name: "הסרת האימות" }));
    await prove(user, { code: "123 456" });
    await toastWith("האימות הדו־שלבי הוסר");
    assert.equal(edge.users.find(({ username }) => username === "dana")!.secondFactor, false);
    await waitFor(() => assert.equal(screen.getAllByText("אימות דו־שלבי").length, edge.users.length - 1));
  });
});

Deno.test("an act that needs the password asks until it is right, and is done once", async () => {
  await withApp({ path: "/admin/users", prepare: admin }, async ({ edge, user }) => {
    const asked = `PATCH /api/users/${edge.users[0].id}`;
    await user.click(await screen.findByRole("button", { name: "פעולות: dana" }));
    await user.click(screen.getByRole("menuitem", { name: "סיסמה חדשה" }));
    const dialog = within(await screen.findByRole("dialog", { name: "סיסמה חדשה ל-dana" }));
    await user.type(dialog.getByLabelText("סיסמה חדשה"), "long-enough");
    await user.click(dialog.getByRole("button", { name: "קביעת סיסמה" }));
    await prove(user, { password: "wrong" });
    const question = within(screen.getByRole("dialog", { name: "אישור בסיסמה" }));
    await question.findByText("הסיסמה הנוכחית שגויה.");
    assert.equal(edge.users[0].password, "sod-gadol");
    await user.clear(question.getByLabelText("הסיסמה הנוכחית"));
    await prove(user);
    await toastWith("הסיסמה הוחלפה");
    await waitFor(() => assert.ok(screen.queryByRole("dialog") === null));
    assert.equal(edge.users[0].password, "long-enough");
    assert.equal(edge.requests.filter((request) => request === asked).length, 3, "bare, wrong, right");
  });
});

Deno.test("an act without its password is not done, and shows nothing", async () => {
  await withApp({ path: "/admin/users", prepare: admin }, async ({ edge, user }) => {
    await user.type(await screen.findByLabelText("שם משתמש"), "boss");
    await user.type(screen.getByLabelText("סיסמה"), "sod-gadol");
    await user.selectOptions(screen.getByLabelText("תפקיד"), "מנהל");
    await user.click(screen.getByRole("button", { name: "צור משתמש" }));
    const question = within(await screen.findByRole("dialog", { name: "אישור בסיסמה" }));
    assert.ok(question.queryByLabelText("קוד אימות") === null, "there is no second factor");
    await user.click(question.getByRole("button", { name: "ביטול" }));
    await waitFor(() => assert.ok(screen.queryByRole("dialog") === null));
    await screen.findByRole("button", { name: "צור משתמש" });
    assert.equal(edge.users.length, 2);
    assert.ok(screen.queryByText("שגיאה ביצירת משתמש") === null);
    assert.equal(screen.getByLabelText<HTMLInputElement>("שם משתמש").value, "boss", "the form is kept");
  });
});

Deno.test("a code is required when the factor was turned on after the page was opened", async () => {
  await withApp({ path: "/admin/users", prepare: admin }, async ({ edge, user }) => {
    await user.type(await screen.findByLabelText("שם משתמש"), "boss");
    await user.type(screen.getByLabelText("סיסמה"), "sod-gadol");
    await user.selectOptions(screen.getByLabelText("תפקיד"), "מנהל");
    edge.users[1].secondFactor = true;
    await user.click(screen.getByRole("button", { name: "צור משתמש" }));
    await prove(user);
    const question = within(screen.getByRole("dialog", { name: "אישור בסיסמה" }));
    await user.type(await question.findByLabelText("קוד אימות"), "123 456");
    await user.click(question.getByRole("button", { name: "אישור" }));
    await toastWith("משתמש נוצר בהצלחה");
    assert.equal(edge.users.at(-1)!.role, "admin");
  });
});

Deno.test("a client's ledger opens from its row", async () => {
  const prepare = (edge: FakeEdge) => {
    edge.ledger.push({
      id: 1,
      at: 0,
      kind: "grant",
      delta: 500,
      balanceAfter: 500,
      campaignId: null,
      campaignName: null,
      actor: "admin",
      actorName: null,
      reason: null,
    });
    return admin(edge);
  };
  await withApp({ path: "/admin/users", prepare }, async ({ user }) => {
    await user.click(await screen.findByRole("button", { name: "פעולות: dana" }));
    await user.click(screen.getByRole("menuitem", { name: "תנועות במכסה" }));
    const dialog = within(await screen.findByRole("dialog", { name: "תנועות במכסה: dana" }));
    await dialog.findByText("+500");
  });
});

async function openCorrection(user: { click: (element: Element) => Promise<void> }) {
  const list = within(await screen.findByRole("region", { name: "רשימת המשתמשים" }));
  const row = within((await list.findByText("dana")).closest("li")!);
  await user.click(row.getByRole("button", { name: "פעולות: dana" }));
  await user.click(screen.getByRole("menuitem", { name: "תיקון המכסה" }));
  return within(await screen.findByRole("dialog", { name: "תיקון המכסה של dana" }));
}

Deno.test("a quota is corrected with a reason, and Enter twice corrects it once", async () => {
  await withApp({ path: "/admin/users", prepare: admin }, async ({ edge, user }) => {
    const dialog = await openCorrection(user);
    assert.ok(dialog.getByText(/יתרה נוכחית: 500 הודעות.*הלקוח רואה את הסיבה/));
    await user.type(dialog.getByLabelText("כמות הודעות"), "7");
    assert.ok(dialog.getByText("היתרה אחרי התיקון: 493 הודעות"));
    await user.type(dialog.getByLabelText("סיבה"), "  טעינה כפולה {Enter}{Enter}");
    assert.match(await toastWith("המכסה תוקנה"), /493 הודעות זמינות/);
    assert.equal(screen.queryByRole("dialog"), null);
    const [only, ...more] = edge.admin.corrections as { requestId: string }[];
    assert.deepEqual(more, []);
    assert.deepEqual({ ...only, requestId: "" }, { delta: -7, reason: "טעינה כפולה", requestId: "" });
    const list = within(screen.getByRole("region", { name: "רשימת המשתמשים" }));
    await waitFor(() =>
      assert.match(list.getByText("dana").closest("li")!.textContent!, /493 הודעות זמינות/)
    );
  });
});

Deno.test("a correction says what is wrong beside its field, and nothing is sent until both are right", async () => {
  await withApp({ path: "/admin/users", prepare: admin }, async ({ edge, user }) => {
    const dialog = await openCorrection(user);
    const count = dialog.getByLabelText("כמות הודעות");
    await user.type(count, "501{Enter}");
    assert.ok(dialog.getByText("אפשר להפחית עד 500 הודעות: היתרה לא יורדת מתחת לאפס"));
    assert.ok(document.activeElement === count);
    await user.click(dialog.getByRole("button", { name: "תוספת" }));
    assert.ok(dialog.getByText("היתרה אחרי התיקון: 1,001 הודעות"));
    await user.keyboard("{Enter}");
    await user.click(dialog.getByRole("button", { name: "לתקן את המכסה" }));
    assert.ok(dialog.getByText("נא לכתוב סיבה, לפחות 3 תווים"));
    assert.ok(document.activeElement === dialog.getByLabelText("סיבה"));
    await user.clear(count);
    await user.type(count, "0{Enter}");
    assert.ok(dialog.getByText("נא להזין מספר שלם, לפחות 1"));
    assert.deepEqual(edge.admin.corrections, []);
  });
});

Deno.test("a correction whose answer was lost keeps its wish, so that another try is not a second correction", async () => {
  await withApp({ path: "/admin/users", prepare: admin }, async ({ edge, user }) => {
    const dialog = await openCorrection(user);
    await user.type(dialog.getByLabelText("כמות הודעות"), "5");
    await user.type(dialog.getByLabelText("סיבה"), "זיכוי");
    edge.refusals.set(`POST /api/users/${edge.users[0].id}/quota/corrections`, "lost_answer");
    await user.click(dialog.getByRole("button", { name: "לתקן את המכסה" }));
    await dialog.findByRole("alert");
    await user.click(dialog.getByRole("button", { name: "לתקן את המכסה" }));
    await toastWith("המכסה תוקנה");
    const ids = (edge.admin.corrections as { requestId: string }[]).map(({ requestId }) => requestId);
    assert.equal(ids.length, 2);
    assert.equal(ids[0], ids[1]);
  });
});
