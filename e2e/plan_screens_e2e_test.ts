/** A client's plans and repeats in a real browser over a real edge: planned, moved, called off, started, repeated. */
import type { Page } from "playwright-core";
import assert from "node:assert/strict";
import { dayAfter, israelDay } from "shared/israel_time.ts";
import { writeDay } from "../web/text/day.ts";
import { launchBrowser, type View, Window } from "./browser.ts";
import { builtScreens } from "./built_screens.ts";
import { Caller, type Login } from "./caller.ts";
import { SeededEdge } from "./seeded_edge.ts";

const WIDE: View = { width: 1280, theme: "dark" };

Deno.test("a plan on a real edge: chosen with its Hebrew date, moved, called off, sent now by its own tick", async () => {
  await withEdge(async (window, edge) => {
    const { page } = window;
    const client = await Caller.login(edge.url, edge.client!);
    const id = await readyCampaign(edge, client);
    await logIn(page, edge.client!);
    await page.goto(`/client/campaign/${id}`);
    await page.getByRole("button", { name: "לפזר על כמה ימים" }).click();
    await page.getByLabel("כמה הודעות ביום, לכל היותר").fill("1");
    await lookAll(window, "plan-day-limit");
    await page.getByRole("button", { name: "שמירת הכמות" }).click();
    await page.getByText("עד הודעה אחת ביום.").waitFor();
    await page.getByRole("button", { name: "שלח", exact: true }).click();
    await page.getByRole("button", { name: "במועד אחר" }).click();
    const day = dayAfter(israelDay(Date.now()), 8);
    await page.getByLabel("יום", { exact: true }).fill(writeDay(day));
    await page.getByLabel("שעה", { exact: true }).selectOption("10:30");
    await page.getByText(/^יתחיל ביום|אין הערכה|שבת ובחג/).first().waitFor();
    await lookAll(window, "plan-choice");
    await page.getByRole("button", { name: /^לתזמן ל/ }).click();
    await page.getByRole("button", { name: "ביטול התזמון" }).waitFor();
    await lookAll(window, "plan-planned");
    assert.equal((await campaignOf(client, id)).status, "scheduled");

    await page.getByRole("button", { name: "שינוי המועד" }).click();
    await page.getByLabel("שעה", { exact: true }).selectOption("14:00");
    await lookAll(window, "plan-move");
    await page.getByRole("button", { name: "שמירת המועד" }).click();
    await page.getByText("בשעה 14:00").first().waitFor();

    await page.getByRole("button", { name: "ביטול התזמון" }).click();
    await lookAll(window, "plan-call-off");
    await page.getByRole("dialog").getByRole("button", { name: "ביטול התזמון" }).click();
    await page.getByRole("button", { name: "שלח", exact: true }).waitFor();

    await page.getByRole("button", { name: "שלח", exact: true }).click();
    await page.getByRole("button", { name: "במועד אחר" }).click();
    await page.getByRole("button", { name: /^לתזמן ל/ }).click();
    await page.getByRole("button", { name: "לשלוח עכשיו" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "לשלוח עכשיו" }).click();
    await page.getByText("בעבודה").first().waitFor();
    await page.goto("/client");
    await window.settled();
    await lookAll(window, "plan-home");
  });
});

Deno.test("a repeat on a real edge: its days of the Hebrew calendar, its screen, stopped and ended", async () => {
  await withEdge(async (window, edge) => {
    const { page } = window;
    const client = await Caller.login(edge.url, edge.client!);
    const id = await readyCampaign(edge, client);
    await client.call("POST", "/api/lists", { json: { name: "לקוחות מועדון" } });
    await logIn(page, edge.client!);
    await page.getByRole("link", { name: "שליחות חוזרות" }).click();
    await page.getByText("עוד אין שליחות חוזרות").waitFor();
    await lookAll(window, "series-empty");
    await page.goto(`/client/campaign/${id}`);
    await page.getByRole("button", { name: "שליחה חוזרת" }).click();
    await page.getByLabel("לקוחות מועדון").check();
    await page.getByRole("button", { name: "בכל שנה עברית" }).click();
    await page.getByLabel("ביום בחודש").selectOption("ט״ו");
    await page.getByLabel("חודש", { exact: true }).selectOption("ניסן");
    await page.getByText(/ט״ו בניסן/).first().waitFor();
    await lookAll(window, "series-create");
    await page.getByRole("button", { name: "יצירת השליחה החוזרת" }).click();
    await page.getByText("בכל שנה, בט״ו בניסן, ב־09:00").waitFor();
    await lookAll(window, "series-one");
    await page.getByRole("button", { name: "עצירה" }).click();
    await page.getByText("נעצרה לבקשתכם.").waitFor();
    await page.getByRole("button", { name: "סיום לתמיד" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "סיום לתמיד" }).click();
    await page.getByText("הסתיימה", { exact: true }).waitFor();
    await page.getByRole("link", { name: "לכל השליחות החוזרות" }).click();
    await page.getByRole("link", { name: /בכל שנה/ }).waitFor();
    await lookAll(window, "series-all");
  });
});

async function readyCampaign(edge: SeededEdge, client: Caller): Promise<number> {
  const admin = await Caller.login(edge.url, edge.admin);
  const me = await (await client.call("GET", "/api/auth/me")).json();
  const loaded = await admin.call("PATCH", `/api/users/${me.id}/quota`, { json: { messageQuota: 1000 } });
  assert.equal(loaded.status, 200);
  await loaded.body?.cancel();
  const form = new FormData();
  for (const [key, value] of Object.entries({ name: "ברכת חג", message: "חג שמח!", kind: "service" })) {
    form.set(key, value);
  }
  const { id } = await (await client.call("POST", "/api/campaigns", { form })).json();
  const numbers = await client.call("POST", `/api/campaigns/${id}/contacts/manual`, {
    json: { numbers: "0541234567\n0541234568\n0541234569" },
  });
  assert.equal(numbers.status, 200);
  await numbers.body?.cancel();
  return id;
}

async function campaignOf(client: Caller, id: number): Promise<{ status: string }> {
  return await (await client.call("GET", `/api/campaigns/${id}`)).json();
}

async function lookAll(window: Window, name: string): Promise<void> {
  for (const width of [390, 1280] as const) {
    await window.page.setViewportSize({ width, height: 900 });
    window.view = { ...window.view, width };
    await window.look(name);
    await window.lookInOtherTheme(name);
  }
}

async function withEdge(use: (window: Window, edge: SeededEdge) => Promise<void>): Promise<void> {
  const edge = await SeededEdge.start("empty", await builtScreens("preact"));
  const browser = await launchBrowser();
  let window: Window | undefined;
  try {
    window = await Window.open(browser, edge.url, WIDE);
    await use(window, edge);
    await window.close();
  } catch (error) {
    await window?.picture("failure");
    throw error;
  } finally {
    await browser.close();
    await edge.stop();
  }
}

async function logIn(page: Page, { username, password }: Login): Promise<void> {
  await page.goto("/login");
  await page.getByLabel("שם משתמש").fill(username);
  await page.getByLabel("סיסמה").fill(password);
  await page.getByRole("button", { name: "התחברות" }).click();
  await page.waitForURL("**/client");
}
