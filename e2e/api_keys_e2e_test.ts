/** API keys in a real browser over a real edge: made, used by a program, revoked. */
import assert from "node:assert/strict";
import { launchBrowser, type View, Window } from "./browser.ts";
import { builtScreens } from "./built_screens.ts";
import { Caller } from "./caller.ts";
import { SeededEdge } from "./seeded_edge.ts";

for (const view of [{ width: 1280, theme: "light" }, { width: 390, theme: "dark" }] satisfies View[]) {
  Deno.test(`an owner at ${view.width} px makes a key, a program uses it, and its revocation holds at once`, async () => {
    const edge = await SeededEdge.start("small", await builtScreens("preact"));
    const browser = await launchBrowser();
    const window = await Window.open(browser, edge.url, view);
    const { page } = window;
    try {
      const owner = await Caller.login(edge.url, edge.client!);
      await window.takeSession(owner.cookie);
      await page.goto("/account");
      await page.getByRole("link", { name: "למפתחות" }).click();
      await page.getByText("אין מפתחות").waitFor();
      await window.settled();
      await window.look("api-keys/none");

      await page.getByRole("button", { name: "יצירת מפתח" }).click();
      await page.getByText("נא לכתוב לאיזו תוכנה המפתח").waitFor();
      await window.look("api-keys/wrong");
      await page.getByLabel("לאיזו תוכנה").fill("מערכת הלקוחות");
      await page.getByRole("checkbox", { name: "קריאת קמפיינים" }).check();
      await page.getByRole("checkbox", { name: "דוחות" }).check();
      await page.getByLabel("הגבלה ליום (לא חובה)").fill("5000");
      await page.getByLabel("כתובות מותרות (לא חובה)").fill("127.0.0.0/8");
      await page.getByRole("button", { name: "יצירת מפתח" }).click();
      const question = page.getByRole("dialog", { name: "אישור בסיסמה" });
      await question.getByLabel("הסיסמה הנוכחית").fill(edge.client!.password);
      await page.keyboard.press("Enter");
      const shown = page.getByRole("dialog", { name: "המפתח של מערכת הלקוחות" });
      const secret = (await shown.locator("pre").textContent())!;
      assert.match(secret, /^shg_live_[0-9A-Za-z]{49}$/);
      await window.settled();
      await window.look("api-keys/made");
      await shown.getByRole("button", { name: "שמרתי את המפתח" }).click();

      const asProgram = async (path: string) => {
        const answer = await fetch(edge.url + path, { headers: { authorization: `Bearer ${secret}` } });
        await answer.body?.cancel();
        return answer.status;
      };
      assert.equal(await asProgram("/api/campaigns"), 200);
      assert.equal(await asProgram("/api/suppressions"), 403);
      await page.reload();
      const list = page.getByRole("list", { name: "רשימת המפתחות" });
      await list.getByText("עד 5,000 בקשות ביום").waitFor();
      await list.getByText("שימוש אחרון").waitFor();
      await window.settled();
      await window.look("api-keys/list");

      await list.getByRole("button", { name: "ביטול המפתח מערכת הלקוחות" }).click();
      const dialog = page.getByRole("dialog", { name: /לבטל את המפתח/ });
      await window.settled();
      await window.look("api-keys/revoke");
      await dialog.getByRole("button", { name: "ביטול המפתח" }).click();
      await page.getByText("אין מפתחות").waitFor();
      assert.equal(await asProgram("/api/campaigns"), 401);
    } finally {
      await browser.close();
      await edge.stop();
    }
  });
}
