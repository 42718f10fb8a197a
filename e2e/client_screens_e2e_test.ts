/** The client's screens in a real browser over a real edge: actions, long lists, keyboard, and a stopped edge. */
import type { Page } from "playwright-core";
import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import type { Campaign } from "shared/http_api.ts";
import { FRAME_MS, launchBrowser, type View, Window } from "./browser.ts";
import { builtScreens, type Library } from "./built_screens.ts";
import { focusComesTo, press, staysInDialog, tabTo } from "./focus.ts";
import type { Login } from "./caller.ts";
import { Product } from "./product.ts";
import { becomes, PATIENCE_MS, until } from "./wait.ts";
import { SeededEdge, type World } from "./seeded_edge.ts";

const WIDE: View = { width: 1280, theme: "dark" };
const ONE_PIXEL =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

Deno.test("the guard on a real edge: visitors to the login, clients to their campaigns", async () => {
  await withEdge("small", async (window, edge) => {
    const { page } = window;
    for (const path of ["/client", "/client/campaign/1", "/account", "/admin", "/admin/users", "/admin/x"]) {
      await page.goto(path);
      await page.waitForURL("**/login");
    }
    await logIn(page, edge.client!);
    for (const path of ["/admin", "/admin/users", "/admin/x"]) {
      await page.goto(path);
      await page.waitForURL("**/client");
    }
  });
});

Deno.test("unknown deliveries on a real edge: one by one, then together, and the history in Hebrew", async () => {
  await withEdge("storm", async ({ page }, edge) => {
    await logIn(page, edge.client!);
    const campaign = (await listOf(page)).find(({ status, counts }) =>
      status === "completed_with_errors" && counts.unknown >= 3
    );
    assert.ok(campaign);
    await page.goto(`/client/campaign/${campaign.id}`);
    await page.getByRole("button", { name: /^לא ידוע/ }).click();
    const rows = page.getByRole("region", { name: "טבלת נמענים" }).locator("tbody tr[data-index]");
    await becomes(() => rows.count(), campaign.counts.unknown, "the unknown alone");

    await rows.first().getByRole("button").first().click();
    const story = page.getByRole("dialog", { name: "היסטוריית הנמען" });
    await story.getByText(/^ניסיון 1/).waitFor();
    await page.keyboard.press("Escape");
    await story.waitFor({ state: "detached" });

    await rows.first().getByRole("button", { name: "טיפול" }).click();
    await page.getByLabel("לסמן ככישלון: ההודעה תוחזר למכסה").check();
    await page.getByRole("button", { name: "סימון ככישלון" }).click();
    await page.getByText("נמען אחד עודכן.").first().waitFor();
    // The table moves while the dialog closes, so an early press may miss.
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await becomes(() => rows.count(), campaign.counts.unknown - 1, "one fewer");
    await page.getByRole("button", { name: /^טיפול ב/ }).click();
    await page.getByLabel("לסמן כנשלח: ההודעה נראית בשיחה").check();
    await page.getByRole("button", { name: "סימון כנשלח" }).click();
    await page.getByText("המצב עודכן").first().waitFor();
    await page.getByText("אין נמענים במצב הזה.").waitFor();
    const after = (await listOf(page)).find(({ id }) => id === campaign.id)!;
    assert.equal(after.counts.unknown, 0);
    assert.equal(after.counts.failed, campaign.counts.failed + 1);
  });
});

