/** A client's lists in a real browser over a real edge: made, filled, searched, changed, exported, taken from. */
import type { Page } from "playwright-core";
import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { readFile } from "node:fs/promises";
import type { Campaign } from "shared/http_api.ts";
import { readTable } from "../edge/tables/read_table.ts";
import { makeWorkbook, textRows } from "../edge/testing/make_workbook.ts";
import { launchBrowser, type View, Window } from "./browser.ts";
import { builtScreens } from "./built_screens.ts";
import type { Login } from "./caller.ts";
import { SeededEdge } from "./seeded_edge.ts";
import { becomes } from "./wait.ts";

const WIDE: View = { width: 1280, theme: "dark" };
const PEOPLE = [
  "טלפון,שם,עיר",
  "054-371-0968,דנה כהן,חיפה",
  "0501234567,Yael Levi,תל אביב",
  "0521111111,يوسف,חיפה",
  "0522222222,משה,",
  "12,קצר,חיפה",
];

Deno.test("a list on a real edge: made, filled in four ways, searched, edited, exported, emptied, removed", async () => {
  await withEdge(async (window, edge) => {
    const { page } = window;
    await logIn(page, edge.client!);
    await page.getByRole("link", { name: "הרשימות שלי" }).click();
    await page.getByText("עוד אין לכם רשימות").waitFor();
    await lookAll(window, "lists-empty");
    await page.getByRole("button", { name: "רשימה חדשה" }).click();
    await page.getByText("נא לתת שם לרשימה.").waitFor();
    await page.getByLabel("שם הרשימה").fill("לקוחות מועדון");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "לקוחות מועדון", level: 1 }).waitFor();
    await page.getByText("עוד אין אנשי קשר ברשימה").waitFor();

    await chooseFile(page, csv(PEOPLE));
    await page.getByRole("button", { name: "טעינת הקובץ לרשימה" }).click();
    await page.getByText("4 אנשי קשר נוספו.", { exact: false }).waitFor();
    await page.getByText("קצר מדי", { exact: false }).waitFor();
    const people = page.getByRole("region", { name: "אנשי קשר" });
    await people.getByRole("button", { name: /^הכרטיס של/ }).nth(3).waitFor();

    await chooseFile(page, await workbook());
    await page.getByRole("button", { name: "בחירת גיליון ועמודות" }).click();
    const columns = page.getByRole("region", { name: "לפני ההוספה לרשימה" });
    await columns.getByLabel("בשם, עמודה: ⁨שם מלא⁩ (⁨B⁩)").fill("שם");
    await columns.getByLabel("מה יש בעמודה: ⁨הערות⁩ (⁨C⁩)").selectOption("skip");
    await lookAll(window, "list-columns");
    await columns.getByRole("button", { name: "הוספה לרשימה" }).click();
    await page.getByText("איש קשר אחד נוסף.", { exact: false }).waitFor();

    await page.getByRole("radio", { name: "אחד", exact: true }).or(
      page.getByRole("button", { name: "אחד", exact: true }),
    )
      .first().click();
    await page.getByLabel("מספר טלפון").fill("0523334444");
    await page.getByLabel("שם", { exact: true }).fill("😀 ארוך");
    await page.getByRole("button", { name: "הוספת איש הקשר" }).click();
    await people.getByRole("button", { name: /^הכרטיס של/ }).nth(5).waitFor();
    await lookAll(window, "list");

    const search = page.getByRole("searchbox", { name: "חיפוש לפי מספר או תחילת שדה" });
    for (
      const [q, count] of [["דנ", 1], ["yael", 1], ["יוס", 0], ["يو", 1], ["😀", 1], ["052", 4], [
        "חי",
        2,
      ]] as const
    ) {
      await search.fill(q);
      await becomes(() => people.getByRole("button", { name: /^הכרטיס של/ }).count(), count, q);
    }
    await search.fill("דנ");
    await becomes(() => people.getByRole("button", { name: /^הכרטיס של/ }).count(), 1);
    await people.getByRole("button", { name: /^הכרטיס של/ }).click();
    const card = page.getByRole("dialog");
    await card.getByText("לא הוצהרה הסכמה.").waitFor();
    await card.getByText("עוד לא נשלחה הודעה.").waitFor();
    await lookAll(window, "contact-card");
    await card.getByRole("button", { name: "עריכה" }).click();
    await card.getByLabel("עיר").fill("עכו");
    await card.getByRole("button", { name: "שמירה" }).click();
    await card.getByText("עכו").waitFor();
    await card.getByRole("button", { name: "סגירה", exact: true }).click();
    await search.fill("עכ");
    await becomes(() => people.getByRole("button", { name: /^הכרטיס של/ }).count(), 1, "by the new value");
    await search.fill("");

    const [asCsv, asWorkbook] = [await download(page, "ייצוא CSV"), await download(page, "ייצוא Excel")];
    assert.match(asCsv.toString(), /054-?371-?0968|972543710968/);
    const rows: string[][] = [];
    for await (const { cells } of readTable(new Uint8Array(asWorkbook))) rows.push(cells);
    assert.equal(rows.length, 1 + 6);
    assert.ok(rows.some((cells) => cells.includes("😀 ארוך")));

    await people.getByRole("checkbox").first().check();
    await people.getByRole("button", { name: /^הוצאת/ }).click();
    const question = page.getByRole("dialog", { name: "להוציא מהרשימה?" });
    assert.equal(await page.evaluate(() => document.activeElement?.textContent), "ביטול");
    await question.getByRole("button", { name: /^הוצאת/ }).click();
    await becomes(() => people.getByRole("button", { name: /^הכרטיס של/ }).count(), 5, "one fewer");

    await page.getByRole("button", { name: "שינוי שם" }).click();
    await page.getByRole("dialog").getByLabel("שם הרשימה").fill("מועדון 2026");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "מועדון 2026", level: 1 }).waitFor();
    await page.getByRole("button", { name: "מחיקת הרשימה" }).click();
    assert.equal(await page.evaluate(() => document.activeElement?.textContent), "ביטול");
    await page.getByRole("dialog").getByRole("button", { name: "מחיקת הרשימה" }).click();
    await page.getByText("עוד אין לכם רשימות").waitFor();
  });
});

