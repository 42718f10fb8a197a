/** The report of a campaign in a real browser: figures, charts with their tables, a field, files, and paper. */
import type { Page } from "playwright-core";
import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { readFile } from "node:fs/promises";
import type { Campaign } from "shared/http_api.ts";
import type { Statement } from "shared/statement_api.ts";
import type { Report } from "shared/report_api.ts";
import { readTable } from "../edge/tables/read_table.ts";
import { launchBrowser, type View, Window } from "./browser.ts";
import { builtScreens } from "./built_screens.ts";
import { Caller, type Login } from "./caller.ts";
import { SeededEdge } from "./seeded_edge.ts";

const WIDE: View = { width: 1280, theme: "dark" };
const PICTURES = new URL("./screenshots/", import.meta.url).pathname;

Deno.test("a client's report: every figure has its table, a field divides, files and paper say the same", async () => {
  await withEdge(async (window, edge) => {
    const { page } = window;
    const client = await Caller.login(edge.url, edge.client!);
    const campaigns = await client.read<Campaign[]>("GET", "/api/campaigns");
    const { id, name } = campaigns.filter(({ status }) => status.startsWith("completed")).sort((a, b) =>
      b.totalContacts - a.totalContacts
    )[0]!;
    edge.fill(
      `UPDATE deliveries SET fields = json_object('עיר', CASE id % 4 WHEN 0 THEN 'חיפה' WHEN 1 THEN 'תל אביב'
      WHEN 2 THEN 'עיר עם שם ארוך במיוחד שלא נכנס בשורה אחת בשום מסך של טלפון קטן' ELSE '' END) WHERE campaign = ${id}`,
    );
    const report = await client.read<Report>("GET", `/api/campaigns/${id}/report`);
    await logIn(page, edge.client!);
    await page.goto(`/client/campaign/${id}`);
    await page.getByRole("link", { name: "דוח", exact: true }).click();
    await page.getByRole("heading", { level: 1, name: `דוח: ${name}` }).waitFor();
    const outcomes = page.getByRole("region", { name: "לפי תוצאה וסיבה" }).getByRole("table");
    assert.match(
      await outcomes.getByRole("row").last().innerText(),
      new RegExp(report.total.toLocaleString("en-US")),
    );
    await page.getByRole("combobox", { name: /^שדה/ }).selectOption("עיר");
    const cities = page.getByRole("region", { name: "לפי שדה ברשימה: עיר" });
    await cities.getByText("חיפה").waitFor();
    await cities.getByText("ללא ערך").waitFor();
    assert.ok(page.url().includes("field="), "the choice is in the address");

    const hours = page.locator("section", { has: page.getByRole("heading", { name: "לפי שעה ביום" }) });
    await hours.scrollIntoViewIfNeeded();
    await hours.locator(".apexcharts-bar-series").first().waitFor();
    await hours.getByRole("button", { name: "הצגה כטבלה" }).click();
    assert.equal(await hours.getByRole("row").count(), 25);
    await lookAll(window, "report");
    await hours.getByRole("button", { name: "הצגה כתרשים" }).click();
    await window.settled();
    await lookAll(window, "report-charts");

    const csv = (await download(page, "CSV")).toString();
    assert.match(csv, /"section","name","label"/);
    assert.match(csv, /"field","חיפה","עיר"/);
    const rows: string[][] = [];
    for await (const { cells } of readTable(new Uint8Array(await download(page, "XLSX")))) rows.push(cells);
    assert.equal(rows[0]![0], "section");
    const people: string[][] = [];
    for await (
      const { cells } of readTable(new Uint8Array(await download(page, "נמענים (XLSX)")))
    ) people.push(cells);
    assert.equal(people.length, report.total + 2);

    await page.getByRole("link", { name: "הדפסה" }).click();
    await page.getByRole("button", { name: "להדפסה או לשמירה כ־PDF" }).waitFor();
    await page.locator(".apexcharts-series").first().waitFor();
    await window.settled();
    assert.equal(await page.evaluate(() => document.documentElement.dataset.theme), "light");
    await page.getByRole("table").nth(3).waitFor();
    const paper = await page.pdf({ preferCSSPageSize: true, printBackground: true });
    await Deno.mkdir(PICTURES, { recursive: true });
    if (Deno.env.has("PICTURES")) await Deno.writeFile(`${PICTURES}report.pdf`, paper);
    assert.ok(pagesOf(paper) >= 2, "more than one page");
    await window.look("report-paper");
    await page.getByRole("link", { name: "חזרה לדוח" }).click();
    await page.getByRole("heading", { level: 1, name: `דוח: ${name}` }).waitFor();
    assert.equal(await page.evaluate(() => document.documentElement.dataset.theme), window.view.theme);
  });
});

