import type { FakeEdge } from "../testing/fake_edge_api.ts";
import { toastWith, withApp } from "../testing/open_app.tsx";
import assert from "node:assert/strict";
import { screen, waitFor, within } from "@testing-library/react";
import { planMoment } from "shared/hebrew_date.ts";
import { israelDay, israelInstant } from "shared/israel_time.ts";
import { writeDay } from "../text/day.ts";

const ID = 77;
const DAY_MS = 24 * 60 * 60_000;
const path = `/client/campaign/${ID}`;
const PLAN = `POST /api/campaigns/${ID}/plan`;
/** A week ahead at nine. */
const day = israelDay(Date.now() + 7 * DAY_MS);
const at = israelInstant(day, 9 * 60)!;

function campaign(given: Parameters<FakeEdge["addCampaign"]>[0] = {}) {
  return (edge: FakeEdge) => {
    edge.addCampaign({ id: ID, name: "סתיו", status: "ready", counts: { queued: 860 }, ...given });
    return edge.addUser({ messageQuota: 1000 });
  };
}

const planned = (hold: "missed" | "restored" | null = null) =>
  campaign({
    status: "scheduled",
    plan: { at, hold },
    notices: [
      hold === null
        ? { code: "planned", count: 860, until: at }
        : { code: "plan_waits", count: 860, until: at, hold },
    ],
  });

Deno.test("a campaign is planned from its review: day and hour, the Hebrew date, and what comes of it", async () => {
  await withApp({ path, prepare: campaign() }, async ({ edge, user }) => {
    edge.forecast = {
      beginsAt: at + DAY_MS,
      endsAt: at + 3 * DAY_MS,
      day: "closed",
      goodHour: { hour: 10, campaigns: 6, share: 0.004, usual: 0.011 },
    };
    await user.click(await screen.findByRole("button", { name: "שלח" }));
    const dialog = within(await screen.findByRole("dialog"));
    await user.click(await dialog.findByRole("button", { name: "במועד אחר" }));
    const field = dialog.getByLabelText("יום");
    await user.clear(field);
    await user.type(field, writeDay(day));
    await user.selectOptions(dialog.getByLabelText("שעה"), "09:00");
    await dialog.findByText(planMoment(at));
    await dialog.findByText(/^בשבת ובחג לא שולחים\. יתחיל ביום .* ב־09:00, יסתיים ביום .*\.$/);
    assert.ok(dialog.getByText(/ב־6 קמפיינים שלכם שיצאו בין 10:00 ל־11:00/));
    assert.equal(dialog.queryByText("תחילת השליחה"), null);
    await user.click(dialog.getByRole("button", { name: "לתזמן ל־860 נמענים" }));
    await toastWith("הקמפיין תוזמן");
    assert.ok(edge.requests.includes(PLAN));
    await screen.findByText(`יתחיל ב${planMoment(at)}`);
    assert.ok(screen.getByRole("button", { name: "ביטול התזמון" }));
    assert.equal(screen.queryByRole("button", { name: "שלח" }), null);
  });
});

Deno.test("a good hour is chosen with one press, and is then no longer suggested", async () => {
  await withApp({ path, prepare: campaign() }, async ({ edge, user }) => {
    edge.forecast = {
      beginsAt: at,
      endsAt: null,
      day: "full",
      goodHour: { hour: 10, campaigns: 3, share: 0.004, usual: 0.011 },
    };
    await user.click(await screen.findByRole("button", { name: "שלח" }));
    const dialog = within(await screen.findByRole("dialog"));
    await user.click(await dialog.findByRole("button", { name: "במועד אחר" }));
    await user.click(await dialog.findByRole("button", { name: "לבחור 10:00" }));
    assert.equal((dialog.getByLabelText("שעה") as HTMLSelectElement).value, String(10 * 60));
    await waitFor(() => assert.equal(dialog.queryByRole("button", { name: "לבחור 10:00" }), null));
  });
});

