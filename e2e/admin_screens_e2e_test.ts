/** The administrators' screens in a real browser: keyboard, a stopped edge, a slow network, long lists. */
import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { FRAME_MS, launchBrowser, pressUntil, Window } from "./browser.ts";
import { builtScreens } from "./built_screens.ts";
import { focusComesTo, focused, press, staysInDialog, tabTo } from "./focus.ts";
import { Product } from "./product.ts";
import { becomes, PATIENCE_MS, until } from "./wait.ts";
import { fillLogin, Room, toast } from "./spec_room.ts";

const LONG = 10_000;

Deno.test("keyboard alone through the administrators' screens", async (t) => {
  await Room.with(t, "small", async (room) => {
    await room.step("log in, and make a user", { path: "/login" }, async (page) => {
      await tabTo(page, "שם משתמש");
      await page.keyboard.type(room.edge.admin.username);
      await tabTo(page, "סיסמה");
      await page.keyboard.type(room.edge.admin.password);
      await page.keyboard.press("Enter");
      await page.getByRole("heading", { level: 1, name: "ניהול משתמשים" }).waitFor();
      await tabTo(page, "דילוג לתוכן");
      await page.keyboard.press("Enter");
      await tabTo(page, "שם משתמש");
      await page.keyboard.type("מקלדת");
      await tabTo(page, "סיסמה");
      await page.keyboard.type("sisma-aruka-9");
      await tabTo(page, "צור משתמש");
      await page.keyboard.press("Enter");
      await toast(page, "משתמש נוצר בהצלחה", "המשתמש מקלדת נוסף למערכת");
      await press(page, "F8");
      await page.locator("[role=region]:focus, [role=region] :focus").waitFor();
    });

    await room.step(
      "load messages: the dialog holds the focus, does its work, and gives the focus back",
      { path: "/admin/users", as: "admin" },
      async (page) => {
        await page.getByRole("button", { name: "טען הודעות" }).first().waitFor();
        await tabTo(page, "טען הודעות");
        await page.keyboard.press("Enter");
        const dialog = page.getByRole("dialog", { name: /^טען הודעות ל-/ });
        await dialog.locator(":focus").waitFor();
        for (let turn = 0; turn < 10; turn++) {
          await page.keyboard.press("Tab");
          assert.ok(await staysInDialog(page), "the focus left the dialog");
        }
        await page.keyboard.press("Escape");
        await dialog.waitFor({ state: "detached" });
        await focusComesTo(page, "טען הודעות");
        await page.keyboard.press("Enter");
        await tabTo(page, "כמות הודעות לטעינה");
        await page.keyboard.press("Control+a");
        await page.keyboard.type("30");
        await page.keyboard.press("Enter");
        await page.getByText("הודעות נטענו בהצלחה").first().waitFor();
      },
    );

    await room.step("a menu moves by arrows", { path: "/admin/devices", as: "admin" }, async (page) => {
      const menu = page.getByRole("button", { name: /^פעולות: / }).first();
      await menu.waitFor();
      await tabTo(page, (await menu.getAttribute("aria-label"))!, 120);
      await page.keyboard.press("Enter");
      await page.getByRole("menu").locator(":focus").waitFor();
      const first = await focused(page);
      await page.keyboard.press("ArrowDown");
      await until(async () => await focused(page) !== first, PATIENCE_MS, "the second has the focus");
      await page.keyboard.press("ArrowUp");
      await focusComesTo(page, first);
      await page.keyboard.press("Escape");
      await page.getByRole("menu").waitFor({ state: "detached" });
      await focusComesTo(page, (await menu.getAttribute("aria-label"))!);
    });

    await room.step(
      "settings are changed and saved",
      { path: "/admin/settings", as: "admin" },
      async (page) => {
        await page.getByRole("button", { name: "שמור שינויים" }).waitFor();
        await tabTo(page, "מרווח בין הודעות");
        await page.keyboard.press("Control+a");
        await page.keyboard.type("2.5");
        await page.keyboard.press("Enter");
        await toast(page, "ההגדרות נשמרו", "הן חלות על כל האתרים תוך שניות.");
      },
    );

    await room.step(
      "the reset is asked for, and left by Escape",
      { path: "/admin", as: "admin" },
      async (page) => {
        await page.getByRole("button", { name: "איפוס תורים" }).waitFor();
        await tabTo(page, "איפוס תורים");
        await page.keyboard.press("Enter");
        const dialog = page.getByRole("dialog", { name: "איפוס כל התורים?" });
        await dialog.waitFor();
        await page.keyboard.press("Escape");
        await dialog.waitFor({ state: "detached" });
        await focusComesTo(page, "איפוס תורים");
        const outline = await page.evaluate(() => getComputedStyle(document.activeElement!).outlineStyle);
        assert.notEqual(outline, "none");
      },
    );

    await room.step(
      "numbers go onto the removal list, and off it",
      { path: "/admin", as: "admin", provoked: [403] },
      async (page) => {
        await page.getByRole("heading", { level: 1 }).waitFor();
        await press(page, "Control+k");
        const jump = page.getByRole("dialog", { name: "מעבר מהיר" });
        await jump.locator("input:focus").waitFor();
        await page.keyboard.type("רשימת");
        await jump.getByRole("option", { name: "רשימת ההסרה", selected: true }).waitFor();
        await page.keyboard.press("Enter");
        await page.getByRole("heading", { level: 1, name: "רשימת ההסרה" }).waitFor();
        await tabTo(page, "מספרים, אחד בכל שורה");
        await page.keyboard.type("0521110001");
        await tabTo(page, "הוספה לרשימה");
        await page.keyboard.press("Enter");
        await page.getByText("נוסף מספר אחד.", { exact: false }).first().waitFor();
        const box = page.getByRole("checkbox").first();
        await box.waitFor();
        await tabTo(page, (await box.getAttribute("aria-label"))!);
        await page.keyboard.press("Space");
        await page.getByRole("button", { name: "הוצאת מספר אחד" }).waitFor();
        await page.keyboard.press("Shift+Tab");
        await page.keyboard.press("Shift+Tab");
        await focusComesTo(page, "הוצאת מספר אחד");
        await page.keyboard.press("Enter");
        const dialog = page.getByRole("dialog", { name: "להוציא מרשימת ההסרה?" });
        await dialog.getByText("מספר אחד יוצא מהרשימה ויוכל לקבל הודעות", { exact: false }).waitFor();
        await tabTo(page, "הוצאה מהרשימה");
        await page.keyboard.press("Enter");
        await page.getByRole("dialog", { name: "אישור בסיסמה" }).locator("input:focus").waitFor();
        await page.keyboard.type(room.admin.proof.password);
        await page.keyboard.press("Enter");
        await toast(page, "הרשימה עודכנה", "מספר אחד הוצא מהרשימה.");
        await dialog.waitFor({ state: "detached" });
        await focusComesTo(page, "הוצאה מהרשימה");
      },
    );
  });
});

