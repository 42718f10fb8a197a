/** Writing again to chosen recipients, and several texts of one campaign, in a real browser over a real edge. */
import type { Page } from "playwright-core";
import assert from "node:assert/strict";
import type { Campaign } from "shared/http_api.ts";
import type { CampaignTexts } from "shared/variants_api.ts";
import { launchBrowser, type View, Window } from "./browser.ts";
import { builtScreens } from "./built_screens.ts";
import { Caller, type Login, makeReadyCampaign } from "./caller.ts";
import { SeededEdge } from "./seeded_edge.ts";
import { becomes } from "./wait.ts";

const WIDE: View = { width: 1280, theme: "dark" };

Deno.test("a client writes again to chosen outcomes: not on the app only when ticked, unknown only when confirmed", async () => {
  await withEdge(async (window, edge, client) => {
    const { page } = window;
    const campaigns = await client.read<Campaign[]>("GET", "/api/campaigns");
    const { id, name } = campaigns.find(({ status, counts }) =>
      status === "completed_with_errors" && counts.failed > 1
    )!;
    edge.fill(`UPDATE deliveries SET reason = iif(id % 2, 'not_on_app', 'chat_not_opened')
      WHERE campaign = ${id} AND state = 'failed'`);
    edge.fill(`UPDATE deliveries SET state = 'unknown', by = 1, reason = 'send_not_verified'
      WHERE id = (SELECT max(id) FROM deliveries WHERE campaign = ${id} AND state = 'failed')`);
    await page.goto(`/client/campaign/${id}`);
    await page.getByRole("button", { name: "לכתוב שוב" }).first().click();
    const dialog = page.getByRole("dialog");
    const box = (label: RegExp) => dialog.getByRole("checkbox", { name: label });
    await box(/^נכשל/).first().waitFor();
    assert.equal(await box(/אין חשבון/).isChecked(), false);
    assert.equal(await box(/^לא ידוע/).isChecked(), false);
    await box(/^לא ידוע/).check();
    await dialog.getByRole("button", { name: /^קמפיין חדש/ }).click();
    await dialog.getByText("נא לאשר", { exact: false }).waitFor();
    await lookAll(window, "write-again");
    await box(/ידוע לי/).check();
    await dialog.getByRole("button", { name: /^קמפיין חדש/ }).click();
    await page.getByRole("heading", { level: 1, name: `${name} (עותק)` }).waitFor();
    await page.getByRole("link", { name: "נכתב שוב לנמענים של קמפיין קודם" }).waitFor();
    await lookAll(window, "written-again");
    const [draft] = await client.read<Campaign[]>("GET", "/api/campaigns");
    assert.equal(draft!.againOf, id);
  });
});

Deno.test("a client writes three texts, sees what came of each, and chooses one for the rest", async () => {
  await withEdge(async (window, _edge, client) => {
    const { page } = window;
    const id = await makeReadyCampaign(client, "שלושה נוסחים", 12);
    await client.read("PATCH", `/api/campaigns/${id}`, { json: { kind: "service" } });
    await page.goto(`/client/campaign/${id}`);
    const form = page.getByRole("region", { name: "כמה נוסחים" });
    await form.getByRole("button", { name: "להוסיף נוסח" }).click();
    await form.getByRole("button", { name: "שמירת הנוסחים" }).click();
    await form.getByText("נא לכתוב את הנוסח", { exact: false }).waitFor();
    await form.getByLabel("נוסח ב׳", { exact: true }).fill("נוסח שני, קצר");
    await form.getByRole("button", { name: "להוסיף נוסח" }).click();
    await form.getByLabel("נוסח ג׳", { exact: true }).fill("נוסח שלישי, עם עוד כמה מילים");
    await form.getByText("כדי לשלוח כמה נוסחים צריך לבחור גל ניסיון.").waitFor();
    await form.getByRole("button", { name: "שמירת הנוסחים" }).click();
    await page.getByText("הנוסחים נשמרו", { exact: true }).waitFor();
    await lookAll(window, "texts-form");
    await client.read("PATCH", `/api/campaigns/${id}`, { json: { pilot: { count: 6, waitMinutes: 1 } } });
    await client.read("POST", `/api/campaigns/${id}/send`, { json: {} });
    await page.goto(`/client/campaign/${id}`);
    const results = page.getByRole("region", { name: "הנוסחים", exact: true });
    await results.getByText("נוסח שני, קצר").waitFor();
    await lookAll(window, "texts-results");
    await results.getByRole("button", { name: "לשלוח לשאר את נוסח ב׳" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "לשלוח לשאר" }).click();
    await results.getByText("נבחר לשאר הנמענים").waitFor();
    await becomes(
      async () => (await client.read<CampaignTexts>("GET", `/api/campaigns/${id}/texts`)).winner,
      2,
    );
    await lookAll(window, "texts-chosen");
  });
});

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
  await page.waitForURL("**/client");
}

async function withEdge(
  run: (window: Window, edge: SeededEdge, client: Caller) => Promise<void>,
): Promise<void> {
  const edge = await SeededEdge.start("small", await builtScreens("preact"));
  const browser = await launchBrowser();
  try {
    const client = await Caller.login(edge.url, edge.client!);
    const window = await Window.open(browser, edge.url, WIDE);
    try {
      await logIn(window.page, edge.client!);
      await run(window, edge, client);
      await window.close();
    } catch (error) {
      await window.picture("again-failure");
      throw error;
    }
  } finally {
    await browser.close();
    await edge.stop();
  }
}
