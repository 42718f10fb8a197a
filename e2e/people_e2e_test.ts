/** A client's people in a real browser over a real edge: invited, held to their duty, removed; an administrator looks. */
import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import type { Campaign } from "shared/http_api.ts";
import { launchBrowser, type View, Window } from "./browser.ts";
import { builtScreens } from "./built_screens.ts";
import { Caller } from "./caller.ts";
import { SeededEdge } from "./seeded_edge.ts";

const PASSWORD = "sisma-sheli-1";
/** Buttons and links that need more than the duty of a writer or a reader. */
const SENDERS = /^(שלח|השהיה|המשך|ביטול הקמפיין|הודעת ניסיון|סימון|הכרעה)/;
const WRITERS = /^(צור קמפיין|עריכה|שכפול|מחיקה|הוספת אנשי קשר|הוסף|הסרת)/;

for (
  const [ownersView, guestsView] of [
    [{ width: 1280, theme: "light" }, { width: 390, theme: "dark" }],
    [{ width: 390, theme: "dark" }, { width: 1280, theme: "light" }],
  ] satisfies [View, View][]
) {
  Deno.test(`an owner at ${ownersView.width} px invites, changes and removes a person at ${guestsView.width} px`, async () => {
    const edge = await SeededEdge.start("small", await builtScreens("preact"));
    const browser = await launchBrowser();
    const owners = await Window.open(browser, edge.url, ownersView);
    const guests = await Window.open(browser, edge.url, guestsView);
    const [page, guest] = [owners.page, guests.page];
    try {
      const owner = await Caller.login(edge.url, edge.client!);
      const campaigns = await owner.read<Campaign[]>("GET", "/api/campaigns");
      const ready = campaigns.find(({ status }) => status === "ready")!;
      const running = campaigns.find(({ status }) => ["active", "processing", "paused"].includes(status))!;
      await owners.takeSession(owner.cookie);
      await page.goto("/account");
      await page.getByRole("link", { name: "לאנשים בחשבון" }).click();
      await page.getByText("רק בעל החשבון עובד בו עכשיו").waitFor();
      await owners.settled();
      await owners.look("people/alone");

      const link = await invite(page, owners);
      await guest.goto(link);
      await guest.getByText(`הוזמנתם לעבוד בחשבון של ${edge.client!.username}.`).waitFor();
      await guests.settled();
      await guests.look("people/join");
      await guest.getByLabel("שם משתמש").fill("נועה");
      await guest.getByLabel("סיסמה", { exact: true }).fill("קצר");
      await guest.keyboard.press("Enter");
      await guest.getByText("נא להזין לפחות 8 תווים").waitFor();
      await guest.getByLabel("סיסמה", { exact: true }).fill(PASSWORD);
      await guest.keyboard.press("Enter");
      await guest.waitForURL("**/login");
      await typeLogin(guest);
      await guest.getByText(`בחשבון של ${edge.client!.username} · הכנה בלי שליחה`).waitFor();
      await guests.settled();
      await guests.look("people/writer-home");
      await guest.getByRole("heading", { name: "קמפיין חדש" }).waitFor();

      await guest.goto(`/client/campaign/${ready.id}`);
      await guest.getByText("את השליחה עושה מי שיש לו הרשאה", { exact: false }).waitFor();
      await guests.settled();
      await guests.look("people/writer-campaign");
      assert.deepEqual(await actsOf(guest, SENDERS), [], "a writer sends nothing");
      assert.notDeepEqual(await actsOf(guest, WRITERS), [], "and prepares");

      await page.reload();
      const row = page.getByRole("listitem").filter({ hasText: "נועה" });
      await row.getByLabel("ההרשאה של נועה").selectOption({ label: "צפייה בלבד" });
      await prove(page, edge.client!.password);
      await page.getByText("ההרשאה הוחלפה", { exact: true }).waitFor();
      await owners.settled();
      await owners.look("people/list");
      for (
        const path of [
          "/client",
          `/client/campaign/${ready.id}`,
          `/client/campaign/${running.id}`,
          "/account/removals",
        ]
      ) {
        await guest.goto(path);
        await guest.getByRole("heading", { level: 1 }).waitFor();
        await guests.settled();
        await guests.look(`people/reader${path.replaceAll("/", "-")}`);
        assert.deepEqual([...await actsOf(guest, SENDERS), ...await actsOf(guest, WRITERS)], [], path);
      }
      await guest.goto("/account");
      await guest.getByText("את פרטי המפרסם ממלא בעל החשבון.").waitFor();
      await guests.settled();
      await guests.look("people/reader-account");
      await guest.goto("/account/people");
      await guest.waitForURL("**/account");

      await row.getByRole("button", { name: "הסרה של נועה" }).click();
      await page.getByText("להסיר את נועה מהחשבון?").waitFor();
      await owners.look("people/remove");
      assert.equal(await page.evaluate(() => document.activeElement?.textContent), "ביטול");
      await page.getByRole("dialog").getByRole("button", { name: "הסרה", exact: true }).click();
      await guest.waitForURL("**/login");
      await page.getByText("רק בעל החשבון עובד בו עכשיו").waitFor();
      await owners.close([403]);
      await guests.close([401, 403]);
    } catch (error) {
      await owners.picture("people/failure-owner");
      await guests.picture("people/failure-guest");
      throw error;
    } finally {
      await browser.close();
      await edge.stop();
    }
  });
}