Deno.test("a day that is past or unreadable is said beside the field, and nothing is planned", async () => {
  await withApp({ path, prepare: campaign() }, async ({ edge, user }) => {
    await user.click(await screen.findByRole("button", { name: "שלח" }));
    const dialog = within(await screen.findByRole("dialog"));
    await user.click(await dialog.findByRole("button", { name: "במועד אחר" }));
    const field = dialog.getByLabelText("יום");
    await user.clear(field);
    await user.type(field, "1.2.2020");
    await user.click(dialog.getByRole("button", { name: "לתזמן ל־860 נמענים" }));
    assert.ok(dialog.getByText("המועד הזה כבר עבר. נא לבחור מועד אחר."));
    assert.equal(edge.requests.includes(PLAN), false);
    await user.click(dialog.getByRole("button", { name: "עכשיו" }));
    assert.ok(dialog.getByRole("button", { name: "לשלוח ל־860 נמענים" }));
  });
});

Deno.test("a plan is moved to another day", async () => {
  await withApp({ path, prepare: planned() }, async ({ edge, user }) => {
    await user.click(await screen.findByRole("button", { name: "שינוי המועד" }));
    const dialog = within(await screen.findByRole("dialog"));
    assert.equal((dialog.getByLabelText("יום") as HTMLInputElement).value, writeDay(day));
    await user.selectOptions(dialog.getByLabelText("שעה"), "14:30");
    await user.click(dialog.getByRole("button", { name: "שמירת המועד" }));
    await toastWith("המועד שונה");
    assert.equal(edge.campaigns[0]!.plan?.at, israelInstant(day, 14 * 60 + 30));
    await screen.findByText(`יתחיל ב${planMoment(israelInstant(day, 14 * 60 + 30)!)}`);
  });
});

Deno.test("a plan is called off after a question, and its messages are back in the quota", async () => {
  await withApp({ path, prepare: planned() }, async ({ edge, user }) => {
    await user.click(await screen.findByRole("button", { name: "ביטול התזמון" }));
    const dialog = within(await screen.findByRole("dialog"));
    assert.ok(dialog.getByText(/860 הודעות יחזרו למכסה/));
    await user.click(dialog.getByRole("button", { name: "ביטול התזמון" }));
    await toastWith("התזמון בוטל");
    await screen.findByRole("button", { name: "שלח" });
    assert.equal(edge.campaigns[0]!.status, "ready");
  });
});

Deno.test("a plan that waits for a person says why, and is sent now after a question", async () => {
  await withApp({ path, prepare: planned("restored") }, async ({ edge, user }) => {
    assert.ok(await screen.findByText(/המערכת שוחזרה מגיבוי, וייתכן שהתזמון השתנה מאז/));
    await user.click(await screen.findByRole("button", { name: "לשלוח עכשיו" }));
    const dialog = within(await screen.findByRole("dialog"));
    await user.click(dialog.getByRole("button", { name: "לשלוח עכשיו" }));
    await waitFor(() => assert.equal(edge.campaigns[0]!.status, "processing"));
  });
});

Deno.test("a call off that comes too late says that the send has begun", async () => {
  await withApp({ path, prepare: planned() }, async ({ edge, user }) => {
    await user.click(await screen.findByRole("button", { name: "ביטול התזמון" }));
    edge.campaigns[0]!.status = "processing";
    const dialog = within(await screen.findByRole("dialog"));
    await user.click(dialog.getByRole("button", { name: "ביטול התזמון" }));
    await toastWith("התזמון לא בוטל");
  });
});

Deno.test("a campaign is spread over days: a limit is chosen, said in the review, and taken away", async () => {
  await withApp({ path, prepare: campaign() }, async ({ edge, user }) => {
    await user.click(await screen.findByRole("button", { name: "לפזר על כמה ימים" }));
    const dialog = within(await screen.findByRole("dialog"));
    const field = dialog.getByLabelText("כמה הודעות ביום, לכל היותר");
    await user.clear(field);
    await user.type(field, "0");
    await user.click(dialog.getByRole("button", { name: "שמירת הכמות" }));
    assert.ok(dialog.getByText("נא להזין מספר שלם מ־1 עד 1,000,000"));
    await user.clear(field);
    await user.type(field, "500");
    await user.click(dialog.getByRole("button", { name: "שמירת הכמות" }));
    await screen.findByText("עד 500 הודעות ביום.");
    assert.equal(edge.campaigns[0]!.dayLimit, 500);
    await user.click(screen.getByRole("button", { name: "שלח" }));
    await within(await screen.findByRole("dialog")).findByText("עד 500 הודעות ביום.");
  });
});