Deno.test("ten thousand contacts: loaded with reasons, scrolled to the last, searched, exported, taken out", async () => {
  await withEdge("empty", async ({ page }, edge) => {
    await logIn(page, edge.client!);
    await write(page, "עשרת אלפים", "שלום לכולם");
    const rows = Array.from({ length: 10_000 }, (_, index) => `לקוח,052-${2_000_001 + index}`);
    const csv = `שם,טלפון\n${rows.join("\n")}\nכפול,0522000001\nשגוי,12\nריק,\n`;
    await page.locator('input[type="file"][accept*=".csv"]').setInputFiles({
      name: "לקוחות 2026.csv",
      mimeType: "text/csv",
      buffer: Buffer.from(csv),
    });
    await page.getByRole("button", { name: "העלה קובץ CSV" }).click();
    const result = page.getByRole("group", { name: "תוצאות הטעינה" });
    await result.getByText("10,000", { exact: true }).waitFor();
    await result.getByRole("row", { name: /^10,003/ }).waitFor();
    const rejected = page.waitForEvent("download");
    await result.getByRole("button", { name: /השורות שנדחו/ }).click();
    assert.equal((await textOf(await rejected)).trim().split("\n").length, 3);

    await page.getByRole("link", { name: "עשרת אלפים" }).click();
    const table = page.getByRole("region", { name: "טבלת נמענים" });
    await table.getByText("052-200-0001").waitFor();
    let asked = 0;
    const addresses: string[] = [];
    page.on("request", (request) => {
      asked += Number(request.url().includes("/deliveries?"));
      addresses.push(request.url());
    });
    await until(
      async () => {
        await table.evaluate((element) => element.scrollTo(0, element.scrollHeight));
        return await table.getByText("052-201-0000").count() > 0;
      },
      2 * PATIENCE_MS,
      "the last of ten thousand",
      FRAME_MS,
    );
    assert.ok(await table.locator("tbody tr").count() < 100);
    assert.ok(asked <= 80, `${asked} questions for 40 pages`);

    await page.getByRole("searchbox", { name: "חיפוש לפי מספר" }).fill("052-200-5000");
    await table.getByText("052-200-5000").waitFor();
    assert.deepEqual(addresses.filter((url) => /[?&]q=|05\d-?\d{3}|972\d{4}/.test(url)), []);
    const exported = page.waitForEvent("download");
    await page.getByRole("button", { name: "ייצוא CSV" }).click();
    assert.equal((await textOf(await exported)).trim().split("\n").length, 10_001);

    await page.getByRole("button", { name: "הסרת כל אנשי הקשר" }).click();
    await page.getByText("10,000 אנשי קשר יוסרו מ״עשרת אלפים״", { exact: false }).waitFor();
    await page.getByRole("button", { name: "הסרת אנשי הקשר" }).click();
    await page.getByText("אנשי הקשר הוסרו").first().waitFor();
    await page.getByText("טיוטה", { exact: true }).waitFor();
  });
});

Deno.test("files with long names and a large quota on a phone: nothing scrolls sideways", async () => {
  await withEdge("empty", async ({ page }, edge) => {
    await page.setViewportSize({ width: 390, height: 900 });
    const tooWide = () => page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    await logIn(page, edge.client!);
    await write(page, "סתיו", "שלום");
    const [campaign] = await listOf(page);
    await page.goto(`/client/campaign/${campaign!.id}`);
    const name = "contacts_export_".repeat(6);
    await page.locator('input[type="file"][accept*=".csv"]').setInputFiles({
      name: `${name}.csv`,
      mimeType: "text/csv",
      buffer: Buffer.from("טלפון\n0522000001\n"),
    });
    await page.getByText(`${name}.csv`).waitFor();
    assert.equal(await tooWide(), 0, "with the chosen list");
    await page.getByRole("button", { name: "העלה קובץ CSV" }).click();
    await page.getByRole("group", { name: "תוצאות הטעינה" }).waitFor();
    assert.equal(await tooWide(), 0, "with the loaded list");
    await page.getByRole("button", { name: "עריכה" }).click();
    await page.locator('input[type="file"][accept*="image"]').setInputFiles({
      name: `${name}.png`,
      mimeType: "image/png",
      buffer: Buffer.from(ONE_PIXEL, "base64"),
    });
    await page.getByText(`${name}.png`).waitFor();
    assert.equal(await tooWide(), 0, "with the chosen picture");
    await page.route("**/api/auth/me", async (route) => {
      const answer = await route.fetch();
      await route.fulfill({
        response: answer,
        json: { ...await answer.json(), messageQuota: 987_654_321 },
      });
    });
    await page.goto("/client");
    await page.getByText("987,654,321").waitFor();
    assert.equal(await tooWide(), 0, "with the quota");
    await page.unrouteAll({ behavior: "wait" });
  });
});