Deno.test("an edge that stops under open administrators' pages: the pages keep their data, say so, and continue with the new edge", async () => {
  const product = await Product.start({ devices: 2, webDir: await builtScreens("preact") });
  const browser = await launchBrowser();
  let window: Window | undefined;
  try {
    const login = product.logins().find(({ role }) => role === "admin")!;
    window = await Window.open(browser, product.url, { width: 1280, theme: "dark" });
    const { page } = window;
    await page.goto("/login");
    await fillLogin(page, login.username, login.password);
    await page.waitForURL("**/admin/users");
    await window.follow("/admin/devices");
    await page.getByText("SIM0001").first().waitFor();
    await window.settled();

    await product.kill("edge");
    await page.getByText(/הנתונים האחרונים התקבלו ב־\d\d:\d\d, ושום דבר שנשלח לא אבד\./).waitFor();
    await page.getByText("SIM0001").first().waitFor();
    await window.look("admin-no-answer");
    await window.follow("/admin/suppressions");
    await page.getByText("רשימת ההסרה לא נטענה").waitFor();
    const numbers = page.getByLabel("מספרים, אחד בכל שורה");
    await numbers.fill("0521112222");
    await page.getByRole("button", { name: "הוספה לרשימה" }).click();
    await page.getByRole("alert").getByText("ייתכן שהפעולה בוצעה בכל זאת. כדאי לבדוק לפני שמנסים שוב.")
      .waitFor();
    await becomes(() => numbers.inputValue(), "0521112222");

    await product.launch("edge");
    await pressUntil(
      // The reply list above has its own button; the live connection may return before the press.
      page.getByRole("button", { name: "ניסיון נוסף" }).last(),
      page.getByText("רשימת ההסרה ריקה"),
    );
    await page.getByRole("button", { name: "הוספה לרשימה" }).click();
    await page.getByText("052-•••-2222").waitFor();
    await window.follow("/admin/devices");
    await page.getByRole("img", { name: /המערכת פעילה/ }).waitFor();
    await page.getByText("SIM0002").first().waitFor();
    // The channel has given up after its five tries; the server's first answer after the outage opens it again.
    await page.getByText("מחובר בזמן אמת", { exact: true }).first().waitFor();
    await page.getByText("השרת לא ענה.", { exact: true }).waitFor({ state: "detached" });
    // The browser itself logs every request without a response.
    const network = /Failed to load resource|WebSocket connection/;
    assert.deepEqual(window.consoleErrors.filter((text) => !network.test(text)), []);
    assert.deepEqual(window.violations, []);
  } catch (error) {
    await window?.picture("failure-admin-stop");
    throw new Error(product.lines.slice(-40).join("\n"), { cause: error });
  } finally {
    await browser.close();
    await product.stop();
  }
});

