/** A first password in a real browser over a real edge: set by an administrator, changed before anything else. */
import type { Page } from "playwright-core";
import { launchBrowser, Window } from "./browser.ts";
import { builtScreens } from "./built_screens.ts";
import { Caller } from "./caller.ts";
import { SeededEdge } from "./seeded_edge.ts";

const GIVEN = "sisma-rishona-1";
const OWN = "sisma-sheli-1";

Deno.test("a new user is led to a password of their own at 390 px, light, and on from there", async () => {
  const edge = await SeededEdge.start("small", await builtScreens("preact"));
  const browser = await launchBrowser();
  const window = await Window.open(browser, edge.url, { width: 390, theme: "light" });
  const { page } = window;
  try {
    const admin = await Caller.login(edge.url, edge.admin);
    const dana = { username: "דנה", password: GIVEN, role: "client", firstPassword: true };
    await admin.read("POST", "/api/users", { json: dana });
    await typeLogin(page, GIVEN);
    await page.getByText("נדרשת סיסמה חדשה.").waitFor();
    await page.waitForURL("**/account");
    await window.settled();
    await window.look("first-password/required");
    await page.goto("/client");
    await page.waitForURL("**/account");

    const form = page.getByRole("region", { name: "החלפת סיסמה" });
    await form.getByLabel("הסיסמה הנוכחית").fill(GIVEN);
    await form.getByLabel("סיסמה חדשה", { exact: true }).fill(OWN);
    await form.getByLabel("הסיסמה החדשה, שוב").fill(OWN);
    await page.keyboard.press("Enter");
    // Nothing else is to be done here: the client goes home.
    await page.getByRole("heading", { level: 1, name: "ברוך הבא, דנה" }).waitFor();

    edge.fill("UPDATE users SET first_password_until = 1 WHERE username = 'דנה'");
    await typeLogin(page, OWN);
    await page.getByText("תוקף הסיסמה הראשונה פג.", { exact: false }).first().waitFor();
    await window.look("first-password/over");
    await window.close([401, 403]);
  } catch (error) {
    await window.picture("first-password/failure");
    throw error;
  } finally {
    await browser.close();
    await edge.stop();
  }
});

async function typeLogin(page: Page, password: string): Promise<void> {
  await page.goto("/login");
  await page.getByLabel("שם משתמש").fill("דנה");
  await page.getByLabel("סיסמה").fill(password);
  await page.keyboard.press("Enter");
}
