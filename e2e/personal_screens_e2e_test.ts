/** A personal message through the whole product: written with the buttons, looked at, tried, sent, compared with the taps. */
import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import type { Page } from "playwright-core";
import { untilOnline } from "../bench/house.ts";
import { launchBrowser, type View, Window } from "./browser.ts";
import { builtScreens } from "./built_screens.ts";
import { Product } from "./product.ts";
import { becomes, PATIENCE_MS, until } from "./wait.ts";

const VIEW: View = { width: 1280, theme: "light" };
const DEVICES = 4;
/** As a spreadsheet has them: two without a name, one of whom has nothing at all. */
const PEOPLE: [phone: string, name: string, city: string][] = [
  ["0541000001", "נועה", "חיפה"],
  ["0541000002", "אלכסנדרה הגדולה מכולן", "תל אביב-יפו"],
  ["0541000003", "", ""],
  ["0541000004", "محمد", "الناصرة"],
  ["0541000005", "Zoë O'Brien", ""],
  ["0541000006", "", "עכו"],
  ["0541000007", "אורית 👩‍👧", "חיפה"],
  ["0541000008", "{{עיר}}", "לוד"],
];
const TESTED = "0541999999";

const textFor = (name: string, city: string) => `שלום ${name}!\nמחכים לך ב${city || "חנות שלנו"}.`;