Deno.test("an older list: the campaigns of a busy client beyond the newest two hundred", async () => {
  await withEdge("busy", async ({ page }, edge) => {
    await logIn(page, edge.client!);
    const cards = page.getByRole("region", { name: "הקמפיינים שלי" }).getByRole("listitem");
    await page.getByRole("button", { name: "הצגת עוד" }).first().waitFor();
    for (let shown = 20; shown < 200; shown += 20) {
      await becomes(() => cards.count(), shown);
      await page.getByRole("button", { name: "הצגת עוד" }).first().click();
    }
    await page.getByRole("button", { name: "הצגת קמפיינים ישנים יותר" }).click();
    await until(async () => await cards.count() > 200, PATIENCE_MS, "older campaigns");
  });
});

Deno.test("with phones: a test to oneself, pause, resume, cancel, a copy for unreached people, and a deletion", async () => {
  const webDir = await builtScreens("preact");
  const product = await Product.start({ devices: 4, speed: 20, rateLimit: 0.5, webDir });
  const browser = await launchBrowser();
  let window: Window | undefined;
  try {
    window = await Window.open(browser, product.url, WIDE);
    const { page } = window;
    await logIn(page, product.logins().find(({ role }) => role === "client")!);
    await write(page, "סתיו 🍂", "שלום 🙂\nHello, ויש גם English");
    await page.getByLabel("או מספרים, אחד בכל שורה").fill(
      Array.from({ length: 300 }, (_, index) => `054${3_000_001 + index}`).join("\n"),
    );
    await page.getByRole("button", { name: "הוסף מספרים ידניים" }).click();
    await page.getByRole("group", { name: "תוצאות הטעינה" }).getByText("300", { exact: true })
      .waitFor();
    await page.getByRole("link", { name: "סתיו 🍂" }).click();

    await page.getByRole("button", { name: "הודעת ניסיון" }).click();
    await page.getByLabel("לאיזה מספר לשלוח").fill("0549999999");
    await page.keyboard.press("Enter");
    await page.getByText("ההודעה נשלחה. כדאי לפתוח אותה בטלפון ולקרוא.").waitFor();
    await page.getByRole("button", { name: "סגירה", exact: true }).click();
    await page.getByRole("dialog").waitFor({ state: "detached" });
    const [tap] = product.taps();
    assert.deepEqual([tap.phone, tap.text], ["+972549999999", "שלום 🙂\nHello, ויש גם English"]);

    await page.getByRole("button", { name: "שלח", exact: true }).click();
    await page.getByRole("button", { name: /^לשלוח ל/ }).click();
    // A send that was taken back is ready again, and goes when it is sent once more.
    await page.getByRole("button", { name: "לבטל את השליחה" }).click();
    await page.getByRole("button", { name: "שלח", exact: true }).click();
    await page.getByRole("button", { name: /^לשלוח ל/ }).click();
    await page.getByText("קצב שנמדד").waitFor();
    await page.getByRole("button", { name: "השהיה" }).click();
    await page.getByText("הושהה על ידכם", { exact: false }).first().waitFor();
    await window.look("campaign-paused");
    await page.getByRole("button", { name: "המשך" }).click();
    await page.getByRole("button", { name: "השהיה" }).waitFor();
    await page.getByRole("button", { name: "ביטול" }).click();
    const dialog = page.getByRole("dialog", { name: "ביטול הקמפיין?" });
    await dialog.getByText(/יבוטלו ויוחזרו למכסה/).waitFor();
    await dialog.getByRole("button", { name: "ביטול הקמפיין" }).click();
    await dialog.waitFor({ state: "detached" });
    await page.getByText("בוטל", { exact: true }).first().waitFor();

    await page.getByRole("button", { name: "לכתוב שוב" }).click();
    await page.getByRole("dialog").getByRole("button", { name: /^קמפיין חדש ל/ }).click();
    await page.getByText("הקמפיין שוכפל").first().waitFor();
    await page.getByText("מוכן", { exact: true }).waitFor();
    const reached = new Set(product.taps().map(({ phone }) => phone)).size - 1;
    const copy = (await listOf(page))[0];
    assert.ok(copy.totalContacts > 0 && copy.totalContacts <= 300 - reached);
    await page.getByRole("button", { name: "מחיקה" }).click();
    await page.getByRole("button", { name: "מחיקת הקמפיין" }).click();
    await page.getByText("הקמפיין נמחק").first().waitFor();
    await page.getByRole("link", { name: "סתיו 🍂" }).waitFor();
    await window.close();
  } catch (error) {
    await window?.picture("failure");
    throw new Error(product.lines.slice(-40).join("\n"), { cause: error });
  } finally {
    await browser.close();
    await product.stop();
  }
});

