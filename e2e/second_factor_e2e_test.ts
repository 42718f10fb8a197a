/** The second factor in a real browser: turned on, requested, a recovery code used, removed by an administrator. */
import { TOTP } from "otpauth";
import type { Page } from "playwright-core";
import assert from "node:assert/strict";
import { launchBrowser, type View, Window } from "./browser.ts";
import { builtScreens } from "./built_screens.ts";
import { Caller, type Login } from "./caller.ts";
import { becomes } from "./wait.ts";
import { prove } from "./prove.ts";
import { SeededEdge } from "./seeded_edge.ts";

const VIEWS: readonly View[] = [{ width: 1280, theme: "dark" }, { width: 390, theme: "light" }];
const STEP_MS = 30_000;

for (const view of VIEWS) {
  Deno.test(`the second factor at ${view.width} px, ${view.theme}: on, asked for, a recovery code, lost and taken away`, async () => {
    const edge = await SeededEdge.start("small", await builtScreens("preact"));
    const browser = await launchBrowser();
    const window = await Window.open(browser, edge.url, view);
    const { page } = window;
    try {
      const client = edge.client!;
      await typeLogin(page, client);
      await page.getByRole("heading", { level: 1, name: /^ברוך הבא/ }).waitFor();
      const { secret, codes } = await turnOn(window, client);
      const code = (steps: number) =>
        new TOTP({ secret }).generate({ timestamp: Date.now() + steps * STEP_MS });

      await page.goto("/client");
      await page.getByRole("button", { name: "התנתקות" }).click();
      await typeLogin(page, client);
      const field = page.getByLabel("קוד אימות");
      await becomes(() => isFocused(field), true, "the focus on the code");
      await field.fill("000000");
      await page.keyboard.press("Enter");
      await page.getByText("קוד האימות שגוי", { exact: false }).first().waitFor();
      await window.look("second-factor/login-code");
      // The code of the confirming half minute cannot be used again.
      await field.fill(code(1));
      await page.keyboard.press("Enter");
      await page.getByRole("heading", { level: 1, name: /^ברוך הבא/ }).waitFor();

      await page.getByRole("button", { name: "התנתקות" }).click();
      await typeLogin(page, client);
      await page.getByRole("button", { name: "שימוש בקוד שחזור" }).click();
      const recovery = page.getByLabel("קוד שחזור", { exact: true });
      await becomes(() => isFocused(recovery), true, "the focus on the recovery code");
      await recovery.fill(codes[0]!);
      await window.look("second-factor/login-recovery");
      await page.keyboard.press("Enter");
      await page.getByRole("heading", { level: 1, name: /^ברוך הבא/ }).waitFor();
      await page.goto("/account");
      const card = page.getByRole("region", { name: "אימות דו־שלבי" });
      await card.getByText("נותרו 9 קודי שחזור.").waitFor();
      await card.getByRole("button", { name: "כיבוי" }).click();
      await page.getByLabel("קוד אימות").fill("123456");
      await page.getByRole("dialog").getByLabel("הסיסמה הנוכחית").fill(client.password);
      await page.keyboard.press("Enter");
      await page.getByRole("dialog").getByRole("alert").waitFor();
      await window.look("second-factor/turn-off");

      await page.getByRole("button", { name: "ביטול" }).click();
      await takeAway(edge, window, client);
      await becomes(
        async () => (await Caller.login(edge.url, client)).cookie !== "",
        true,
        "a login by the password alone",
      );
      await window.close([401]);
    } catch (error) {
      await window.picture("second-factor/failure");
      throw error;
    } finally {
      await browser.close();
      await edge.stop();
    }
  });
}