Deno.test("a personal message: fields at the cursor, previews, a test, some left out, and each gets their own text", async () => {
  const webDir = await builtScreens("preact");
  const product = await Product.start({ devices: DEVICES, speed: 50, rateLimit: 0, webDir });
  const browser = await launchBrowser();
  let window: Window | undefined;
  try {
    await untilOnline(product, DEVICES);
    const login = product.logins().find(({ role }) => role === "client")!;
    window = await Window.open(browser, product.url, VIEW);
    const { page } = window;
    await page.goto("/login");
    await page.getByLabel("שם משתמש").fill(login.username);
    await page.getByLabel("סיסמה").fill(login.password);
    await page.getByRole("button", { name: "התחברות" }).click();
    await page.waitForURL("**/client");

    await page.getByPlaceholder("למשל: קמפיין סתיו 2024").fill("אישי");
    const message = page.getByRole("textbox", { name: "תוכן ההודעה" });
    await message.fill("שלום {{שם");
    await page.getByText("הסוגריים לא נסגרו באותה שורה", { exact: false }).waitFor();
    await lookAll(window, "personal-create");
    await message.fill("שלום !");
    await page.getByRole("radio", { name: "שירות" }).check();
    await page.getByRole("button", { name: "צור קמפיין" }).click();
    await loadPeople(page);
    await page.getByRole("link", { name: "אישי" }).click();
    await page.getByRole("heading", { name: "אישי", level: 1 }).waitFor();

    await page.getByRole("button", { name: "עריכה" }).click();
    await message.focus();
    await page.keyboard.press("Control+Home");
    for (let at = 0; at < "שלום ".length; at++) await page.keyboard.press("ArrowLeft");
    const fields = page.getByRole("group", { name: /^שדות של הנמענים/ });
    await fields.getByRole("button", { name: "שם" }).click();
    await becomes(() => message.inputValue(), "שלום {{שם}}!");
    await page.keyboard.press("End");
    await page.keyboard.type("\nמחכים לך ב{{עור|חנות שלנו}}.");
    await page.getByText("אין לנמענים שדה בשם", { exact: false }).waitFor();
    await lookAll(window, "personal-editor");
    await page.getByRole("button", { name: /^להחליף ל/ }).click();
    await becomes(() => message.inputValue(), "שלום {{שם}}!\nמחכים לך ב{{עיר|חנות שלנו}}.");
    await page.getByRole("button", { name: "שמירה" }).click();

    const words = page.getByRole("region", { name: "ההודעה", exact: true });
    const bubble = words.getByRole("region", { name: "ההודעה לנמען הזה" });
    await words.getByText("לשני נמענים חסר ערך שההודעה צריכה.").waitFor();
    await becomes(() => bubble.textContent(), textFor("נועה", "חיפה"));
    await words.getByRole("button", { name: "החסר" }).click();
    await bubble.getByText("לנמען הזה חסר", { exact: false }).waitFor();
    await lookAll(window, "personal-preview-missing");
    await words.getByRole("button", { name: "הארוך" }).click();
    await becomes(() => bubble.textContent(), textFor("אלכסנדרה הגדולה מכולן", "תל אביב-יפו"));
    await words.getByRole("searchbox").fill("zoë");
    await words.getByRole("button", { name: /Zoë/ }).click();
    await becomes(() => bubble.textContent(), textFor("Zoë O'Brien", ""));
    await lookAll(window, "personal-preview");

    await page.getByRole("button", { name: "הודעת ניסיון" }).click();
    const test = page.getByRole("dialog", { name: "הודעת ניסיון" });
    await test.getByLabel("לאיזה מספר לשלוח").fill(TESTED);
    await window.look("personal-test");
    await test.getByRole("button", { name: "שליחת ניסיון" }).click();
    await until(() => Promise.resolve(tapped(product).has(TESTED)), PATIENCE_MS, "the test has gone");
    assert.equal(
      tapped(product).get(TESTED),
      textFor("Zoë O'Brien", ""),
      "the values of the recipient in view",
    );
    await test.getByRole("button", { name: "סגירה" }).click();

    await page.getByRole("button", { name: "שלח", exact: true }).click();
    const review = page.getByRole("dialog");
    const choice = review.getByRole("checkbox", { name: "להשמיט שני נמענים שחסר להם ערך" });
    await choice.waitFor();
    await lookAll(window, "personal-review");
    await review.getByRole("button", { name: "לשלוח ל־8 נמענים" }).click();
    await review.getByRole("alert").waitFor();
    assert.equal(
      product.query<{ status: string }>(
        "SELECT status FROM campaigns WHERE name = 'אישי' AND test_of IS NULL",
      )[0]!.status,
      "ready",
    );
    await choice.check();
    await review.getByText("6 הודעות", { exact: true }).waitFor();
    await lookAll(window, "personal-review-leaving");
    await review.getByRole("button", { name: "לשלוח ל־6 נמענים ולהשמיט 2" }).click();
    await page.getByText("חסר להם ערך שההודעה צריכה").filter({ visible: true }).first().waitFor({
      timeout: 2 * PATIENCE_MS,
    });
    await page.getByText("סיים", { exact: true }).first().waitFor({ timeout: 2 * PATIENCE_MS });
    await lookAll(window, "personal-sent");

    const taps = tapped(product);
    taps.delete(TESTED);
    assert.equal(product.taps().length, taps.size + 1, "nobody got two");
    assert.deepEqual(
      [...taps].toSorted(),
      PEOPLE.filter(([, name]) => name !== "").map(([phone, name, city]) => [phone, textFor(name, city)]),
    );
    const left = product.query<{ reserved: number; sent: number }>(
      "SELECT reserved, sent_count AS sent FROM campaigns WHERE name = 'אישי' AND test_of IS NULL",
    );
    assert.equal(left[0]!.sent, 6);
    assert.equal(await product.audit(), "All rules hold.");
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

/** The texts that were tapped, by number as the file has it. */
function tapped(product: Product): Map<string, string> {
  return new Map(product.taps().map(({ phone, text }) => [phone.replace("+972", "0"), text]));
}

async function loadPeople(page: Page): Promise<void> {
  const rows = PEOPLE.map(([phone, name, city]) => `${phone},"${name}",${city}`);
  await page.locator('input[type="file"][accept*=".csv"]').setInputFiles({
    name: "לקוחות.csv",
    mimeType: "text/csv",
    buffer: Buffer.from(`טלפון,שם,עיר\n${rows.join("\n")}\n`),
  });
  await page.getByRole("button", { name: "תצוגה מקדימה ובחירת עמודות" }).click();
  await page.getByRole("button", { name: "טעינה לקמפיין" }).click();
  await page.getByRole("group", { name: "תוצאות הטעינה" }).getByText("8", { exact: true }).waitFor();
}

/** Examines the screen in both widths and both themes. */
async function lookAll(window: Window, name: string): Promise<void> {
  for (const width of [390, 1280] as const) {
    await window.page.setViewportSize({ width, height: 900 });
    window.view = { ...window.view, width };
    await window.settled();
    await window.look(name);
    await window.lookInOtherTheme(name);
  }
}
