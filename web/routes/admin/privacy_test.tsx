import { toastWith, withApp } from "../../testing/open_app.tsx";
import type { FakeEdge } from "../../testing/fake_edge_api.ts";
import { makeErasure } from "../../testing/make_fleet.ts";
import assert from "node:assert/strict";
import { screen, waitFor, within } from "@testing-library/react";

function admin(edge: FakeEdge) {
  return edge.addUser({ role: "admin" });
}

Deno.test("a number is erased after a question with the effect, and its certificate shows what was removed", async () => {
  await withApp({ path: "/admin/privacy", prepare: admin }, async ({ edge, user }) => {
    await screen.findByText("עוד לא נמחק אף מספר.");
    await user.click(screen.getByRole("button", { name: "מחיקה מכל המערכת" }));
    await screen.findByText("נא להזין מספר טלפון.");
    await screen.findByText("נא לכתוב סיבה, במילים אחדות.");
    await user.type(screen.getByLabelText("מספר הטלפון"), "054-371-0968");
    await user.type(screen.getByLabelText("הסיבה"), "בקשה של בעל המספר");
    await user.click(screen.getByRole("button", { name: "מחיקה מכל המערכת" }));
    const dialog = within(await screen.findByRole("dialog", { name: "למחוק את המספר מכל המערכת?" }));
    assert.deepEqual(edge.admin.erased, [], "not before the question is answered");
    assert.ok(document.activeElement === dialog.getByRole("button", { name: "ביטול" }));
    await dialog.findByText("054-371-0968");
    await dialog.findByText("המספר נמצא ב־3 קמפיינים. שתי הודעות מחכות לו ולא יישלחו.");
    await user.click(dialog.getByRole("button", { name: "מחיקה" }));
    await toastWith("המחיקה התחילה");
    assert.deepEqual(edge.admin.erased, [{
      phone: "054-371-0968",
      reason: "בקשה של בעל המספר",
      block: true,
    }]);
    const list = within(await screen.findByRole("list", { name: "תעודות מחיקה" }));
    await list.findByText("ממתין לאתר אחד");
    await list.findByText(/נמענים בקמפיינים: 3/);
    assert.equal((screen.getByLabelText("מספר הטלפון") as HTMLInputElement).value, "");
  });
});

Deno.test("certificates show what each waits for, and each site's answer", async () => {
  const prepare = (edge: FakeEdge) => {
    const site = { id: 1, name: "חיפה", answeredAt: null, removed: 0, revoked: false };
    edge.admin.erasures = [
      makeErasure({ id: 4, databaseAt: null, doneAt: null }),
      makeErasure({ id: 3, scrubbedAt: null, sites: [], doneAt: null }),
      makeErasure({ id: 2, sites: [{ ...site, revoked: true }], removed: {} }),
      makeErasure({ id: 1, sites: [{ ...site, answeredAt: 5, removed: 2 }] }),
    ];
    return admin(edge);
  };
  await withApp({ path: "/admin/privacy", prepare }, async () => {
    await screen.findByText("ממתין להודעות שנמצאות אצל אתר");
    await screen.findByText("נמחק מהטבלאות, קובץ מסד הנתונים נכתב מחדש");
    await waitFor(() => assert.equal(screen.getAllByText("נמחק מכל המערכת").length, 2));
    await screen.findByText(/נותק לצמיתות/);
    await screen.findByText(/נמחק מהיומן: שתי שורות/);
    await screen.findByText("המספר לא נמצא באף טבלה.");
  });
});
