/** One step for each row of the specification's error catalogue (§8) and for each validation rule (§5). */
import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import type { Page } from "playwright-core";
import { pressUntil } from "./browser.ts";
import { becomes, makeReadyCampaign } from "./product.ts";
import { prove } from "./prove.ts";
import { fillLogin, refuseBare, Room, toast } from "./spec_room.ts";

const campaignName = (page: Page) => page.getByPlaceholder("למשל: קמפיין סתיו 2024");
const SHORT = "חסרות שתי הודעות במכסה: דרושות 3, זמינות 1. נא לפנות למנהל המערכת לטעינת הודעות.";
const service = (page: Page) => page.getByRole("radio", { name: "שירות" }).check();
const message = (page: Page) => page.getByRole("textbox", { name: "תוכן ההודעה" });

Deno.test("§8, the client's half: what is shown when something fails or succeeds", async (t) => {
  await Room.with(t, "empty", async (room) => {
    const { clientLogin: { username, password } } = room;

    await room.step("login fails", { path: "/login", provoked: [401] }, async (page) => {
      await fillLogin(page, username, "not-the-password");
      await toast(page, "שגיאה בהתחברות", "שם משתמש או סיסמה שגויים");
      await page.waitForURL("**/login");
    });

    await room.step("login succeeds", { path: "/login" }, async (page) => {
      await fillLogin(page, username, password);
      await toast(page, "התחברת בהצלחה", `ברוך הבא, ${username}`);
      await page.waitForURL("**/client");
    });

    await room.step("login: the button says that it works", { path: "/login" }, async (page) => {
      const asked = Promise.withResolvers<void>();
      await page.route("**/api/auth/login", async (route) => {
        await asked.promise;
        await route.continue();
      });
      await fillLogin(page, username, password);
      await page.getByRole("button", { name: "מתחבר..." }).waitFor();
      asked.resolve();
      await page.waitForURL("**/client");
    });

    await room.step(
      "logout fails: in the console and nowhere else",
      { path: "/login", provoked: [500] },
      async (page) => {
        await fillLogin(page, username, password);
        await page.waitForURL("**/client");
        await refuseBare(page, "**/api/auth/logout");
        const logged = page.waitForEvent("console", (line) => line.text().startsWith("Logout failed"));
        // On a busy machine a press during rendering may be lost.
        await pressUntil(
          page.getByRole("button", { name: "התנתקות" }),
          page.getByRole("heading", { level: 1, name: "כניסה למערכת" }),
        );
        await logged;
        assert.equal(await page.getByText("שגיאה").count(), 0);
      },
    );

    await room.step("create fails", { path: "/client", as: "client", provoked: [500] }, async (page) => {
      await refuseBare(page, "**/api/campaigns");
      await campaignName(page).fill("לא ייווצר");
      await message(page).fill("שלום");
      await service(page);
      await page.getByRole("button", { name: "צור קמפיין" }).click();
      await toast(page, "הקמפיין לא נוצר", "השרת לא אישר את הקמפיין (Failed to create campaign)");
      assert.equal(await campaignName(page).inputValue(), "לא ייווצר");
    });

    await room.step("upload fails", { path: "/client", as: "client", provoked: [500] }, async (page) => {
      await campaignName(page).fill("בלי מספרים");
      await message(page).fill("שלום");
      await service(page);
      await page.getByRole("button", { name: "צור קמפיין" }).click();
      await page.getByRole("link", { name: "בלי מספרים" }).waitFor();
      await refuseBare(page, "**/api/campaigns/*/contacts");
      await refuseBare(page, "**/api/campaigns/*/contacts/manual");
      await page.locator('input[type="file"][accept*=".csv"]').setInputFiles(csv("0541234567"));
      await page.getByRole("button", { name: "העלה קובץ CSV" }).click();
      await toast(page, "המספרים לא נוספו", "השרת לא קלט את המספרים (Upload failed)");
      await page.getByLabel("או מספרים, אחד בכל שורה").fill("0541234567");
      await page.getByRole("button", { name: "הוסף מספרים ידניים" }).click();
      await toast(page, "המספרים לא נוספו", "השרת לא קלט את המספרים (Upload failed)");
      assert.equal(await page.getByLabel("או מספרים, אחד בכל שורה").inputValue(), "0541234567");
    });

    const { id: clientId, messageQuota: before } = await room.me();
    const setQuota = (messageQuota: number) =>
      room.admin.read("PATCH", `/api/users/${clientId}/quota`, { json: { messageQuota } });
    const id = await makeReadyCampaign(room.client, "מוכן לשליחה", 3);
    const sendPath = `**/api/campaigns/${id}/send`;

    await room.step(
      "send fails in the list: the server's sentence, else the fallback",
      { path: "/client", as: "client", provoked: [402, 500] },
      async (page) => {
        await setQuota(1);
        await page.reload();
        const card = page.getByRole("listitem").filter({ hasText: "מוכן לשליחה" });
        await card.getByRole("button", { name: "שלח" }).click();
        await toast(page, "שגיאה בשליחת קמפיין", SHORT);
        await refuseBare(page, sendPath);
        await card.getByRole("button", { name: "שלח" }).click();
        await toast(page, "שגיאה בשליחת קמפיין", "הקמפיין לא נשלח (Failed to send campaign)");
      },
    );

    await room.step(
      "send fails on the campaign's own screen: the server's sentence, else the fallback",
      { path: `/client/campaign/${id}`, as: "client", provoked: [402, 500] },
      async (page) => {
        const send = page.getByRole("button", { name: "שלח", exact: true });
        await send.click();
        await toast(page, "שגיאה", SHORT);
        await refuseBare(page, sendPath);
        await send.click();
        await toast(page, "שגיאה", "אירעה שגיאה בשליחת הקמפיין");
      },
    );

    await room.step(
      "send succeeds: the toast, the status, and the quota asked again",
      { path: `/client/campaign/${id}`, as: "client" },
      async (page, window) => {
        await setQuota(before);
        await page.reload();
        const send = page.getByRole("button", { name: "שלח", exact: true });
        await send.waitFor();
        await window.settled();
        const again = page.waitForResponse((response) => response.url().endsWith("/api/auth/me"));
        await send.click();
        await toast(page, "הקמפיין נשלח", "ההודעות נשלחות כעת למערכת");
        await again;
        await page.getByText("בעבודה").first().waitFor();
        await send.waitFor({ state: "detached" });
        assert.equal((await room.me()).messageQuota, before - 3);
      },
    );

    await room.step(
      "a campaign that is missing",
      { path: "/client/campaign/987654", as: "client", provoked: [404] },
      async (page) => {
        await page.getByRole("heading", { name: "קמפיין לא נמצא" }).waitFor();
        await page.getByRole("link", { name: "חזרה לקמפיינים" }).click();
        await page.waitForURL("**/client");
      },
    );

    await room.step("an unknown path", { path: "/no/such/page" }, async (page) => {
      await page.getByRole("heading", { level: 1, name: "404 Page Not Found" }).waitFor();
      await page.getByText("ייתכן ששכחו להוסיף את הדף לנתב.").waitFor();
    });
  });
});

