/** Files that are shown before they are taken in, in a real browser over a real edge. */
import type { Page } from "playwright-core";
import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import type { Campaign } from "shared/http_api.ts";
import { makeWorkbook, textRows } from "../edge/testing/make_workbook.ts";
import { launchBrowser, type View, Window } from "./browser.ts";
import { builtScreens } from "./built_screens.ts";
import type { Login } from "./caller.ts";
import { SeededEdge } from "./seeded_edge.ts";
import { becomes } from "./wait.ts";

const WIDE: View = { width: 1280, theme: "dark" };
const PREVIEW = "תצוגה מקדימה ובחירת עמודות";

interface NamedFile {
  name: string;
  mimeType: string;
  buffer: Buffer;
}

async function workbook(): Promise<NamedFile> {
  const people = Array.from({ length: 30 }, (_, i) => [`לקוח ${i}`, `052-20000${10 + i}`, "חיפה", `#${i}`]);
  const bytes = await makeWorkbook({
    sheets: {
      לקוחות: textRows(
        ["הרשימה של דנה"],
        ["שם", "נייד", "עיר", "הערות"],
        ...people,
        ["כפול", "0522000010", "עכו", ""],
        ["ריק", "", "לוד", ""],
        ["שגוי", "12", "לוד", ""],
      ),
      ספקים: textRows(["0529999999"]),
    },
  });
  return { name: "לקוחות.xlsx", mimeType: "application/octet-stream", buffer: Buffer.from(bytes) };
}

Deno.test("a workbook is shown, its columns are chosen, its rows are counted, and then it is taken in", async () => {
  await withEdge(async (window, edge) => {
    const { page } = window;
    await logIn(page, edge.client!);
    await write(page, "קמפיין מאקסל");
    await choose(page, await workbook());
    await page.getByRole("button", { name: "העלה קובץ אקסל" }).waitFor();
    await page.getByRole("button", { name: PREVIEW }).click();
    const preview = page.getByRole("region", { name: "לפני הטעינה" });
    await preview.getByText("הכותרות נמצאו בשורה 2. השורות שמעליה לא נקראו.").waitFor();
    await preview.getByText("מתוך 33 שורות בקובץ").waitFor();
    await preview.getByRole("img", { name: /^30 יקבלו את ההודעה, שתי שורות בלי מספר תקין, שורה אחת חוזרת/ })
      .waitFor();
    assert.equal(await page.evaluate(() => document.activeElement?.textContent), "לפני הטעינה");
    await preview.getByText("שתי שורות בלי מספר תקין").click();
    await preview.getByText("שורה 35").waitFor();
    await preview.getByText(/^ב־31 מתוך 33 השורות הראשונות יש בה מספר תקין, וגם הכותרת שלה מתאימה\.$/)
      .waitFor();
    const leftOut = page.waitForEvent("download");
    await preview.getByRole("button", { name: "הורדת השורות שלא יקבלו" }).click();
    assert.equal((await Deno.readTextFile(await (await leftOut).path())).trim().split("\n").length, 1 + 3);

    await preview.getByLabel("מה יש בעמודה: ⁨הערות⁩ (⁨D⁩)").selectOption("skip");
    await preview.getByLabel("בשם, עמודה: ⁨שם⁩ (⁨A⁩)").fill("עיר");
    await preview.getByRole("button", { name: "טעינה לקמפיין" }).click();
    await preview.getByRole("alert").getByText("השם ״עיר״ ניתן לשתי עמודות.").waitFor();
    await preview.getByLabel("בשם, עמודה: ⁨שם⁩ (⁨A⁩)").fill("שם פרטי");
    for (const width of [1280, 390] as const) {
      await page.setViewportSize({ width, height: 900 });
      window.view = { ...window.view, width };
      await window.look("import-preview");
      await window.lookInOtherTheme("import-preview");
    }
    await page.setViewportSize({ width: 1280, height: 900 });
    await preview.getByRole("button", { name: "טעינה לקמפיין" }).click();
    const result = page.getByRole("group", { name: "תוצאות הטעינה" });
    await result.getByText("30", { exact: true }).waitFor();
    await preview.waitFor({ state: "detached" });
    const [campaign] = await listOf(page);
    assert.deepEqual([campaign!.status, campaign!.totalContacts], ["ready", 30]);
    // The same headings: what was chosen is chosen again.
    await choose(page, await workbook());
    await page.getByRole("button", { name: PREVIEW }).click();
    await preview.getByText("העמודות נבחרו כמו בקובץ הקודם עם אותן כותרות.").waitFor();
    assert.equal(await preview.getByLabel("בשם, עמודה: ⁨שם⁩ (⁨A⁩)").inputValue(), "שם פרטי");
    await preview.getByText("30 שורות שכבר נמצאות בקמפיין").waitFor();
    await preview.getByLabel("גיליון").selectOption({ label: "ספקים" });
    await preview.getByText("זו העמודה היחידה בקובץ.").waitFor();
    await preview.getByText("נמען יקבל את ההודעה").waitFor();
    await preview.getByRole("button", { name: "ביטול" }).click();
    await becomes(
      () => page.evaluate(() => document.activeElement?.textContent),
      PREVIEW,
      "the focus comes back",
    );
  });
});