Deno.test("an edge that stops under an open page: typed text stays, data shows its time, and all continues", async () => {
  const product = await Product.start({ devices: 1, webDir: await builtScreens("preact") });
  const browser = await launchBrowser();
  let window: Window | undefined;
  try {
    window = await Window.open(browser, product.url, { width: 390, theme: "light" });
    const { page } = window;
    await logIn(page, product.logins().find(({ role }) => role === "client")!);
    await page.getByText("עדיין לא יצרת קמפיינים").waitFor();
    // Wait for the whole page first: without its late parts the test would check less.
    await window.settled();
    await product.kill("edge");
    await page.getByText(/הנתונים האחרונים התקבלו ב־\d\d:\d\d, ושום דבר שנשלח לא אבד\./).waitFor();
    await page.getByPlaceholder("למשל: קמפיין סתיו 2024").fill("נכתב בלי שרת");
    await page.getByRole("textbox", { name: "תוכן ההודעה" }).fill("שלום");
    await page.getByRole("radio", { name: "שירות" }).check();
    await page.getByRole("button", { name: "צור קמפיין" }).click();
    await page.getByText("ייתכן שהפעולה בוצעה בכל זאת. כדאי לבדוק לפני שמנסים שוב.").first().waitFor();
    await window.look("client-no-answer");
    await product.launch("edge");
    await page.getByText("השרת לא ענה.", { exact: true }).waitFor({ state: "detached" });
    await page.getByRole("button", { name: "צור קמפיין" }).click();
    await page.getByRole("link", { name: "נכתב בלי שרת" }).waitFor();
    await page.getByLabel("או מספרים, אחד בכל שורה").fill("0541234567");
    await page.reload();
    await becomes(() => page.getByLabel("או מספרים, אחד בכל שורה").inputValue(), "0541234567");
    // The browser itself logs every request without a response.
    const network = /Failed to load resource|WebSocket connection/;
    assert.deepEqual(window.consoleErrors.filter((text) => !network.test(text)), []);
    assert.deepEqual(window.violations, []);
  } catch (error) {
    await window?.picture("failure");
    throw new Error(product.lines.slice(-40).join("\n"), { cause: error });
  } finally {
    await browser.close();
    await product.stop();
  }
});