Deno.test("an administrator sees a client's people, and an owner confirms them after a restore", async () => {
  const edge = await SeededEdge.start("small", await builtScreens("preact"));
  const browser = await launchBrowser();
  try {
    const [admin, owner] = [
      await Caller.login(edge.url, edge.admin),
      await Caller.login(edge.url, edge.client!),
    ];
    const { token } = await owner.read<{ token: string }>("POST", "/api/invitations", {
      json: { label: "נועה", duty: "sender", proof: { password: edge.client!.password } },
    });
    const joined = await new Caller(edge.url).call("POST", "/api/join", {
      json: { token, username: "נועה", password: PASSWORD },
    });
    assert.equal(joined.status, 204);
    edge.fill("UPDATE users SET waits = 1 WHERE works_for IS NOT NULL");

    const admins = await Window.open(browser, edge.url, { width: 1280, theme: "dark" });
    await admins.takeSession(admin.cookie);
    await admins.page.goto(`/admin/users?q=${encodeURIComponent(edge.client!.username)}`);
    await admins.page.getByRole("button", { name: `פעולות: ${edge.client!.username}` })
      .or(
        admins.page.getByRole("listitem").filter({ hasText: edge.client!.username }).getByRole("button")
          .first(),
      )
      .first().click();
    await admins.page.getByRole("menuitem", { name: "אנשים בחשבון" }).click();
    const dialog = admins.page.getByRole("dialog");
    await dialog.getByText("נועה").waitFor();
    await dialog.getByText("מחכה לאישור").waitFor();
    await admins.settled();
    await admins.look("people/admin");
    await admins.close();

    const guests = await Window.open(browser, edge.url, { width: 390, theme: "light" });
    await typeLogin(guests.page);
    await guests.page.getByText("הכניסה שלך מחכה לאישור של בעל החשבון", { exact: false }).first().waitFor();
    const owners = await Window.open(browser, edge.url, { width: 390, theme: "light" });
    await owners.takeSession(owner.cookie);
    await owners.page.goto("/account/people");
    await owners.page.getByText("אדם אחד מחכה לאישור").waitFor();
    await owners.settled();
    await owners.look("people/waits");
    await owners.page.getByRole("button", { name: "אישור של נועה" }).click();
    await prove(owners.page, edge.client!.password);
    await owners.page.getByText("הכניסה אושרה", { exact: true }).waitFor();
    await owners.close([403]);
    await typeLogin(guests.page);
    await guests.page.waitForURL("**/client");
    await guests.settled();
    await guests.close([403]);
  } finally {
    await browser.close();
    await edge.stop();
  }
});

/** Makes an invitation for a writer and returns the link's path. */
async function invite(page: Page, window: Window): Promise<string> {
  await page.getByRole("button", { name: "יצירת קישור" }).click();
  await page.getByText("נא לכתוב את מי מזמינים").waitFor();
  await page.getByLabel("את מי מזמינים").fill("נועה מהשיווק");
  await page.getByRole("button", { name: "יצירת קישור" }).click();
  await prove(page, "olam-katan-2026");
  const dialog = page.getByRole("dialog").filter({ hasText: "הקישור של נועה מהשיווק" });
  await dialog.waitFor();
  await window.settled();
  await window.look("people/link");
  const link = new URL((await dialog.getByLabel("קישור להצטרפות", { exact: true }).textContent())!);
  await dialog.getByRole("button", { name: "סיימתי" }).click();
  await page.getByRole("list", { name: "הזמנות פתוחות" }).getByText("נועה מהשיווק").waitFor();
  return link.pathname + link.hash;
}

async function prove(page: Page, password: string): Promise<void> {
  const dialog = page.getByRole("dialog").filter({ has: page.locator("input[type=password]") });
  await dialog.locator("input[type=password]").fill(password);
  await page.keyboard.press("Enter");
  await dialog.waitFor({ state: "detached" });
}

async function typeLogin(page: Page): Promise<void> {
  await page.goto("/login");
  await page.getByLabel("שם משתמש").fill("נועה");
  await page.getByLabel("סיסמה").fill(PASSWORD);
  await page.keyboard.press("Enter");
}

/** Returns the names of visible buttons that match. */
async function actsOf(page: Page, pattern: RegExp): Promise<string[]> {
  const names = await page.getByRole("main").getByRole("button").allInnerTexts();
  return names.map((name) => name.trim()).filter((name) => pattern.test(name));
}
