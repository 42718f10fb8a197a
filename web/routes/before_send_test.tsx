import type { FakeEdge } from "../testing/fake_edge_api.ts";
import { toastWith, withApp } from "../testing/open_app.tsx";
import assert from "node:assert/strict";
import { screen, waitFor, within } from "@testing-library/react";

const ID = 77;
const SEND = `POST /api/campaigns/${ID}/send`;

function ready(given: Parameters<FakeEdge["addCampaign"]>[0] = {}, messageQuota = 1000) {
  return (edge: FakeEdge) => {
    edge.addCampaign({ id: ID, name: "סתיו", status: "ready", counts: { queued: 860 }, ...given });
    return edge.addUser({ messageQuota });
  };
}

const path = `/client/campaign/${ID}`;
const confirm = { name: "לשלוח ל־860 נמענים" };

Deno.test("the review shows words, people, cost, balance and end, and sends only when it is confirmed", async () => {
  const given = {
    message: "שלום מהמשק",
    estimate: { endsAt: Date.now() + 20 * 60_000, by: "capacity" },
    sendingHours: { opens: 9, closes: 20, closesEarly: 13 },
  } as const;
  await withApp({ path, prepare: ready(given) }, async ({ edge, user }) => {
    await user.click(await screen.findByRole("button", { name: "שלח" }));
    const dialog = within(await screen.findByRole("dialog"));
    await dialog.findByText("שלום מהמשק");
    assert.ok(dialog.getByText("860 הודעות"));
    assert.ok(dialog.getByText("140 הודעות"));
    assert.equal(dialog.getByText("סיום משוער").nextSibling?.textContent, "תוך ~20 דקות");
    const hours = dialog.getByText("שעות השליחה").nextSibling?.textContent;
    assert.equal(hours, "א׳ עד ה׳ מ־9:00 עד 20:00, בשישי ובערב חג עד 13:00. לא בשבת ובחג.");
    assert.equal(edge.requests.includes(SEND), false);
    await user.click(dialog.getByRole("button", { name: "חזרה" }));
    await waitFor(() => assert.equal(screen.queryByRole("dialog"), null));
    assert.equal(edge.requests.includes(SEND), false);
  });
});

Deno.test("the review says when no phone can send, and names no hours to a campaign that none bind", async () => {
  await withApp({ path, prepare: ready() }, async ({ user }) => {
    await user.click(await screen.findByRole("button", { name: "שלח" }));
    const dialog = within(await screen.findByRole("dialog"));
    await dialog.findByText("אין הערכה: כרגע אין טלפון שיכול לשלוח.");
    assert.equal(dialog.queryByText("שעות השליחה"), null);
  });
});

Deno.test("pressing Enter twice opens the review and sends nothing", async () => {
  await withApp({ path, prepare: ready() }, async ({ edge, user }) => {
    (await screen.findByRole("button", { name: "שלח" })).focus();
    await user.keyboard("{Enter}");
    await screen.findByRole("button", confirm);
    await user.keyboard("{Enter}{Enter}");
    assert.ok(screen.getByRole("button", confirm));
    assert.equal(edge.requests.includes(SEND), false);
  });
});

Deno.test("a send can be taken back by keyboard in the seconds after it", async () => {
  await withApp({ path, prepare: ready() }, async ({ edge, user }) => {
    await user.click(await screen.findByRole("button", { name: "שלח" }));
    await user.click(await screen.findByRole("button", confirm));
    await toastWith("הקמפיין נשלח");
    const strip = await screen.findByRole("region", { name: "השליחה של ״סתיו״ ממתינה" });
    assert.ok(within(strip).getByText("״סתיו״ יישלח בעוד כמה שניות."));
    assert.match(strip.textContent!, /\d+שניות/);
    const button = within(strip).getByRole("button", { name: "לבטל את השליחה" });
    assert.ok(document.activeElement !== button, "a second Enter must not press it");
    button.focus();
    await user.keyboard("{Enter}");
    assert.match(await toastWith("השליחה בוטלה"), /860 הודעות חזרו למכסה/);
    await screen.findByRole("button", { name: "שלח" });
    assert.equal(
      document.activeElement,
      screen.getByRole("heading", { name: "סתיו" }),
      "the line took it along",
    );
    assert.equal(edge.campaigns[0]!.status, "ready");
    assert.equal(edge.users[0]!.messageQuota, 1000);
  });
});

