import type { FakeEdge } from "../testing/fake_edge_api.ts";
import { toastWith, withApp } from "../testing/open_app.tsx";
import assert from "node:assert/strict";
import { screen, within } from "@testing-library/react";
import { planMoment } from "shared/hebrew_date.ts";
import type { OneSeries } from "shared/series_api.ts";

const ID = 77;

function prepare(edge: FakeEdge) {
  edge.series.lists.push({ id: 5, name: "לקוחות" }, { id: 6, name: "חברים" });
  edge.addCampaign({ id: ID, name: "סתיו", status: "completed", counts: { sent: 10 } });
  return edge.addUser({ messageQuota: 100 });
}

const weekly: OneSeries = {
  id: 1,
  name: "סתיו",
  message: "שלום",
  kind: "service",
  dayLimit: null,
  lists: [{ id: 5, name: "לקוחות" }],
  rule: { kind: "weekly", weekdays: [0, 3] },
  minutes: 570,
  lastDay: "2027-12-31",
  nextAt: Date.UTC(2027, 3, 25, 6, 30),
  hold: null,
  endedAt: null,
  createdAt: 0,
  runs: [{
    day: "2027-04-21",
    at: Date.UTC(2027, 3, 21, 6, 30),
    state: "made",
    reason: null,
    campaign: { id: ID, name: "סתיו · 21.4.2027", status: "completed", total: 12, sent: 10 },
  }],
};

Deno.test("a campaign is repeated on days of the Hebrew month, and the repeat opens with its next day", async () => {
  await withApp({ path: `/client/campaign/${ID}`, prepare }, async ({ edge, user }) => {
    await user.click(await screen.findByRole("button", { name: "שליחה חוזרת" }));
    const dialog = within(await screen.findByRole("dialog"));
    await user.click(await dialog.findByRole("button", { name: "יצירת השליחה החוזרת" }));
    assert.ok(dialog.getByText("נא לבחור לפחות רשימה אחת"));
    await user.click(dialog.getByLabelText("לקוחות"));
    await user.click(dialog.getByRole("button", { name: "בכל חודש עברי" }));
    await user.selectOptions(dialog.getByLabelText("ביום בחודש"), "א׳");
    const upcoming = within(dialog.getByRole("region", { name: "המועדים הקרובים" })).getAllByRole("listitem");
    assert.equal(upcoming.length, 4);
    for (const { textContent } of upcoming) assert.match(textContent ?? "", /, א׳ ב/);
    await user.click(dialog.getByRole("button", { name: "יצירת השליחה החוזרת" }));
    await toastWith("השליחה החוזרת נוצרה");
    await screen.findByText(/בכל חודש עברי, בא׳ בחודש, ב־09:00/);
    assert.deepEqual(edge.series.all[0]!.lists.map(({ name }) => name), ["לקוחות"]);
    assert.ok(screen.getByText(`הבאה: ${planMoment(edge.series.all[0]!.nextAt!)}`));
  });
});

Deno.test("one screen shows a repeat with its runs, and it is stopped, let go on and ended", async () => {
  const path = "/client/series/1";
  await withApp({
    path,
    prepare: (edge) => {
      edge.series.all.push(structuredClone(weekly));
      return prepare(edge);
    },
  }, async ({ edge, user }) => {
    await screen.findByText(/בכל שבוע, ביום ראשון וביום רביעי, ב־09:30/);
    assert.ok(screen.getByText(/עד 31\.12\.2027/));
    const run = within(screen.getByRole("table")).getByRole("link", { name: "סתיו · 21.4.2027" });
    assert.equal(run.getAttribute("href"), `/client/campaign/${ID}`);
    await user.click(screen.getByRole("button", { name: "עצירה" }));
    await screen.findByText("נעצרה לבקשתכם.");
    await user.click(screen.getByRole("button", { name: "להמשיך" }));
    await screen.findByRole("button", { name: "עצירה" });
    await user.click(screen.getByRole("button", { name: "סיום לתמיד" }));
    await user.click(within(await screen.findByRole("dialog")).getByRole("button", { name: "סיום לתמיד" }));
    await screen.findByText("הסתיימה");
    assert.equal(edge.series.all[0]!.endedAt, 1);
  });
});

Deno.test("the list of repeats says what is next, and why one waits", async () => {
  await withApp({
    path: "/client/series",
    prepare: (edge) => {
      edge.series.all.push(
        structuredClone(weekly),
        { ...structuredClone(weekly), id: 2, name: "אביב", hold: "quota_short", nextAt: null },
      );
      return prepare(edge);
    },
  }, async () => {
    await screen.findByText(`הבאה: ${planMoment(weekly.nextAt!)}`);
    assert.ok(screen.getByText(/נעצרה כי אין די הודעות במכסה/));
  });
});

Deno.test("a client without repeats reads where to begin one", async () => {
  await withApp({ path: "/client/series", prepare }, async () => {
    await screen.findByText("עוד אין שליחות חוזרות");
  });
});
