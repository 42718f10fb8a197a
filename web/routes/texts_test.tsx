import type { FakeEdge } from "../testing/fake_edge_api.ts";
import { toastWith, withApp } from "../testing/open_app.tsx";
import assert from "node:assert/strict";
import { screen, waitFor, within } from "@testing-library/react";

const ID = 77;
const path = `/client/campaign/${ID}`;

function ready(edge: FakeEdge) {
  edge.addCampaign({ id: ID, name: "סתיו", message: "שלום", status: "ready", counts: { queued: 9 } });
  return edge.addUser();
}

Deno.test("further texts are written before the send, none of them empty, and need a pilot wave", async () => {
  await withApp({ path, prepare: ready }, async ({ edge, user }) => {
    const form = within(await screen.findByRole("region", { name: "כמה נוסחים" }));
    await user.click(await form.findByRole("button", { name: "להוסיף נוסח" }));
    await user.click(form.getByRole("button", { name: "שמירת הנוסחים" }));
    await form.findByText("נא לכתוב את הנוסח, או להסיר אותו.");
    assert.equal(edge.texts.get(ID), undefined);
    await user.type(form.getByLabelText("נוסח ב׳"), "שלום לך");
    assert.ok(form.getByText("כדי לשלוח כמה נוסחים צריך לבחור גל ניסיון."));
    await user.click(form.getByRole("button", { name: "שמירת הנוסחים" }));
    await toastWith("הנוסחים נשמרו");
    assert.deepEqual(edge.texts.get(ID)?.messages, ["שלום לך"]);
    await user.click(form.getByRole("button", { name: "להוסיף נוסח" }));
    assert.equal(form.queryByRole("button", { name: "להוסיף נוסח" }), null, "three at most");
  });
});

Deno.test("what came of each text is shown, one is proposed, and a person's choice is asked once more", async () => {
  const prepare = (edge: FakeEdge) => {
    const user = ready(edge);
    Object.assign(edge.campaigns[0]!, { status: "active", startedAt: 1, texts: 2 });
    const text = (no: number, failed: number) => ({
      no,
      text: `נוסח מספר ${no}`,
      sent: 5,
      failed,
      unknown: 0,
      removals: 1,
    });
    edge.texts.set(ID, {
      messages: [],
      sent: [text(1, 4), text(2, 0)],
      proposed: 2,
      isClose: true,
      winner: null,
      canChoose: true,
    });
    return user;
  };
  await withApp({ path, prepare }, async ({ edge, user }) => {
    const results = within(await screen.findByRole("region", { name: "הנוסחים" }));
    await results.findByText("נוסח מספר 2");
    assert.ok(
      results.getByText("הכי מעט כשלים והסרות עד כה").closest("li")!.textContent.includes("נוסח מספר 2"),
    );
    assert.ok(results.getByText("ההבדל בין הנוסחים קטן, וייתכן שהוא מקרי."));
    await user.click(results.getByRole("button", { name: "לשלוח לשאר את נוסח ב׳" }));
    const dialog = within(await screen.findByRole("dialog", { name: "לשלוח לשאר את נוסח ב׳?" }));
    assert.equal(edge.texts.get(ID)?.winner, null);
    await user.click(dialog.getByRole("button", { name: "לשלוח לשאר" }));
    await results.findByText("נבחר לשאר הנמענים");
    assert.equal(edge.texts.get(ID)?.winner, 2);
    await waitFor(() => assert.equal(results.queryByRole("button", { name: /^לשלוח לשאר/ }), null));
  });
});
