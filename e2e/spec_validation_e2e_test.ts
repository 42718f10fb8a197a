/** One step for each validation rule of the specification (§5). */
import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import type { Page } from "playwright-core";
import { becomes } from "./wait.ts";
import { campaignName, csv, message, openLoad, service, writeUser } from "./spec_forms.ts";
import { Room, toast } from "./spec_room.ts";

Deno.test("§5: checks before any request to the server", async (t) => {
  await Room.with(t, "empty", async (room) => {
    const { username, password } = room.clientLogin;

    await room.step("login requires both fields", { path: "/login" }, async (page) => {
      const asked = callsTo(page, "/api/auth/login");
      const submit = page.getByRole("button", { name: "התחברות" });
      await submit.click();
      await page.getByLabel("שם משתמש").fill(username);
      await submit.click();
      await becomes(() => isRefusedByForm(page, "סיסמה"), true);
      await page.getByLabel("שם משתמש").fill("");
      await page.getByLabel("סיסמה").fill(password);
      await submit.click();
      await becomes(() => isRefusedByForm(page, "שם משתמש"), true);
      assert.deepEqual(asked, []);
    });

    await room.step(
      "a campaign needs a name and a message",
      { path: "/client", as: "client" },
      async (page) => {
        const asked = callsTo(page, "/api/campaigns", "POST");
        const create = page.getByRole("button", { name: "צור קמפיין" });
        for (const [name, text] of [["", ""], ["שם", ""], ["", "הודעה"], ["  ", "הודעה"]]) {
          await campaignName(page).fill(name!);
          await message(page).fill(text!);
          await create.click();
          await toast(page, "שדות חסרים", "נא למלא שם קמפיין והודעה");
        }
        assert.deepEqual(asked, []);
      },
    );

    await room.step(
      "contacts need a campaign first, then a file that is there",
      { path: "/client", as: "client" },
      async (page) => {
        const folder = await Deno.makeTempDir();
        const path = `${folder}/לקוחות.csv`;
        await Deno.writeTextFile(path, "0541234567\n");
        await page.locator('input[type="file"][accept*=".csv"]').setInputFiles(path);
        await page.getByLabel("או מספרים, אחד בכל שורה").fill("0541234567");
        await page.getByText("לקוחות.csv").waitFor();
        for (const name of ["העלה קובץ CSV", "הוסף מספרים ידניים"]) {
          assert.equal(await page.getByRole("button", { name }).count(), 0);
        }
        await campaignName(page).fill("קובץ שנעלם");
        await message(page).fill("שלום");
        await service(page);
        await page.getByRole("button", { name: "צור קמפיין" }).click();
        await page.getByRole("button", { name: "הוסף מספרים ידניים" }).waitFor();
        await Deno.remove(folder, { recursive: true });
        const asked = callsTo(page, "/contacts", "POST");
        await page.getByRole("button", { name: "העלה קובץ CSV" }).click();
        await toast(page, "קובץ חסר", "נא להעלות קובץ CSV");
        assert.deepEqual(asked, []);
      },
    );

    await room.step(
      "files: images alone, .csv and .xlsx alone, and at most 10 MB",
      { path: "/client", as: "client" },
      async (page) => {
        await page.locator('input[type="file"][accept="image/*"]').waitFor({ state: "attached" });
        const contacts = page.locator('input[type="file"][accept=".csv,.xlsx"]');
        await contacts.setInputFiles({ ...csv("1"), name: "לקוחות.pdf" });
        await page.getByRole("alert").getByText(
          "הקובץ לא נבחר. זה לא קובץ CSV או XLSX. באקסל: שמירה בשם, ואז XLSX או CSV UTF-8.",
        ).waitFor();
        await contacts.setInputFiles({ ...csv(""), buffer: Buffer.alloc(10 * 1024 * 1024 + 1, "0") });
        await page.getByRole("alert").getByText(/הקובץ גדול מדי .*אפשר להעלות CSV או XLSX עד 10MB/).waitFor();
        await page.locator('input[type="file"][accept="image/*"]').setInputFiles(csv("1"));
        await page.getByText("התמונה לא צורפה").first().waitFor();
      },
    );

    await room.step(
      "manual numbers: one a line, only digits count, repetitions are taken out",
      { path: "/client", as: "client" },
      async (page) => {
        await campaignName(page).fill("ידניים");
        await message(page).fill("שלום");
        await service(page);
        await page.getByRole("button", { name: "צור קמפיין" }).click();
        await page.getByText("המערכת מחלצת רק מספרים ומסירה כפילויות.").waitFor();
        const numbers = page.getByLabel("או מספרים, אחד בכל שורה");
        await numbers.fill("דנה 054-123-4567\n+972 54 123 4567\n0529876543\nבלי מספר");
        await page.getByRole("button", { name: "הוסף מספרים ידניים" }).click();
        await page.getByText("נוספו שני מספרים.", { exact: false }).first().waitFor();
        await becomes(() => numbers.inputValue(), "");
      },
    );

    await room.step(
      "a user needs a name and a password",
      { path: "/admin/users", as: "admin" },
      async (page) => {
        const asked = callsTo(page, "/api/users", "POST");
        for (const [name, word] of [["", ""], ["דוד", ""], ["", "sisma-aruka-3"]]) {
          await writeUser(page, name!, word!);
          await toast(page, "שגיאה", "נא למלא את כל השדות");
        }
        assert.deepEqual(asked, []);
      },
    );

    await room.step(
      "loading needs a whole number above zero",
      { path: "/admin/users", as: "admin" },
      async (page) => {
        const asked = callsTo(page, "/quota", "PATCH");
        const dialog = await openLoad(page, username);
        const field = dialog.getByLabel("כמות הודעות לטעינה");
        assert.equal(await field.getAttribute("min"), "1");
        assert.equal(await field.getAttribute("placeholder"), "100");
        for (const count of ["", "0", "-5", "1.5"]) {
          await field.fill(count);
          await dialog.getByRole("button", { name: "טען הודעות" }).click();
          await toast(page, "שגיאה", "נא להזין כמות הודעות תקינה");
        }
        assert.deepEqual(asked, []);
      },
    );

    await room.step(
      "settings: whole messages, seconds in tenths, bounds shown",
      { path: "/admin/settings", as: "admin" },
      async (page) => {
        const asked = callsTo(page, "/api/admin/settings", "PUT");
        const most = page.getByLabel("תקרה יומית למכשיר");
        const pace = page.getByLabel("מרווח בין הודעות");
        assert.deepEqual([await most.inputValue(), await pace.inputValue()], ["250", "1"]);
        assert.equal(await pace.getAttribute("step"), "0.1");
        await page.getByText("מומלץ: 250 הודעות.", { exact: false }).waitFor();
        await page.getByText("מומלץ: 1 עד 5 שניות.", { exact: false }).waitFor();
        const save = page.getByRole("button", { name: "שמור שינויים" });
        for (const [field, wrong] of [[most, "2.5"], [most, "0"], [pace, "0.25"], [pace, "3601"]] as const) {
          const right = await field.inputValue();
          await field.fill(wrong);
          await save.click();
          await toast(page, "ההגדרות לא נשמרו", "יש ערך לא תקין. נא לתקן ולשמור שוב.");
          await page.getByText(/^נא להזין מספר/).waitFor();
          await field.fill(right);
        }
        assert.deepEqual(asked, []);
        await pace.fill("1.5");
        await save.click();
        await toast(page, "ההגדרות נשמרו", "הן חלות על כל האתרים תוך שניות.");
      },
    );

    await room.step(
      "the file queue needs a .csv or .xlsx file of at most 10 MB",
      { path: "/admin/files", as: "admin" },
      async (page) => {
        const asked = callsTo(page, "/api/admin/files", "POST");
        await page.getByText("CSV עד 10MB").waitFor();
        const file = page.getByLabel("גרור קובץ CSV לכאן או לחץ לבחירה");
        assert.equal(await file.getAttribute("accept"), ".csv,.xlsx");
        await page.getByRole("button", { name: "העלאת קובץ" }).click();
        await toast(page, "קובץ חסר", "נא להעלות קובץ CSV");
        await file.setInputFiles({ ...csv("1"), name: "לקוחות.pdf" });
        await page.getByRole("alert").getByText(
          "הקובץ לא נבחר. זה לא קובץ CSV או XLSX. באקסל: שמירה בשם, ואז XLSX או CSV UTF-8.",
        ).waitFor();
        assert.deepEqual(asked, []);
      },
    );
  });
});

/** Records the page's calls to a path from now on. */
function callsTo(page: Page, path: string, method = "POST"): string[] {
  const calls: string[] = [];
  page.on("request", (request) => {
    if (request.method() === method && request.url().includes(path)) calls.push(request.url());
  });
  return calls;
}

async function isRefusedByForm(page: Page, label: string): Promise<boolean> {
  return await page.getByLabel(label).evaluate((field) =>
    document.activeElement === field && !(field as HTMLInputElement).checkValidity()
  );
}