Deno.test("an administrator without the required second factor is led to set it up at 390 px, dark", async () => {
  const edge = await SeededEdge.start("small", await builtScreens("preact"));
  const browser = await launchBrowser();
  const window = await Window.open(browser, edge.url, { width: 390, theme: "dark" });
  const { page } = window;
  try {
    edge.fill("INSERT INTO settings (key, value, updated_at) VALUES ('adminsNeedSecondFactor', 'true', 0)");
    await typeLogin(page, edge.admin);
    await page.getByText("נדרש אימות דו־שלבי.").waitFor();
    await window.settled();
    await window.look("second-factor/required");
    await turnOn(window, edge.admin);
    await page.getByRole("link", { name: "חזרה לדשבורד הניהול" }).click();
    await page.getByRole("heading", { level: 1, name: "דשבורד ניהול" }).waitFor();
    await window.close();
  } catch (error) {
    await window.picture("second-factor/failure");
    throw error;
  } finally {
    await browser.close();
    await edge.stop();
  }
});

async function typeLogin(page: Page, { username, password }: Login): Promise<void> {
  await page.goto("/login");
  await page.getByLabel("שם משתמש").fill(username);
  await page.getByLabel("סיסמה").fill(password);
  await page.keyboard.press("Enter");
}

function isFocused(field: ReturnType<Page["getByLabel"]>): Promise<boolean> {
  return field.evaluate((element) => element === document.activeElement);
}

/** Runs the three steps on the account screen; returns the secrets that are shown only there. */
async function turnOn(window: Window, { password }: Login): Promise<{ secret: string; codes: string[] }> {
  const { page } = window;
  await page.goto("/account");
  const card = page.getByRole("region", { name: "אימות דו־שלבי" });
  await card.getByText("כבוי").waitFor();
  await window.settled();
  await window.look("second-factor/account-off");
  await card.getByRole("button", { name: "הפעלה" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("הסיסמה הנוכחית").fill(password);
  await window.look("second-factor/password");
  await page.keyboard.press("Enter");
  await dialog.getByRole("img", { name: /^תמונת QR/ }).waitFor();
  const secret = (await dialog.getByLabel("או מקלידים באפליקציה את המפתח").last().textContent())!;
  const uri = new URL((await dialog.getByRole("link").getAttribute("href"))!);
  assert.equal(uri.searchParams.get("secret"), secret.replaceAll(" ", ""));
  await window.look("second-factor/first-code");
  const code = dialog.getByLabel("הקוד שמופיע באפליקציה");
  await code.fill(new TOTP({ secret: uri.searchParams.get("secret")! }).generate());
  await page.keyboard.press("Enter");
  const shown = page.getByRole("dialog", { name: "קודי השחזור שלך" });
  const codes = (await shown.locator("pre").textContent())!.split("\n");
  assert.equal(codes.length, 10);
  await window.look("second-factor/recovery-codes");
  const download = page.waitForEvent("download");
  await shown.getByRole("button", { name: "הורדה כקובץ" }).click();
  const file = await Deno.readTextFile((await (await download).path())!);
  assert.deepEqual(file.trim().split("\r\n").slice(-10), codes);
  await shown.getByRole("button", { name: "הקודים נשמרו" }).click();
  await card.getByText("נותרו 10 קודי שחזור.").waitFor();
  await window.settled();
  await window.look("second-factor/account-on");
  return { secret: uri.searchParams.get("secret")!, codes };
}

/** An administrator removes it, and the client's own window goes to the login. */
async function takeAway(edge: SeededEdge, { page, view }: Window, client: Login): Promise<void> {
  const browser = page.context().browser()!;
  const admin = await Window.open(browser, edge.url, view);
  await admin.takeSession((await Caller.login(edge.url, edge.admin)).cookie);
  await admin.page.goto("/admin/users");
  const actions = admin.page.getByRole("button", { name: `פעולות: ${client.username}` });
  await actions.waitFor();
  await admin.settled();
  await admin.look("second-factor/users");
  await actions.click();
  await admin.page.getByRole("menuitem", { name: "הסרת אימות דו־שלבי" }).click();
  await admin.look("second-factor/users-remove");
  await admin.page.getByRole("button", { name: "הסרת האימות" }).click();
  await admin.page.getByRole("dialog", { name: "אישור בסיסמה" }).waitFor();
  await admin.look("second-factor/users-remove-proof");
  await prove(admin.page, edge.admin);
  await admin.page.getByText("האימות הדו־שלבי הוסר").first().waitFor();
  await page.waitForURL("**/login");
  await admin.close([403]);
}