for (const library of ["preact", "react"] as const) {
  Deno.test(`keyboard alone on ${library}: log in, write, load, delete; dialogs hold the focus and give it back; F8 leads to the notifications`, async () => {
    await withEdge("empty", async ({ page }, edge) => {
      await page.goto("/login");
      await tabTo(page, "שם משתמש");
      await page.keyboard.type(edge.client!.username);
      await tabTo(page, "סיסמה");
      await page.keyboard.type(edge.client!.password);
      await page.keyboard.press("Enter");
      await page.getByText("התחברת בהצלחה").first().waitFor();
      await page.getByText("עדיין לא יצרת קמפיינים").waitFor();
      await press(page, "F8");
      await page.locator("[role=region]:focus, [role=region] :focus").waitFor();
      await tabTo(page, "שם הקמפיין");
      await page.keyboard.type("מקלדת");
      await tabTo(page, "שיווקי");
      await page.keyboard.press("ArrowDown");
      await becomes(() => page.getByRole("radio", { name: "שירות" }).isChecked(), true);
      await tabTo(page, "תוכן ההודעה");
      await page.keyboard.type("שלום");
      await tabTo(page, "צור קמפיין");
      await page.keyboard.press("Enter");
      await page.getByRole("link", { name: "מקלדת" }).waitFor();
      await focusComesTo(page, "אנשי קשר");
      await tabTo(page, "או מספרים, אחד בכל שורה");
      await page.keyboard.type("0541234567");
      await tabTo(page, "הוסף מספרים ידניים");
      await page.keyboard.press("Enter");
      await page.getByText("הודעה אחת תיגבה", { exact: false }).first().waitFor();
      await tabTo(page, "מקלדת");
      await page.keyboard.press("Enter");
      await page.getByRole("heading", { level: 1, name: "מקלדת" }).waitFor();
      await tabTo(page, "מחיקה");
      await page.keyboard.press("Enter");
      const dialog = page.getByRole("dialog", { name: "למחוק את הקמפיין?" });
      await dialog.locator(":focus").waitFor();
      for (let turn = 0; turn < 6; turn++) {
        await page.keyboard.press("Tab");
        assert.ok(await staysInDialog(page), "the focus left the dialog");
      }
      await page.keyboard.press("Escape");
      await dialog.waitFor({ state: "detached" });
      await focusComesTo(page, "מחיקה");
      assert.notEqual(
        await page.evaluate(() => getComputedStyle(document.activeElement!).outlineStyle),
        "none",
      );
    }, library);
  });
}

Deno.test("a slow network: skeletons first, and a button that works says so and takes no second press", async () => {
  await withEdge("small", async ({ page }, edge) => {
    let held: (() => void)[] | null = [];
    const letGo = () => {
      for (const go of held ?? []) go();
      held = null;
    };
    await logIn(page, edge.client!);
    await page.route("**/api/campaigns", async (route) => {
      if (held) await new Promise<void>((done) => held!.push(done));
      await route.continue();
    });
    await page.reload();
    await page.getByRole("status", { name: "טוען קמפיינים..." }).waitFor();
    // Only after it is visible: a channel that opens meanwhile fetches the list again.
    letGo();
    await page.getByRole("link").nth(5).waitFor();
    held = [];
    await page.getByPlaceholder("למשל: קמפיין סתיו 2024").fill("אטי");
    await page.getByRole("textbox", { name: "תוכן ההודעה" }).fill("שלום");
    await page.getByRole("radio", { name: "שירות" }).check();
    await page.getByRole("button", { name: "צור קמפיין" }).click();
    const busy = page.getByRole("button", { name: "יוצר..." });
    await busy.waitFor();
    await busy.click();
    letGo();
    await page.getByRole("link", { name: "אטי" }).waitFor();
    assert.equal((await listOf(page)).filter(({ name }) => name === "אטי").length, 1);
  });
});

Deno.test("after five tries the live channel gives up, polling goes on, and the button connects again", async () => {
  await withEdge("small", async (window, edge) => {
    const { page } = window;
    let isOpen = false;
    await page.routeWebSocket("**/ws", (socket) => {
      if (isOpen) socket.connectToServer();
      else void socket.close();
    });
    await logIn(page, edge.client!);
    await page.getByText("לא מחובר בזמן אמת").waitFor({ timeout: 2 * PATIENCE_MS });
    await window.look("client-given-up");
    await page.waitForResponse((response) => response.url().endsWith("/api/campaigns"));
    isOpen = true;
    await page.getByRole("button", { name: "חיבור מחדש" }).click();
    await page.getByText("לא מחובר בזמן אמת").waitFor({ state: "detached" });
  });
});

