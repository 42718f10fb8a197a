/** One step for each row of the specification's error catalogue (§8). */
import assert from "node:assert/strict";
import type { Locator, Page } from "playwright-core";
import { pressUntil } from "./browser.ts";
import { makeReadyCampaign } from "./caller.ts";
import { becomes } from "./wait.ts";
import { prove } from "./prove.ts";
import { campaignName, csv, message, openLoad, service, userFields, writeUser } from "./spec_forms.ts";
import { fillLogin, refuseBare, Room, toast } from "./spec_room.ts";

const SHORT = "חסרות שתי הודעות במכסה: דרושות 3, זמינות 1. נא לפנות למנהל המערכת לטעינת הודעות.";

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

    await room.step("login: the button shows that it is busy", { path: "/login" }, async (page) => {
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
      const failed = page.getByRole("alert").getByText(
        "המספרים לא נוספו. השרת לא קלט את המספרים (Upload failed)",
      );
      await failed.waitFor();
      await page.getByLabel("או מספרים, אחד בכל שורה").fill("0541234567");
      await page.getByRole("button", { name: "הוסף מספרים ידניים" }).click();
      await failed.waitFor();
      assert.equal(await page.getByLabel("או מספרים, אחד בכל שורה").inputValue(), "0541234567");
    });

    const { id: clientId, messageQuota: before } = await room.me();
    const setQuota = (messageQuota: number) =>
      room.admin.read("PATCH", `/api/users/${clientId}/quota`, { json: { messageQuota } });
    const id = await makeReadyCampaign(room.client, "מוכן לשליחה", 3);
    const sendPath = `**/api/campaigns/${id}/send`;
    const missing = (page: Page) => page.getByRole("region", { name: "מה חסר לפני שאפשר לשלוח" });
    // With a balance that is known to be short the review does not ask the server.
    const shortOnTheWay = (page: Page) =>
      page.route(sendPath, async (route) => {
        await setQuota(1);
        await route.continue();
      }, { times: 1 });
    const enoughAgain = async (page: Page) => {
      await missing(page).waitFor();
      await setQuota(before);
      await missing(page).waitFor({ state: "detached" });
    };

    await room.step(
      "send fails in the list: the server's sentence, else the fallback",
      { path: "/client", as: "client", provoked: [402, 500] },
      async (page) => {
        const card = page.getByRole("listitem").filter({ hasText: "מוכן לשליחה" });
        await card.getByRole("button", { name: "שלח" }).click();
        const confirm = page.getByRole("button", { name: "לשלוח ל־3 נמענים" });
        await confirm.waitFor();
        await shortOnTheWay(page);
        await confirm.click();
        await toast(page, "שגיאה בשליחת קמפיין", SHORT);
        await enoughAgain(page);
        await refuseBare(page, sendPath);
        await confirm.click();
        await toast(page, "שגיאה בשליחת קמפיין", "הקמפיין לא נשלח (Failed to send campaign)");
      },
    );

    await room.step(
      "send fails on the campaign's own screen: the server's sentence, else the fallback",
      { path: `/client/campaign/${id}`, as: "client", provoked: [402, 500] },
      async (page) => {
        const send = page.getByRole("button", { name: "שלח", exact: true });
        await send.click();
        const confirm = page.getByRole("button", { name: "לשלוח ל־3 נמענים" });
        await confirm.waitFor();
        await shortOnTheWay(page);
        await confirm.click();
        await toast(page, "שגיאה", SHORT);
        await enoughAgain(page);
        await refuseBare(page, sendPath);
        await confirm.click();
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
        await page.getByRole("button", { name: "לשלוח ל־3 נמענים" }).click();
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

Deno.test("the reset dialog shows its effect in numbers first, does it, and reports what it did", async (t) => {
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

    await room.step(
      "confirmed, it does what the dialog announced",
      { path: "/admin", as: "admin" },
      async (page) => {
        const go = Promise.withResolvers<void>();
        const answer = Promise.withResolvers<{ message: string }>();
        await page.route("**/api/admin/queues/clear", async (route) => {
          await go.promise;
          const response = await route.fetch();
          answer.resolve(await response.json());
          await route.fulfill({ response });
        });
        const dialog = await openReset(page);
        await typeWord(dialog);
        await dialog.getByRole("button", { name: "אישור איפוס" }).click();
        await dialog.getByRole("button", { name: "מנקה..." }).waitFor();
        go.resolve();
        const { message } = await answer.promise;
        assert.notEqual(message, "");
        await toast(page, "התורים נוקו בהצלחה", message);
        assert.equal((await room.me()).messageQuota, before);
        const dialogAfter = await openReset(page);
        await dialogAfter.getByText("אין כרגע הודעות בתור ואין קמפיינים פעילים.", { exact: false }).waitFor();
      },
    );

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

async function openReset(page: Page) {
  await page.getByRole("button", { name: "איפוס תורים" }).click();
  const dialog = page.getByRole("dialog", { name: "איפוס כל התורים?" });
  await dialog.waitFor();
  return dialog;
}

async function typeWord(dialog: Locator): Promise<void> {
  await dialog.getByLabel("להמשך כותבים כאן: איפוס").fill("איפוס");
}

async function reset(page: Page): Promise<void> {
  const dialog = await openReset(page);
  await typeWord(dialog);
  await dialog.getByRole("button", { name: "אישור איפוס" }).click();
}