Deno.test("§8, the administrators' half: what is shown when something fails or succeeds", async (t) => {
  await Room.with(t, "empty", async (room) => {
    const { username } = room.clientLogin;

    await room.step(
      "create user fails: the server's sentence, else the fallback",
      { path: "/admin/users", as: "admin", provoked: [409, 500] },
      async (page) => {
        await writeUser(page, username, "sisma-aruka-1");
        await toast(page, "שגיאה ביצירת משתמש", "שם המשתמש כבר תפוס.");
        await refuseBare(page, "**/api/users");
        await page.getByRole("button", { name: "צור משתמש" }).click();
        await toast(page, "שגיאה ביצירת משתמש", "המשתמש לא נוצר (Failed to create user)");
      },
    );

    await room.step(
      "create user succeeds: the toast, and the form is empty again",
      { path: "/admin/users", as: "admin", provoked: [403] },
      async (page) => {
        await page.getByLabel("תפקיד").selectOption("מנהל");
        await writeUser(page, "שרה", "sisma-aruka-2");
        await prove(page, room.admin.proof);
        await toast(page, "משתמש נוצר בהצלחה", "המשתמש שרה נוסף למערכת");
        const { name, password } = userFields(page);
        await becomes(() => name.inputValue(), "");
        await becomes(() => password.inputValue(), "");
        await becomes(() => page.getByLabel("תפקיד").inputValue(), "client");
        await page.getByText("3 משתמשים רשומים").waitFor();
      },
    );

    await room.step(
      "quota load fails: the server's sentence, else the fallback",
      { path: "/admin/users", as: "admin", provoked: [400, 500] },
      async (page) => {
        const dialog = await openLoad(page, username);
        await dialog.getByLabel("כמות הודעות לטעינה").fill("9007199254740991");
        await dialog.getByRole("button", { name: /^טען / }).click();
        await page.getByText("שגיאה בטעינת הודעות").first().waitFor();
        await refuseBare(page, "**/api/users/*/quota");
        await dialog.getByLabel("כמות הודעות לטעינה").fill("5");
        await dialog.getByRole("button", { name: /^טען / }).click();
        await toast(page, "שגיאה בטעינת הודעות", "ההודעות לא נטענו (Failed to load messages)");
      },
    );

    await room.step(
      "quota load succeeds: the toast with the new balance, and the count is 10 again",
      { path: "/admin/users", as: "admin" },
      async (page) => {
        const { messageQuota } = await room.me();
        const dialog = await openLoad(page, username);
        await dialog.getByText("הלקוח יוכל לשלוח עד 10 הודעות").waitFor();
        await dialog.getByLabel("כמות הודעות לטעינה").fill("25");
        await dialog.getByText("הלקוח יוכל לשלוח עד 25 הודעות").waitFor();
        await dialog.getByRole("button", { name: "טען 25 הודעות" }).click();
        await dialog.waitFor({ state: "detached" });
        const total = (messageQuota + 25).toLocaleString("en-US");
        await toast(page, "הודעות נטענו בהצלחה", `סה"כ כעת: ${total} הודעות זמינות`);
        const again = await openLoad(page, username);
        assert.equal(await again.getByLabel("כמות הודעות לטעינה").inputValue(), "10");
        assert.equal((await room.me()).messageQuota, messageQuota + 25);
      },
    );

    await room.step(
      "queue clear fails: the server's sentence, else the fallback",
      { path: "/admin", as: "admin", provoked: [500, 503] },
      async (page) => {
        const path = "**/api/admin/queues/clear";
        await page.route(
          path,
          (route) =>
            route.fulfill({ status: 503, json: { error: "מסד הנתונים עסוק.", code: "unavailable" } }),
        );
        await reset(page);
        await toast(page, "שגיאה", "מסד הנתונים עסוק.");
        await page.unroute(path);
        await refuseBare(page, path);
        await reset(page);
        await toast(page, "שגיאה", "לא ניתן לנקות את התורים");
      },
    );

    await room.step(
      "an unknown path below /admin",
      { path: "/admin/no/such/page", as: "admin" },
      async (page) => {
        await page.getByRole("heading", { level: 1, name: "404 Page Not Found" }).waitFor();
        await page.getByText("ייתכן ששכחו להוסיף את הדף לנתב.").waitFor();
        await page.getByRole("complementary", { name: "תפריט ניהול" }).waitFor();
      },
    );
  });
});

