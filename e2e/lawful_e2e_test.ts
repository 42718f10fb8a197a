/** An advertisement, from its sender to the phone that sends it. */
import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import type { Page } from "playwright-core";
import type { Campaign } from "shared/http_api.ts";
import { composeMarketing } from "shared/marketing.ts";
import { launchBrowser, type View, Window } from "./browser.ts";
import { builtScreens } from "./built_screens.ts";
import type { Login } from "./caller.ts";
import { Product } from "./product.ts";
import { becomes, PATIENCE_MS, until } from "./wait.ts";

const VIEWS: View[] = [{ width: 1280, theme: "light" }, { width: 390, theme: "dark" }];
const HADAR = { name: "משק הדר", address: "מושב נהלל", phone: "04-601-0042", email: "", removalLink: false };
const WORDS = "סל ירקות משפחתי ב־89 ₪ 🥬\nעד יום חמישי";
const TEXT = composeMarketing(WORDS, HADAR);
/** A month before the run, in the form that people type. */
const AGREED_ON = new Date(Date.now() - 30 * 24 * 60 * 60_000).toISOString().slice(0, 10);

for (const view of VIEWS) {
  Deno.test(`an advertisement at ${view.width} px: advertiser, added words, consents, and the text that phones send`, async () => {
    const product = await Product.start({
      devices: 4,
      speed: 20,
      rateLimit: 0.1,
      webDir: await builtScreens("preact"),
    });
    const browser = await launchBrowser();
    let window: Window | undefined;
    try {
      window = await Window.open(browser, product.url, view);
      const { page } = window;
      await logIn(page, product.logins().find(({ role }) => role === "client")!);
      await writeAdvertisement(window);
      await fillInAdvertiser(window);
      await loadContacts(window);
      await send(window);

      await until(() => Promise.resolve(product.taps().length === 3), PATIENCE_MS, "three taps");
      const sent = product.taps();
      assert.deepEqual(new Set(sent.map(({ text }) => text)), new Set([TEXT]));
      assert.deepEqual(
        sent.map(({ phone }) => phone).sort(),
        ["+972541000001", "+972541000002", "+972541000003"],
      );
      await page.getByText("הקמפיין הושלם בהצלחה").waitFor();
      await window.look("lawful-completed");
      await seeTheEvidence(page);
      await window.close();
    } catch (error) {
      await window?.picture("failure");
      const lastLines = [...(window?.consoleErrors ?? []), ...product.lines.slice(-40)].join("\n");
      throw new Error(`The browser's errors and the parts' last lines:\n${lastLines}`, { cause: error });
    } finally {
      await browser.close();
      await product.stop();
    }
  });
}

async function logIn(page: Page, { username, password }: Login): Promise<void> {
  await page.goto("/login");
  await page.getByLabel("שם משתמש").fill(username);
  await page.getByLabel("סיסמה").fill(password);
  await page.getByRole("button", { name: "התחברות" }).click();
  await page.getByText("עדיין לא יצרת קמפיינים").waitFor();
}

/** No kind is preselected, and the preview shows the added text during typing. */
async function writeAdvertisement(window: Window): Promise<void> {
  const { page } = window;
  await page.getByPlaceholder("למשל: קמפיין סתיו 2024").fill("סלי סוכות");
  await page.getByRole("textbox", { name: "תוכן ההודעה" }).fill(WORDS);
  for (const radio of await page.getByRole("radio").all()) assert.equal(await radio.isChecked(), false);
  await page.getByRole("button", { name: "צור קמפיין" }).click();
  await page.getByText("נא לבחור סוג: שיווקי או שירות").first().waitFor();
  await window.look("lawful-kind-missing");
  await page.getByRole("radio", { name: "שיווקי" }).check();
  await page.getByText("עוד לא צוין מי המפרסם.").waitFor();
  await window.look("lawful-preview-nobody");
}