Deno.test("a campaign takes people of a list, a file and by hand, with conditions, and counts them before", async () => {
  await withEdge(async (window, edge) => {
    const { page } = window;
    await logIn(page, edge.client!);
    await makeList(
      page,
      "לקוחות",
      Array.from({ length: 60 }, (_, i) => `05430000${10 + i},שם ${i},${i % 3 ? "חיפה" : "עכו"}`),
    );
    await makeList(page, "לא עכשיו", ["0543000011,שם,חיפה"]);
    await page.goto("/client");
    await write(page, "קמפיין מרשימה");
    await page.getByLabel("או מספרים, אחד בכל שורה").fill("0543000012\n0529999999");
    await page.getByRole("button", { name: "הוסף מספרים ידניים" }).click();
    await page.getByRole("group", { name: "תוצאות הטעינה" }).getByText("2", { exact: true }).first()
      .waitFor();
    await page.getByRole("button", { name: "הוספה מהרשימות שלי" }).click();
    const dialog = page.getByRole("dialog", { name: "הוספה מהרשימות שלי" });
    await dialog.getByText("נא לבחור רשימה.").waitFor();
    await dialog.getByRole("checkbox", { name: /^לקוחות/ }).check();
    const counts = dialog.getByRole("status");
    await counts.getByText("59", { exact: true }).waitFor();
    await dialog.getByRole("button", { name: "הוספת תנאי" }).click();
    await dialog.getByLabel("שדה").selectOption("עיר");
    await dialog.getByLabel("ערך").fill("חיפה");
    await counts.getByText("40 מתוך 60 ברשימות מתאימים לתנאים.").waitFor();
    await counts.getByText("39", { exact: true }).waitFor();
    await dialog.getByLabel("מי שנמצא ברשימה").selectOption({ label: "לא עכשיו" });
    await counts.getByText("38", { exact: true }).waitFor();
    await dialog.getByLabel("באקראי").check();
    await dialog.getByLabel("מספר אנשי קשר").fill("7");
    await counts.getByText(/^(6|7)$/).first().waitFor();
    await lookAll(window, "take-from-lists");
    const promised = Number(await counts.locator("b").first().textContent());
    await dialog.getByRole("button", { name: /^הוספת .* קשר/ }).click();
    await dialog.waitFor({ state: "detached" });
    await becomes(
      async () => (await listOf(page))[0]!.totalContacts,
      2 + promised,
      "as many as were counted",
    );
    await page.getByText("מהרשימות", { exact: false }).first().waitFor();
    await chooseFile(page, csv(["טלפון", "0528888888"]));
    await page.getByRole("button", { name: "העלה קובץ CSV" }).click();
    await becomes(async () => (await listOf(page))[0]!.totalContacts, 3 + promised, "and a file");
  });
});

