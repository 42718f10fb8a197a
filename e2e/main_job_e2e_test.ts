import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { launchBrowser, type View, Window } from "./browser.ts";
import { builtScreens } from "./built_screens.ts";
import { Product } from "./product.ts";
import { PATIENCE_MS } from "./wait.ts";

/** Preact is what ships; React shows that the source does not depend on one library's behaviour. */
const RUNS: { library: "preact" | "react"; view: View }[] = [
  { library: "preact", view: { width: 1280, theme: "dark" } },
  { library: "preact", view: { width: 390, theme: "light" } },
  { library: "react", view: { width: 1280, theme: "light" } },
  { library: "react", view: { width: 390, theme: "dark" } },
];
/** A 2 × 2 PNG, the smallest real picture. */
const PNG = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAIAAAACCAIAAAD91JpzAAAAEElEQVR4nGMQyWsCIgYIBQAaxgQRuvIrRQAAAABJRU5ErkJggg==",
  "base64",
);

for (const { library, view } of RUNS) {
  Deno.test(`the main job on ${library}, ${view.width} px ${view.theme}: login, write, load, send, watch it complete`, async () => {
    const webDir = await builtScreens(library);
    const product = await Product.start({ devices: 8, speed: 20, rateLimit: 0.1, webDir });
    const browser = await launchBrowser();
    let window: Window | undefined;
    try {
      const login = product.logins().find((one) => one.role === "client");
      assert.ok(login);
      window = await Window.open(browser, product.url, view);
      const { page } = window;

      await page.goto("/");
      await page.getByRole("heading", { level: 1, name: "כל הודעה יוצאת. פעם אחת בלבד." }).waitFor();
      await window.look("landing");
      await page.getByRole("link", { name: "כניסה למערכת" }).first().click();
      await page.getByRole("heading", { level: 1 }).waitFor();
      await window.look("login");
      await page.getByLabel("שם משתמש").fill(login.username);
      await page.getByLabel("סיסמה").fill(login.password);
      await page.getByRole("button", { name: /כניסה|התחבר/ }).click();
      await page.getByText("התחברת בהצלחה").first().waitFor();
      await page.getByText("עדיין לא יצרת קמפיינים").waitFor();
      await window.look("client-empty");

      await page.getByRole("button", { name: "צור קמפיין" }).click();
      await page.getByText("שדות חסרים").first().waitFor();
      await page.getByPlaceholder("למשל: קמפיין סתיו 2024").fill("מבצע סתיו");
      await page.getByRole("textbox", { name: /הודעה/ }).fill("שלום 🙂\nהסתיו כאן, ויש 20% הנחה.");
      await page.getByRole("radio", { name: "שירות" }).check();
      await page.locator('input[type="file"][accept*="image"]').setInputFiles({
        name: "סתיו.png",
        mimeType: "image/png",
        buffer: PNG,
      });
      await page.getByRole("button", { name: "צור קמפיין" }).click();

      await page.locator('input[type="file"][accept*=".csv"]').setInputFiles({
        name: "contacts.csv",
        mimeType: "text/csv",
        buffer: Buffer.from(`שם,טלפון\n${csvRows(40)}\nכפול,0541000001\nשגוי,12\n`),
      });
      await page.getByRole("button", { name: "העלה קובץ CSV" }).click();
      await page.getByText(/נוספו 40 מספרים/).first().waitFor();
      await window.look("client-contacts");

      await page.getByRole("button", { name: "שלח" }).first().click();
      await page.getByText("סיום משוער").waitFor();
      await window.look("client-review");
      await page.getByRole("button", { name: "לשלוח ל־40 נמענים" }).click();
      await page.getByRole("button", { name: "לבטל את השליחה" }).waitFor();
      await window.look("client-take-back");
      // One toast replaces another: the first phone may be faster than the test.
      await page.getByText(/הקמפיין נשלח|קמפיין החל|קמפיין הושלם/).first().waitFor();
      await page.getByRole("link", { name: /מבצע סתיו/ }).first().click();
      // A slow browser may see the campaign already completed.
      await page.getByText(/^(בעבודה|סיים)$/).first().waitFor();
      await window.look("campaign-running");
      await page.getByText("הקמפיין הושלם בהצלחה").waitFor({ timeout: 2 * PATIENCE_MS });
      await window.look("campaign-completed");

      const taps = product.taps();
      assert.equal(taps.length, 40);
      assert.equal(new Set(taps.map((tap) => tap.phone)).size, 40);
      assert.ok(taps.every((tap) => tap.text === "שלום 🙂\nהסתיו כאן, ויש 20% הנחה." && tap.image));

      await page.getByRole("link", { name: "חזרה לקמפיינים" }).click();
      await page.getByText("הושלם").first().waitFor();
      await window.look("client-completed");
      await page.goto("/nowhere");
      await page.getByText("404 Page Not Found").waitFor();
      await window.look("not-found");
      await page.goto("/client");
      await page.getByRole("button", { name: /יציאה|התנתקות/ }).click();
      await page.waitForURL("**/login");
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

function csvRows(count: number): string {
  return Array.from({ length: count }, (_, index) => `לקוח ${index + 1},054-${1_000_001 + index}`).join("\n");
}