async function fillInAdvertiser(window: Window): Promise<void> {
  const { page } = window;
  await page.getByRole("link", { name: "למילוי פרטי המפרסם" }).click();
  const form = page.getByRole("region", { name: "פרטי המפרסם" });
  await form.getByRole("button", { name: "שמירת הפרטים" }).click();
  await form.getByText("נא לכתוב את שם המפרסם").waitFor();
  await form.getByLabel("שם העסק או הארגון").fill(HADAR.name);
  await form.getByLabel("טלפון").fill(HADAR.phone);
  await form.getByLabel("כתובת", { exact: true }).fill(HADAR.address);
  await window.look("lawful-advertiser");
  await form.getByRole("button", { name: "שמירת הפרטים" }).click();
  await page.getByText("פרטי המפרסם נשמרו").first().waitFor();
  await page.getByRole("link", { name: "חזרה לקמפיינים" }).click();
  // The earlier text is still there, and looks as phones will send it.
  const bubble = page.locator(".bubble").first();
  await page.getByText(`${HADAR.name}, ${HADAR.address}, ${HADAR.phone}`, { exact: false }).waitFor();
  await becomes(() => bubble.textContent(), TEXT);
  await window.look("lawful-preview");
  await page.getByRole("button", { name: "צור קמפיין" }).click();
  await page.getByRole("link", { name: "סלי סוכות" }).waitFor();
}

async function loadContacts(window: Window): Promise<void> {
  const { page } = window;
  const numbers = page.getByLabel("או מספרים, אחד בכל שורה");
  const add = page.getByRole("button", { name: "הוסף מספרים ידניים" });
  await numbers.fill("0541000001\n0541000009");
  await add.click();
  await page.getByText("נא לבחור על מה מסתמכים כשפונים למספרים האלה").first().waitFor();
  await page.getByRole("radio", { name: "הוצהר עליהם כבר בהעלאה קודמת" }).check();
  await add.click();
  await page.getByText("שניים בלי בסיס להסכמה", { exact: false }).first().waitFor();
  await window.look("lawful-left-out");

  await numbers.fill("0541000001\n0541000002");
  await page.getByRole("radio", { name: "הסכימו מראש לקבל דיוור" }).check();
  await page.getByLabel("איפה ניתנה ההסכמה").fill("טופס ההצטרפות באתר");
  await page.getByRole("textbox", { name: "מתי ניתנה" }).fill(AGREED_ON.split("-").reverse().join("/"));
  await window.look("lawful-consent");
  await add.click();
  await page.getByText("נוספו שני מספרים.", { exact: false }).first().waitFor();
  await page.getByRole("radio", { name: /לקוחות שלנו/ }).check();
  await page.locator('input[type="file"][accept*=".csv"]').setInputFiles({
    name: "לקוחות.csv",
    mimeType: "text/csv",
    buffer: Buffer.from("טלפון\n0541000003\n"),
  });
  await page.getByRole("button", { name: "העלה קובץ CSV" }).click();
  await page.getByText("נוסף מספר אחד.", { exact: false }).first().waitFor();
}

/** The number without consent is reported, and not paid for. */
async function send(window: Window): Promise<void> {
  const { page } = window;
  await page.getByText("מספר אחד לא נכלל בקמפיין.").first().waitFor();
  await page.getByText("3 הודעות ייגבו מהמכסה.", { exact: false }).first().waitFor();
  await window.look("lawful-ready");
  await page.getByRole("button", { name: "שלח" }).first().click();
  await window.look("lawful-review");
  await page.getByRole("button", { name: "לשלוח ל־3 נמענים" }).click();
  // One toast replaces another: all three messages may be sent before the first is seen.
  await page.getByText(/הקמפיין נשלח|קמפיין החל|קמפיין הושלם/).first().waitFor();
  await page.getByRole("link", { name: "סלי סוכות" }).first().click();
  await page.getByText("שיווקי ·", { exact: false }).waitFor();
  await becomes(() => page.locator(".bubble").textContent(), TEXT);
}

async function seeTheEvidence(page: Page): Promise<void> {
  const csv = await page.evaluate(async () => await (await fetch("/api/consents.csv")).text());
  const lines = csv.trim().split("\r\n").slice(1);
  assert.deepEqual(
    lines.map((line) => line.split(",").slice(1, 5).join()),
    [
      `"054-100-0001","הסכמה מראש","טופס ההצטרפות באתר","${AGREED_ON}"`,
      `"054-100-0002","הסכמה מראש","טופס ההצטרפות באתר","${AGREED_ON}"`,
      '"054-100-0003","לקוחות קיימים","",""',
    ],
  );
  const [campaign] = await page.evaluate(async (): Promise<Campaign[]> =>
    await (await fetch("/api/campaigns")).json()
  );
  assert.deepEqual([campaign!.kind, campaign!.composed, campaign!.message], ["marketing", TEXT, WORDS]);
}