Deno.test("what fails on the screens of lists says so, and works when it is tried again", async () => {
  await withEdge(async (window, edge) => {
    const { page } = window;
    const fail = (path: string) =>
      page.route(path, (route) => route.fulfill({ status: 500, json: { error: "תקלה", code: "internal" } }));
    await logIn(page, edge.client!);
    const id = await makeList(page, "לקוחות", ["0543000010,דנה,חיפה"]);
    await fail("**/api/lists");
    await page.goto("/client/lists");
    await page.getByText("הרשימות לא נטענו").waitFor();
    await lookAll(window, "lists-failed");
    await page.unroute("**/api/lists");
    await page.getByRole("button", { name: "ניסיון נוסף" }).click();
    await page.getByRole("link", { name: /^לקוחות/ }).click();
    await page.getByText("דנה").first().waitFor();

    await fail(`**/api/lists/${id}/search`);
    await page.reload();
    await page.getByText("אנשי הקשר לא נטענו").waitFor();
    await page.unroute(`**/api/lists/${id}/search`);
    await page.reload();
    await page.getByText("דנה").first().waitFor();

    await chooseFile(page, { name: "ישן.xls", mimeType: "application/octet-stream", buffer: compound() });
    await page.getByRole("button", { name: "טעינת הקובץ לרשימה" }).click();
    await page.getByText(/אקסל בתבנית הישנה/).waitFor();
    await page.getByRole("button", { name: "בחירת גיליון ועמודות" }).click();
    await page.getByRole("region", { name: "לפני ההוספה לרשימה" }).getByText(/אקסל בתבנית הישנה/).waitFor();
    await page.getByRole("button", { name: "ביטול" }).click();
    await page.getByRole("button", { name: "מספרים", exact: true }).or(
      page.getByRole("radio", { name: "מספרים" }),
    )
      .first().click();
    await page.getByLabel("מספרים, אחד בכל שורה").fill("12\nאין");
    await page.getByRole("button", { name: "הוספת המספרים" }).click();
    await page.getByText("לא נוסף דבר").waitFor();
    assert.equal(
      await page.getByLabel("מספרים, אחד בכל שורה").inputValue(),
      "12\nאין",
      "what was typed stays",
    );
  }, [400, 415, 500]);
});

Deno.test("an administrator reads a client's list masked, and unmasked after a reason", async () => {
  await withEdge(async (window, edge) => {
    const { page } = window;
    await logIn(page, edge.client!);
    const id = await makeList(page, "לקוחות", ["0543000010,דנה,חיפה"]);
    await page.context().clearCookies();
    await logIn(page, edge.admin, "**/admin**");
    await page.goto(`/client/lists/${id}`);
    await page.getByRole("heading", { name: "לקוחות", level: 1 }).waitFor();
    await page.getByText("•••", { exact: false }).first().waitFor();
    assert.equal(await page.getByText("דנה").count(), 0);
    assert.equal(await page.getByRole("heading", { name: "הוספת אנשי קשר" }).count(), 0);
    await lookAll(window, "list-masked");
    await page.getByRole("button", { name: "הצגת מספרים ושדות" }).click();
    await page.getByLabel("הסיבה").fill("בדיקה של תלונה");
    await page.getByRole("dialog").getByRole("button", { name: "הצגה", exact: true }).click();
    const proof = page.getByRole("dialog", { name: "אישור בסיסמה" });
    await proof.getByLabel("סיסמה").fill(edge.admin.password);
    await proof.getByRole("button", { name: "אישור" }).click();
    await page.getByText("דנה").first().waitFor();
    await page.getByRole("button", { name: "הסתרה" }).click();
    await becomes(() => page.getByText("דנה").count(), 0, "masked again");
  }, [403]);
});

/** The first bytes of an old workbook. */
function compound(): Buffer {
  const bytes = Buffer.alloc(600);
  bytes.set([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]);
  return bytes;
}

/** Looks at the screen in both widths and both themes. */
async function lookAll(window: Window, name: string): Promise<void> {
  for (const width of [390, 1280] as const) {
    await window.page.setViewportSize({ width, height: 900 });
    window.view = { ...window.view, width };
    await window.look(name);
    await window.lookInOtherTheme(name);
  }
}

function csv(lines: string[]) {
  return { name: "לקוחות.csv", mimeType: "text/csv", buffer: Buffer.from(lines.join("\n")) };
}

async function workbook() {
  const bytes = await makeWorkbook({
    sheets: {
      לקוחות: textRows(["נייד", "שם מלא", "הערות"], ["0525550000", "רות", "בלי"], [
        "054-371-0968",
        "דנה כהן",
        "",
      ]),
      ספקים: textRows(["0529999999"]),
    },
  });
  return { name: "לקוחות.xlsx", mimeType: "application/octet-stream", buffer: Buffer.from(bytes) };
}

async function chooseFile(
  page: Page,
  file: { name: string; mimeType: string; buffer: Buffer },
): Promise<void> {
  await page.locator('input[type="file"][accept*=".xlsx"]').setInputFiles(file);
}

async function download(page: Page, button: string): Promise<Buffer> {
  const began = page.waitForEvent("download");
  await page.getByRole("button", { name: button }).click();
  return await readFile(await (await began).path());
}

/** Makes a list with columns for a name and a town; returns its id. */
async function makeList(page: Page, name: string, rows: string[]): Promise<number> {
  return await page.evaluate(async ({ name, text }) => {
    const made = await fetch("/api/lists", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ name }),
    });
    const { id } = await made.json();
    const body = new FormData();
    body.set("file", new File([text], "list.csv"));
    await fetch(`/api/lists/${id}/file`, { method: "POST", body });
    return id as number;
  }, { name, text: ["טלפון,שם,עיר", ...rows].join("\n") });
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

async function logIn(page: Page, { username, password }: Login, home = "**/client"): Promise<void> {
  await page.goto("/login");
  await page.getByLabel("שם משתמש").fill(username);
  await page.getByLabel("סיסמה").fill(password);
  await page.getByRole("button", { name: "התחברות" }).click();
  await page.waitForURL(home);
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