Deno.test("the reset dialog tells its effect in numbers first, does it, and says what it did", async (t) => {
  await Room.with(t, "empty", async (room) => {
    const before = (await room.me()).messageQuota;
    for (const [name, count] of [["אחד", 4], ["שניים", 7]] as const) {
      const id = await makeReadyCampaign(room.client, name, count);
      await room.client.read("POST", `/api/campaigns/${id}/send`);
    }
    assert.equal((await room.me()).messageQuota, before - 11);

    await room.step("cancelled, it changes nothing", { path: "/admin", as: "admin" }, async (page) => {
      const dialog = await openReset(page);
      await dialog.getByText("הפעולה תמחק מהתור 11 הודעות שטרם נשלחו ותבטל שני קמפיינים פעילים.").waitFor();
      await dialog.getByText("להשתמש רק כשהמערכת תקועה.", { exact: false }).waitFor();
      await dialog.getByRole("button", { name: "ביטול" }).click();
      await dialog.waitFor({ state: "detached" });
      assert.equal((await room.me()).messageQuota, before - 11);
    });

    await room.step("confirmed, it does what it said", { path: "/admin", as: "admin" }, async (page) => {
      const go = Promise.withResolvers<void>();
      const answer = Promise.withResolvers<{ message: string }>();
      await page.route("**/api/admin/queues/clear", async (route) => {
        await go.promise;
        const response = await route.fetch();
        answer.resolve(await response.json());
        await route.fulfill({ response });
      });
      const dialog = await openReset(page);
      await dialog.getByRole("button", { name: "אישור איפוס" }).click();
      await dialog.getByRole("button", { name: "מנקה..." }).waitFor();
      go.resolve();
      const { message } = await answer.promise;
      assert.notEqual(message, "");
      await toast(page, "התורים נוקו בהצלחה", message);
      assert.equal((await room.me()).messageQuota, before);
      const dialogAfter = await openReset(page);
      await dialogAfter.getByText("אין כרגע הודעות בתור ואין קמפיינים פעילים.", { exact: false }).waitFor();
    });

    await room.step(
      "without a sentence of the server it counts the cleared tasks",
      { path: "/admin", as: "admin" },
      async (page) => {
        await page.route(
          "**/api/admin/queues/clear",
          (route) =>
            route.fulfill({ json: { message: "", messageQueueCleared: 11, campaignQueueCleared: 2 } }),
        );
        await reset(page);
        await toast(page, "התורים נוקו בהצלחה", "13 משימות נוקו");
      },
    );
  });
});