Deno.test("a slow network on the administrators' screens: skeletons first, and a button that works takes no second press", async (t) => {
  await Room.with(t, "small", async (room) => {
    const screens = [
      ["/admin", "**/api/admin/dashboard", "טוען נתונים..."],
      ["/admin/devices", "**/api/devices/adb-status", "טוען מכשירים..."],
      ["/admin/files", "**/api/admin/files?**", "טוען קבצים..."],
      ["/admin/users", "**/api/users", "טוען..."],
      ["/admin/suppressions", "**/api/suppressions?**", "טוען את רשימת ההסרה..."],
      ["/admin/settings", "**/api/admin/settings", "טוען הגדרות..."],
    ] as const;
    for (const [path, question, words] of screens) {
      const go = Promise.withResolvers<void>();
      await room.step(`${path} says "${words}"`, {
        path,
        as: "admin",
        before: ({ page }) =>
          page.route(question, async (route) => {
            await go.promise;
            await route.continue();
          }),
      }, async (page, window) => {
        const waiting = page.getByRole("status", { name: words }).or(page.getByText(words)).first();
        await page.getByRole("heading", { level: 1 }).waitFor();
        await waiting.waitFor();
        await window.examine(`${path} while it loads`);
        go.resolve();
        await waiting.waitFor({ state: "detached" });
      });
    }

    await room.step("one press makes one user", { path: "/admin/users", as: "admin" }, async (page) => {
      let asked = 0;
      const go = Promise.withResolvers<void>();
      await page.getByText("משתמשים רשומים").waitFor();
      await page.route("**/api/users", async (route) => {
        if (route.request().method() === "POST") {
          asked += 1;
          await go.promise;
        }
        await route.continue();
      });
      const card = page.getByRole("region", { name: "משתמש חדש" });
      await card.getByLabel("שם משתמש").fill("אטי");
      await card.getByLabel("סיסמה").fill("sisma-aruka-8");
      await card.getByRole("button", { name: "צור משתמש" }).click();
      const busy = card.getByRole("button", { name: "יוצר..." });
      await busy.click();
      await page.keyboard.press("Enter");
      go.resolve();
      await page.getByText("משתמש נוצר בהצלחה").first().waitFor();
      assert.equal(asked, 1);
    });
  });
});

Deno.test("ten thousand rows: users, campaigns, activity, files, removed numbers, each to its last one", async (t) => {
  await Room.with(t, "empty", async (room) => {
    const { id: clientId } = await room.me();
    const at = Date.now() - 1_000_000;
    const numbers = `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${LONG})`;
    room.edge.fill(`BEGIN;
      ${numbers} INSERT INTO campaigns (client, name, message, created_at, updated_at)
        SELECT ${clientId}, 'קמפיין ' || i || '.', 'שלום', ${at} + i, ${at} + i FROM n;
      ${numbers} INSERT INTO activity (at, kind, code, data)
        SELECT ${at} + i, 'info', 'admin_logged_in', json_object('username', 'בודק ' || i || '.') FROM n;
      ${numbers} INSERT INTO imports (file_name, status, created_at, updated_at)
        SELECT 'רשימה ' || i || '.csv', 'completed', ${at} + i, ${at} + i FROM n;
      ${numbers} INSERT INTO suppressions (phone, source, at) SELECT iif(i = 1, 972530000001, 972520000000 + i), 'file', ${at} + i FROM n;
      ${numbers} INSERT INTO users (username, username_key, password_hash, role, created_at)
        SELECT 'לקוח ' || i || '.', 'לקוח ' || i || '.', '-', 'client', ${at} + i FROM n;
      COMMIT`);
    const lists = [
      ["/admin/campaigns", "קמפיין 1.", 50],
      ["/admin/activity", "בודק 1.", 100],
      ["/admin/files", "רשימה 1.csv", 50],
      ["/admin/suppressions", "053-•••-••••", 25],
      ["/admin/users", `לקוח ${LONG}.`, 5],
    ] as const;
    for (const [path, last, pagesThere] of lists) {
      await room.step(
        `${path}: few rows in the page, the last one by scrolling, no page asked again and again`,
        {
          path,
          as: "admin",
        },
        async (page, window) => {
          const region = page.locator("main [role=region][tabindex='0']").last();
          await region.locator("li, tbody tr").first().waitFor();
          const asked: string[] = [];
          page.on("request", (request) => asked.push(request.url()));
          await until(() => scrolledTo(page, region, last), 2 * PATIENCE_MS, `${last} in ${path}`, FRAME_MS);
          assert.ok(await region.locator("li, tr").count() < 120, "only what is in sight is in the page");
          const pages = asked.filter((url) => url.includes("cursor="));
          // A poll fetches only the first few pages; polling every page would be hundreds of requests.
          assert.ok(pages.length <= 2 * pagesThere, `${pages.length} questions for ${pagesThere} pages`);
          await window.examine(path);
        },
      );
    }
  });
});

async function scrolledTo(
  page: Page,
  region: ReturnType<Page["locator"]>,
  last: string,
): Promise<boolean> {
  await region.evaluate((element) => element.scrollTo(0, element.scrollHeight));
  return await page.getByText(last).first().isVisible();
}