Deno.test("a report of nothing: a draft, a campaign of another, and a server that does not answer", async () => {
  await withEdge(async (window, edge) => {
    const { page } = window;
    const client = await Caller.login(edge.url, edge.client!);
    const campaigns = await client.read<Campaign[]>("GET", "/api/campaigns");
    const draft = campaigns.find(({ startedAt }) => startedAt === null)!;
    await logIn(page, edge.client!);
    await page.goto(`/client/campaign/${draft.id}/report`);
    await page.getByText("אין עדיין מה לסכם").waitFor();
    await lookAll(window, "report-empty");
    const sent = campaigns.find(({ startedAt }) => startedAt !== null)!;
    await page.route("**/api/campaigns/*/report", (route) => route.fulfill({ status: 503, body: "{}" }));
    await page.goto(`/client/campaign/${sent.id}/report`);
    await page.getByText("הדוח לא נטען").waitFor();
    await page.unroute("**/api/campaigns/*/report");
    await page.getByRole("button", { name: "ניסיון נוסף" }).click();
    await page.getByRole("heading", { level: 1, name: `דוח: ${sent.name}` }).waitFor();
    await page.goto("/client/campaign/99999999/report");
    await page.getByRole("heading", { level: 1, name: "קמפיין לא נמצא" }).waitFor();
  }, [404, 503]);
});

Deno.test("an administrator's report has sites and accounts, and masks a field's values", async () => {
  await withEdge(async (window, edge) => {
    const { page } = window;
    const client = await Caller.login(edge.url, edge.client!);
    const campaigns = await client.read<Campaign[]>("GET", "/api/campaigns");
    const { id } = campaigns.find(({ counts }) => counts.sent > 0)!;
    edge.fill(`UPDATE deliveries SET fields = json_object('עיר', 'רמלה') WHERE campaign = ${id}`);
    await logIn(page, edge.admin);
    await page.goto(`/admin/campaigns/${id}`);
    await page.getByRole("link", { name: "דוח", exact: true }).click();
    await page.getByRole("heading", { name: "לפי אתר וחשבון" }).waitFor();
    await page.getByRole("combobox", { name: /^שדה/ }).selectOption("עיר");
    await page.getByText("הערכים מוסתרים.", { exact: false }).waitFor();
    assert.equal(await page.getByText("רמלה").count(), 0);
    await window.settled();
    await lookAll(window, "report-admin");
  });
});

Deno.test("a client's month adds up on the screen, in a file and on paper; an address is one address", async () => {
  await withEdge(async (window, edge) => {
    const { page } = window;
    const client = await Caller.login(edge.url, edge.client!);
    const { closing } = await client.read<Statement>("GET", "/api/statement");
    await logIn(page, edge.client!);
    await page.getByRole("link", { name: "דוח חודשי" }).click();
    await page.getByRole("heading", { level: 1, name: /^דוח חודשי: / }).waitFor();
    await page.getByText(closing.toLocaleString("en-US"), { exact: true }).first().waitFor();
    await page.getByText("לא הוגדר שרת דואר", { exact: false }).waitFor();
    await lookAll(window, "statement");
    const months = page.getByRole("combobox", { name: "חודש" });
    const oldest = await months.getByRole("option").last().getAttribute("value");
    await months.selectOption(oldest);
    await page.waitForURL(`**month=${oldest}`);
    await window.settled();
    assert.match((await download(page, "CSV")).toString(), /"opening"/);
    const paper = await page.pdf({ preferCSSPageSize: true, printBackground: true });
    if (Deno.env.has("PICTURES")) await Deno.writeFile(`${PICTURES}statement.pdf`, paper);
    assert.equal(pagesOf(paper), 1, "no page without words follows");
  });
});

/** Returns the number of pages that a PDF names. */
function pagesOf(pdf: Uint8Array): number {
  return Buffer.from(pdf).toString("latin1").match(/\/Type\s*\/Page\b(?!s)/g)?.length ?? 0;
}

async function download(page: Page, name: string): Promise<Buffer> {
  const [file] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name, exact: true }).click(),
  ]);
  return await readFile(await file.path());
}

/** Looks at the screen in both widths and both themes. */
async function lookAll(window: Window, name: string): Promise<void> {
  await window.page.mouse.move(0, 0);
  for (const width of [390, 1280] as const) {
    await window.page.setViewportSize({ width, height: 900 });
    window.view = { ...window.view, width };
    await window.settled();
    await window.look(name);
    await window.lookInOtherTheme(name);
  }
}

async function logIn(page: Page, login: Login): Promise<void> {
  await page.goto("/login");
  await page.getByLabel("שם משתמש").fill(login.username);
  await page.getByLabel("סיסמה").fill(login.password);
  await page.getByRole("button", { name: "התחברות" }).click();
  await page.waitForURL(login.role === "admin" ? "**/admin/**" : "**/client");
}

async function withEdge(
  run: (window: Window, edge: SeededEdge) => Promise<void>,
  provoked: readonly number[] = [],
): Promise<void> {
  const edge = await SeededEdge.start("small", await builtScreens("preact"));
  const browser = await launchBrowser();
  try {
    const window = await Window.open(browser, edge.url, WIDE);
    try {
      await run(window, edge);
      await window.close(provoked);
    } catch (error) {
      await window.picture("report-failure");
      throw error;
    }
  } finally {
    await browser.close();
    await edge.stop();
  }
}
