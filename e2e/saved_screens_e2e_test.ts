/** Saved messages in a real browser over a real edge: written, used, taken from a campaign, changed by two, removed. */
import type { Page } from "playwright-core";
import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import type { Campaign } from "shared/http_api.ts";
import type { SavedMessage, SavedMessages } from "shared/saved_api.ts";
import { launchBrowser, type View, Window } from "./browser.ts";
import { builtScreens } from "./built_screens.ts";
import { Caller, type Login } from "./caller.ts";
import { SeededEdge } from "./seeded_edge.ts";
import { becomes } from "./wait.ts";

const WIDE: View = { width: 1280, theme: "dark" };
// A picture of one pixel.
const PNG = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);

Deno.test("a saved message: written, used for a campaign with its image, taken from a campaign, copied, removed", async () => {
  await withEdge(async (window, edge) => {
    const { page } = window;
    const client = await Caller.login(edge.url, edge.client!);
    await logIn(page, edge.client!);
    await page.getByRole("button", { name: "מתוך הודעות שמורות" }).click();
    await page.getByRole("dialog").getByText("עוד אין הודעות שמורות").waitFor();
    await page.getByRole("dialog").getByRole("link", { name: "לכל ההודעות השמורות" }).click();
    await page.getByRole("heading", { level: 1, name: "הודעות שמורות" }).waitFor();
    await lookAll(window, "saved-empty");

    await page.getByRole("button", { name: "הודעה חדשה" }).click();
    const editor = page.getByRole("dialog");
    await editor.getByRole("button", { name: "שמירה" }).click();
    assert.equal(await page.evaluate(() => document.activeElement?.id), "c-name", "the first empty field");
    await editor.locator("#c-name").fill("מבצע סתיו");
    await editor.locator("#c-msg").fill("שלום {{שם|לקוח יקר}}, מחכים לכם!");
    await editor.getByRole("radio", { name: /שירות/ }).check();
    await editor.locator("input[type=file]").setInputFiles({
      name: "a.png",
      mimeType: "image/png",
      buffer: PNG,
    });
    await lookAll(window, "saved-editor");
    await editor.getByRole("button", { name: "שמירה" }).click();
    const item = page.getByRole("listitem").filter({ hasText: "מבצע סתיו" });
    await item.getByText("עוד לא היתה בשימוש", { exact: false }).waitFor();
    await item.getByRole("img", { name: "התמונה של ההודעה" }).waitFor();
    await lookAll(window, "saved");

    await item.getByRole("button", { name: "קמפיין חדש" }).click();
    await page.waitForURL("**/client");
    assert.equal(await page.locator("#c-msg").inputValue(), "שלום {{שם|לקוח יקר}}, מחכים לכם!");
    await page.getByRole("button", { name: "צור קמפיין" }).click();
    await becomes(async () => {
      const campaigns = await client.read<Campaign[]>("GET", "/api/campaigns");
      return campaigns.some(({ name, imageUrl, kind }) =>
        name === "מבצע סתיו" && imageUrl !== null && kind === "service"
      );
    }, true);
    const sent = (await client.read<Campaign[]>("GET", "/api/campaigns")).find(({ startedAt }) => startedAt)!;
    await page.goto(`/client/campaign/${sent.id}`);
    await page.getByRole("button", { name: "לשמור את ההודעה לשימוש חוזר" }).click();
    await page.getByRole("dialog").getByLabel("שם").fill("מקמפיין קודם");
    await page.getByRole("dialog").getByRole("button", { name: "שמירה" }).click();
    await page.getByText("ההודעה נשמרה", { exact: true }).waitFor();

    await page.goto("/client/messages");
    const copied = page.getByRole("listitem").filter({ hasText: "מקמפיין קודם" });
    await copied.getByRole("button", { name: "שכפול" }).click();
    await page.getByRole("listitem").filter({ hasText: "מקמפיין קודם (עותק)" }).waitFor();
    await page.getByRole("listitem").filter({ hasText: "קמפיין אחד התחיל ממנה" }).waitFor();

    // Typed words that were not saved are asked about before they are replaced.
    await page.goto("/client");
    await page.locator("#new-h").waitFor();
    await page.evaluate(() => {
      const key = Object.keys(localStorage).find((name) => name.includes("draft"));
      if (key) localStorage.removeItem(key);
    });
    await page.reload();
    await page.locator("#c-msg").fill("מילים שעוד לא נשמרו");
    await page.getByRole("button", { name: "מתוך הודעות שמורות" }).click();
    await page.getByRole("dialog").getByRole("link", { name: "לכל ההודעות השמורות" }).click();
    await copied.first().getByRole("button", { name: "קמפיין חדש" }).click();
    await page.getByText("להחליף את מה שנכתב?").waitFor();
    await lookAll(window, "saved-replace");
    await page.keyboard.press("Escape");
    const { items } = await client.read<SavedMessages>("GET", "/api/saved-messages");
    const doomed = page.getByRole("listitem").filter({ hasText: "(עותק)" });
    await doomed.getByRole("button", { name: "מחיקה" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "מחיקה" }).click();
    await becomes(
      async () => (await client.read<SavedMessages>("GET", "/api/saved-messages")).items.length,
      items.length - 1,
    );
  });
});

Deno.test("a saved message that another tab changed is shown as changed, and replaced only by a press", async () => {
  await withEdge(async (window, edge) => {
    const { page } = window;
    const client = await Caller.login(edge.url, edge.client!);
    const form = new FormData();
    form.set("name", "תזכורת");
    form.set("message", "הנוסח הראשון");
    form.set("kind", "service");
    const saved = await client.read<SavedMessage>("POST", "/api/saved-messages", { form });
    await logIn(page, edge.client!);
    await page.goto("/client/messages");
    await page.getByRole("button", { name: "עריכה" }).click();
    form.set("message", "הנוסח של הלשונית האחרת");
    await client.read("PUT", `/api/saved-messages/${saved.id}`, { form });
    const editor = page.getByRole("dialog");
    await editor.locator("#c-msg").fill("הנוסח שלי");
    await editor.getByRole("button", { name: "שמירה", exact: true }).click();
    await editor.getByText("ההודעה השתנתה בינתיים.").waitFor();
    await lookAll(window, "saved-changed");
    await editor.getByRole("button", { name: "שמירת הנוסח שלי" }).click();
    await page.getByRole("listitem").getByText("הנוסח שלי").waitFor();
  }, [409]);
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
      await window.picture("saved-failure");
      throw error;
    }
  } finally {
    await browser.close();
    await edge.stop();
  }
}