Deno.test("a file that cannot be read says why under the preview, and nothing changes", async () => {
  await withEdge(async (window, edge) => {
    const { page } = window;
    await page.setViewportSize({ width: 390, height: 900 });
    await logIn(page, edge.client!);
    await write(page, "קבצים רעים");
    const whole = (await workbook()).buffer;
    const compound = Buffer.alloc(600);
    compound.set([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]);
    const cases: [name: string, buffer: Buffer, error: RegExp][] = [
      ["פגום.xlsx", whole.subarray(0, 900), /הקובץ פגום או לא שלם/],
      ["ישן.xls", compound, /אקסל בתבנית הישנה/],
      ["נעול.xlsx", Buffer.concat([compound, Buffer.from("EncryptedPackage", "utf16le")]), /נעול בסיסמה/],
    ];
    for (const [name, buffer, error] of cases) {
      await choose(page, { name, mimeType: "application/octet-stream", buffer });
      await page.getByRole("button", { name: PREVIEW }).click();
      await page.getByRole("region", { name: "לפני הטעינה" }).getByRole("alert").getByText(error).waitFor();
      await page.getByRole("button", { name: "ביטול" }).click();
      await page.getByRole("button", { name: "העלה קובץ אקסל" }).click();
      await page.getByRole("alert").getByText(error).waitFor();
    }
    const [campaign] = await listOf(page);
    assert.deepEqual([campaign!.status, campaign!.totalContacts], ["draft", 0]);
  }, [415]);
});

async function choose(page: Page, file: NamedFile): Promise<void> {
  await page.locator('input[type="file"][accept*=".xlsx"]').setInputFiles(file);
}

/** Responses with a status in `provoked` are expected. */
async function withEdge(
  use: (window: Window, edge: SeededEdge) => Promise<void>,
  provoked: readonly number[] = [],
): Promise<void> {
  const edge = await SeededEdge.start("empty", await builtScreens("preact"));
  const browser = await launchBrowser();
  let window: Window | undefined;
  try {
    window = await Window.open(browser, edge.url, WIDE);
    await use(window, edge);
    await window.close(provoked);
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

async function write(page: Page, name: string): Promise<void> {
  await page.getByPlaceholder("למשל: קמפיין סתיו 2024").fill(name);
  await page.getByRole("textbox", { name: "תוכן ההודעה" }).fill("שלום לכולם");
  await page.getByRole("radio", { name: "שירות" }).check();
  await page.getByRole("button", { name: "צור קמפיין" }).click();
  await page.getByRole("link", { name }).waitFor();
}

async function listOf(page: Page): Promise<Campaign[]> {
  return await page.evaluate(async () => await (await fetch("/api/campaigns")).json());
}