Deno.test("taking back too late says the server's reason", async () => {
  await withApp({ path, prepare: ready() }, async ({ edge, user }) => {
    await user.click(await screen.findByRole("button", { name: "שלח" }));
    await user.click(await screen.findByRole("button", confirm));
    edge.refusals.set(`POST /api/campaigns/${ID}/take-back`, { code: "send_began", error: "כבר התחילה" });
    await user.click(await screen.findByRole("button", { name: "לבטל את השליחה" }));
    assert.match(await toastWith("השליחה לא בוטלה"), /כבר התחילה/);
  });
});

Deno.test("a send whose wait is over offers no taking back", async () => {
  const prepare = ready({ status: "processing", takeBack: { until: 1, leftMs: 0 } });
  await withApp({ path, prepare }, async () => {
    await screen.findByText("בעבודה");
    assert.equal(screen.queryByRole("button", { name: "לבטל את השליחה" }), null);
  });
});

Deno.test("'שלח' leads to the advertiser's details that are missing, and sends nothing", async () => {
  const prepare = ready({ kind: "marketing", notices: [{ code: "advertiser_missing" }] });
  await withApp({ path, prepare }, async ({ edge, user }) => {
    await user.click(await screen.findByRole("button", { name: "שלח" }));
    const dialog = within(await screen.findByRole("dialog"));
    const missing = within(await dialog.findByRole("region", { name: "מה חסר לפני שאפשר לשלוח" }));
    const link = missing.getByRole("link", { name: "למילוי פרטי המפרסם" });
    assert.ok(document.activeElement === link);
    assert.equal(dialog.getAllByText(/עוד לא צוין מי המפרסם/).length, 1, "it is said once");
    const send = dialog.getByRole("button", confirm);
    send.focus();
    await user.keyboard("{Enter}");
    assert.ok(document.activeElement === link, "the button stays pressable and leads back to it");
    assert.ok(dialog.getByRole("alert").textContent!.includes("עוד אי אפשר לשלוח"));
    assert.equal(edge.requests.includes(SEND), false);
  });
});

Deno.test("'שלח' leads to the quota that is missing", async () => {
  await withApp({ path, prepare: ready({}, 500) }, async ({ edge, user }) => {
    await user.click(await screen.findByRole("button", { name: "שלח" }));
    const dialog = within(await screen.findByRole("dialog"));
    const missing = await dialog.findByRole("region", { name: "מה חסר לפני שאפשר לשלוח" });
    assert.match(missing.textContent!, /חסרות 360 הודעות במכסה/);
    assert.ok(document.activeElement === missing);
    await user.click(dialog.getByRole("button", confirm));
    assert.ok(document.activeElement === missing);
    assert.equal(edge.requests.includes(SEND), false);
  });
});

Deno.test("the review says what was chosen or typed and not added, so that nobody is forgotten", async () => {
  await withApp({ path, prepare: ready() }, async ({ user }) => {
    const review = async () => {
      await user.click(await screen.findByRole("button", { name: "שלח" }));
      return within(await screen.findByRole("dialog"));
    };
    const file = new File(["phone\n0531234567\n"], "שנייה.csv", { type: "text/csv" });
    await user.upload(await screen.findByLabelText(/קובץ CSV/), file);
    let dialog = await review();
    await dialog.findByText(/^הקובץ שנבחר עוד לא הועלה לקמפיין\. בלי זה הם לא יקבלו/);
    await user.click(dialog.getByRole("button", { name: "חזרה" }));
    await user.type(screen.getByLabelText("או מספרים, אחד בכל שורה"), "0541234567");
    dialog = await review();
    await dialog.findByText(/^הקובץ שנבחר והמספרים שהוקלדו עוד לא נוספו לקמפיין\./);
    await user.click(dialog.getByRole("button", { name: "חזרה" }));
    await user.clear(screen.getByLabelText("או מספרים, אחד בכל שורה"));
    await user.click(screen.getByRole("button", { name: "הסרת הקובץ" }));
    dialog = await review();
    await dialog.findByRole("button", confirm);
    assert.equal(dialog.queryByText(/עוד לא/), null);
  });
});

Deno.test("who means to send a test finds it in the review", async () => {
  await withApp({ path, prepare: ready() }, async ({ edge, user }) => {
    await user.click(await screen.findByRole("button", { name: "שלח" }));
    await user.click(await screen.findByRole("link", { name: "לשלוח הודעת ניסיון למספר אחד" }));
    const test = await screen.findByRole("dialog", { name: "הודעת ניסיון" });
    assert.equal(screen.queryByRole("button", confirm), null);
    await user.click(within(test).getByRole("button", { name: "סגירה" }));
    await waitFor(() => assert.equal(screen.queryByRole("dialog"), null));
    assert.equal(edge.requests.includes(SEND), false);
  });
});