for (const width of [1280, 390] as const) {
  Deno.test(`no toast covers a main act, at ${width} pixels, wherever the page is scrolled`, async () => {
    await withEdge("storm", async ({ page }, edge) => {
      await page.setViewportSize({ width, height: 900 });
      await logIn(page, edge.client!);
      await page.getByRole("button", { name: "צור קמפיין" }).waitFor();
      // The toast of the login, then one of a press on the button that it used to cover.
      await coversNoMainAct(page);
      for (const at of [0, 200, 400, 600, 5000, 0]) {
        await page.getByRole("button", { name: "צור קמפיין" }).click();
        await page.locator(".toast-card").getByText("שדות חסרים").waitFor();
        await page.evaluate((top) => scrollTo(0, top), at);
        await coversNoMainAct(page);
      }
      const ready = await makeReady(page);
      await page.goto(`/client/campaign/${ready}`);
      await page.getByRole("button", { name: "שלח", exact: true }).click();
      await page.getByRole("button", { name: "לשלוח לנמען אחד" }).click();
      await page.locator(".toast-card").first().waitFor();
      await coversNoMainAct(page);
    });
  });
}

// In a browser nothing can be focused in a dialog that is not open yet; the fake DOM of the unit tests allows it.
Deno.test("the review of a send focuses what is missing, and otherwise its top", async () => {
  await withEdge("empty", async ({ page }, edge) => {
    await logIn(page, edge.client!);
    const focused = () => page.evaluate(() => document.activeElement!.textContent ?? "");
    await page.goto(`/client/campaign/${await makeReady(page)}`);
    await page.getByRole("button", { name: "שלח", exact: true }).focus();
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: "לשלוח לנמען אחד" }).waitFor();
    assert.match(await focused(), /כך הנמענים יראו את ההודעה/);
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await page.route("**/api/campaigns/*", async (route) => {
      const answer = await route.fetch();
      await route.fulfill({
        response: answer,
        json: { ...await answer.json(), kind: "marketing", notices: [{ code: "advertiser_missing" }] },
      });
    });
    await page.getByRole("link", { name: "למילוי פרטי המפרסם" }).first().waitFor();
    await page.getByRole("button", { name: "שלח", exact: true }).focus();
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: "לשלוח לנמען אחד" }).waitFor();
    assert.equal(await focused(), "למילוי פרטי המפרסם");
    await page.unrouteAll({ behavior: "wait" });
  });
});

Deno.test("two tabs of one browser share a draft and say so; a campaign is created once", async () => {
  await withEdge("empty", async ({ page, context }, edge) => {
    await logIn(page, edge.client!);
    const other = await context.newPage();
    await other.goto("/client");
    await other.getByRole("textbox", { name: "שם הקמפיין" }).waitFor();
    await page.getByRole("textbox", { name: "שם הקמפיין" }).fill("סתיו");
    await other.getByText("הטיוטה פתוחה גם בלשונית אחרת.").waitFor();
    await becomes(() => other.getByRole("textbox", { name: "שם הקמפיין" }).inputValue(), "סתיו");
    await other.getByRole("textbox", { name: "תוכן ההודעה" }).fill("שלום");
    await page.getByText("הטיוטה פתוחה גם בלשונית אחרת.").waitFor();
    await becomes(() => page.getByRole("textbox", { name: "תוכן ההודעה" }).inputValue(), "שלום");
    await page.getByRole("radio", { name: "שירות" }).check();
    await page.getByRole("button", { name: "צור קמפיין" }).click();
    await page.getByRole("button", { name: "עריכה" }).waitFor();
    // The other tab has moved on with the same campaign: it cannot make a second one.
    await other.getByRole("button", { name: "עריכה" }).waitFor();
    assert.equal(await other.getByRole("button", { name: "צור קמפיין" }).count(), 0);
    assert.equal((await listOf(page)).length, 1);
    await other.close();
  });
});