Deno.test("§5: what is checked before anything is asked of the server", async (t) => {
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
      "files: images alone, .csv alone, and at most 10 MB",
      { path: "/client", as: "client" },
      async (page) => {
        await page.locator('input[type="file"][accept="image/*"]').waitFor({ state: "attached" });
        const contacts = page.locator('input[type="file"][accept=".csv"]');
        await contacts.setInputFiles({ ...csv("1"), name: "לקוחות.xlsx" });
        await toast(page, "הקובץ לא נבחר", "זה לא קובץ CSV. באקסל: שמירה בשם, ואז CSV UTF-8.");
        await contacts.setInputFiles({ ...csv(""), buffer: Buffer.alloc(10 * 1024 * 1024 + 1, "0") });
        await page.getByText(/^הקובץ גדול מדי .*אפשר להעלות CSV עד 10MB/).first().waitFor();
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
      "settings: whole messages, seconds in tenths, bounds said",
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
      "the file queue needs a .csv file of at most 10 MB",
      { path: "/admin/files", as: "admin" },
      async (page) => {
        const asked = callsTo(page, "/api/admin/files", "POST");
        await page.getByText("CSV עד 10MB").waitFor();
        const file = page.getByLabel("גרור קובץ CSV לכאן או לחץ לבחירה");
        assert.equal(await file.getAttribute("accept"), ".csv");
        await page.getByRole("button", { name: "העלאת קובץ" }).click();
        await toast(page, "קובץ חסר", "נא להעלות קובץ CSV");
        await file.setInputFiles({ ...csv("1"), name: "לקוחות.pdf" });
        await toast(page, "הקובץ לא נבחר", "זה לא קובץ CSV. באקסל: שמירה בשם, ואז CSV UTF-8.");
        assert.deepEqual(asked, []);
      },
    );
  });
});

function csv(rows: string) {
  return { name: "לקוחות.csv", mimeType: "text/csv", buffer: Buffer.from(`${rows}\n`) };
}

function userFields(page: Page) {
  const card = page.getByRole("region", { name: "משתמש חדש" });
  return { name: card.getByLabel("שם משתמש"), password: card.getByLabel("סיסמה") };
}

async function writeUser(page: Page, username: string, word: string): Promise<void> {
  const { name, password } = userFields(page);
  await name.fill(username);
  await password.fill(word);
  await page.getByRole("button", { name: "צור משתמש" }).click();
}

async function openLoad(page: Page, username: string) {
  await page.getByRole("listitem").filter({ hasText: username })
    .getByRole("button", { name: "טען הודעות" }).click();
  const dialog = page.getByRole("dialog", { name: `טען הודעות ל-${username}` });
  await dialog.waitFor();
  return dialog;
}

async function openReset(page: Page) {
  await page.getByRole("button", { name: "איפוס תורים" }).click();
  const dialog = page.getByRole("dialog", { name: "איפוס כל התורים?" });
  await dialog.waitFor();
  return dialog;
}

async function reset(page: Page): Promise<void> {
  await (await openReset(page)).getByRole("button", { name: "אישור איפוס" }).click();
}

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