Deno.test("a day is chosen in the calendar, or typed as people write it", async () => {
  await withEdge("empty", async ({ page }, edge) => {
    await logIn(page, edge.client!);
    await page.getByRole("textbox", { name: "שם הקמפיין" }).fill("סתיו");
    await page.getByRole("radio", { name: "שיווקי" }).check();
    await page.getByRole("radio", { name: "הסכימו מראש לקבל דיוור" }).check();
    const day = page.getByRole("textbox", { name: "מתי ניתנה" });
    await day.fill("5 במרץ 25");
    await day.blur();
    assert.equal(await day.inputValue(), "5.3.2025");
    await page.getByRole("button", { name: /^בחירה בלוח שנה/ }).click();
    await page.locator('input[type="date"]').fill("2024-12-31");
    assert.equal(await day.inputValue(), "31.12.2024");
  });
});

/** Waits until the toast stands clear of every main act in sight, and asserts that it is in sight itself. */
async function coversNoMainAct(page: Page): Promise<void> {
  const look = () =>
    page.evaluate(() => {
      const toast = document.querySelector(".toast-card")?.getBoundingClientRect();
      if (!toast) return "no toast";
      if (toast.top < 0 || toast.bottom > innerHeight) return "a toast out of sight";
      const covered = [...document.querySelectorAll(".btn-primary, .btn-error")].filter((button) => {
        const { left, right, top, bottom } = button.getBoundingClientRect();
        return left < toast.right && toast.left < right && top < toast.bottom && toast.top < bottom;
      });
      return covered.map(({ textContent }) => textContent).join();
    });
  await becomes(look, "", "the toast stands where no main act is");
}

async function makeReady(page: Page): Promise<number> {
  return await page.evaluate(async () => {
    const form = new FormData();
    for (const [name, value] of [["name", "מוכן"], ["message", "שלום"], ["kind", "service"]]) {
      form.set(name!, value!);
    }
    const { id } = await (await fetch("/api/campaigns", { method: "POST", body: form })).json();
    await fetch(`/api/campaigns/${id}/contacts/manual`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ numbers: "0541234567" }),
    });
    return id as number;
  });
}

/** Runs `use` in a window on an edge over a world, and asserts afterwards that the window had no error. */
async function withEdge(
  world: World,
  use: (window: Window, edge: SeededEdge) => Promise<void>,
  library: Library = "preact",
): Promise<void> {
  const edge = await SeededEdge.start(world, await builtScreens(library));
  const browser = await launchBrowser();
  let window: Window | undefined;
  try {
    window = await Window.open(browser, edge.url, WIDE);
    await use(window, edge);
    await window.close();
  } catch (error) {
    await window?.picture("failure");
    throw error;
  } finally {
    await browser.close();
    await edge.stop();
  }
}

async function logIn(page: Page, { username, password }: Login): Promise<void> {
  await page.goto("/login");
  await page.getByLabel("שם משתמש").fill(username);
  await page.getByLabel("סיסמה").fill(password);
  await page.getByRole("button", { name: "התחברות" }).click();
  await page.waitForURL("**/client");
  await page.getByRole("heading", { name: "הקמפיינים שלי" }).waitFor();
}

async function write(page: Page, name: string, message: string): Promise<void> {
  await page.getByPlaceholder("למשל: קמפיין סתיו 2024").fill(name);
  await page.getByRole("textbox", { name: "תוכן ההודעה" }).fill(message);
  await page.getByRole("radio", { name: "שירות" }).check();
  await page.getByRole("button", { name: "צור קמפיין" }).click();
  await page.getByRole("link", { name }).waitFor();
}

async function listOf(page: Page): Promise<Campaign[]> {
  return await page.evaluate(async () => await (await fetch("/api/campaigns")).json());
}

async function textOf(download: { path(): Promise<string> }): Promise<string> {
  return await Deno.readTextFile(await download.path());
}
