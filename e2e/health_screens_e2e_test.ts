/** The screens of account health in a real browser: alerts, the breaker, hours, pilot wave, settings. */
import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import type { Campaign } from "shared/http_api.ts";
import type { View, Window } from "./browser.ts";
import { focusComesTo } from "./focus.ts";
import { makeReadyCampaign } from "./caller.ts";
import { PATIENCE_MS, until } from "./wait.ts";
import { Room, toast } from "./spec_room.ts";

const WIDE: View = { width: 1280, theme: "dark" };
const VIEWS: View[] = [WIDE, { width: 390, theme: "light" }];
/** Settings without any open hour cannot be saved by an administrator: reading them fails meanwhile. */
const UNREADABLE = [500];

interface Notifications {
  shown: { title: string; body: string }[];
  asked: number;
}

Deno.test("alerts: the bell, its panel, and the browser's notifications when they are allowed", async (t) => {
  await Room.with(t, "small", async (room) => {
    await room.step(
      "one notification an alert over two windows, none before it is allowed, none while the setting is off",
      { path: "/admin/users", as: "admin", before: standInForTheBrowser },
      async (page, window) => {
        const other = await window.context.newPage();
        await other.goto("/admin/devices");
        await bell(page).waitFor();
        await bell(other).waitFor();
        assert.equal((await notificationsIn(page)).asked, 0, "nobody is asked by loading a page");
        stopOne(room, "banned");
        await until(
          async () => await alertsOn(page) > 0 && await alertsOn(other) > 0,
          PATIENCE_MS,
          "the bells' count",
        );
        assert.deepEqual([(await notificationsIn(page)).shown, (await notificationsIn(other)).shown], [
          [],
          [],
        ]);

        await bell(page).click();
        const panel = page.getByRole("dialog", { name: "מה מחכה לטיפול" });
        await panel.getByText("חשבון אחד נחסם").waitFor();
        await panel.getByRole("button", { name: "להפעיל התראות בדפדפן" }).click();
        await panel.getByText(/^הדפדפן מודיע על כל התראה חדשה/).waitFor();
        assert.equal((await notificationsIn(page)).asked, 1);
        await panel.getByRole("button", { name: "סגירה" }).click();

        const before = await alertsOn(page);
        stopOne(room, "restricted");
        const both =
          async () => [...(await notificationsIn(page)).shown, ...(await notificationsIn(other)).shown];
        await until(async () => (await both()).length > 0, PATIENCE_MS, "a notification");
        await until(
          async () => await alertsOn(page) > before && await alertsOn(page) === await alertsOn(other),
          PATIENCE_MS,
          "both windows have seen it",
        );
        const [{ title, body }, ...more] = await both();
        assert.deepEqual(more, [], "once over all windows");
        assert.equal(title, "שיגור: דרושה תשומת לב");
        assert.match(body, /^חשבון הוגבל במכשיר/);

        await bell(page).click();
        await panel.getByRole("link", { name: "לפרטי המכשיר" }).first().click();
        await page.waitForURL("**/admin/devices/*");

        setRules(room, { enableNotifications: false });
        await page.goto("/admin/users");
        await other.reload();
        await bell(page).click();
        await panel.getByText(/^ההתראות כבויות בהגדרות המערכת/).waitFor();
        await panel.getByRole("button", { name: "סגירה" }).click();
        await until(
          async () => await alertsOn(page) > 0 && await alertsOn(page) === await alertsOn(other),
          PATIENCE_MS,
          "both windows look again",
        );
        const known = await alertsOn(page);
        const shownBefore = (await both()).length;
        lockOne(room);
        await until(
          async () => await alertsOn(page) > known && await alertsOn(other) > known,
          PATIENCE_MS,
          "both bells count one more",
        );
        assert.equal((await both()).length, shownBefore, "nothing more is shown while the setting is off");
      },
    );
    for (const view of VIEWS) {
      await room.step(
        `the panel at ${view.width}`,
        { path: "/admin/users", as: "admin", view },
        async (page, w) => {
          await until(async () => await alertsOn(page) > 0, PATIENCE_MS, "the bell's count");
          await bell(page).click();
          await page.getByRole("dialog", { name: "מה מחכה לטיפול" }).waitFor();
          await w.settled();
          await w.look("alerts-panel");
        },
      );
    }
  });
});

Deno.test("the breaker pauses a campaign, client and administrator see why, and resume it after reading the reason", async (t) => {
  await Room.with(t, "small", async (room) => {
    const campaign = await runningCampaign(room);
    const pauseAgain = async () => {
      room.edge.fill(`DELETE FROM campaign_marks;
        UPDATE campaigns SET failed_count = failed_count + 40, sent_count = sent_count + 60 WHERE id = ${campaign.id}`);
      const isPaused = async () => (await read(room, campaign.id)).status === "paused";
      await until(isPaused, PATIENCE_MS, "the breaker's pause");
    };
    const reason = /מההודעות האחרונות נכשלו \(\d+ מתוך \d+\)\. כדאי לבדוק את רשימת המספרים\./;
    const whoever = [
      { as: "client", path: `/client/campaign/${campaign.id}`, view: VIEWS[1]! },
      { as: "admin", path: `/admin/campaigns/${campaign.id}`, view: VIEWS[0]! },
    ] as const;
    for (const { as, path, view } of whoever) {
      await pauseAgain();
      await room.step(
        `the ${as} sees why, and resumes after confirming it`,
        { path, as, view },
        async (page, w) => {
          await page.getByText("הושהה אוטומטית").first().waitFor();
          await page.getByText(reason).first().waitFor();
          await w.look(`breaker-${as}`);
          await page.getByRole("button", { name: "המשך", exact: true }).click();
          const dialog = page.getByRole("dialog", { name: "הקמפיין הושהה אוטומטית" });
          await dialog.getByText(reason).waitFor();
          assert.equal((await read(room, campaign.id)).status, "paused", "a question is no answer");
          await dialog.getByRole("button", { name: "ראיתי את הסיבה, להמשיך" }).click();
          await until(
            async () => (await read(room, campaign.id)).status === "active",
            PATIENCE_MS,
            "it goes on",
          );
        },
      );
    }
    await pauseAgain();
    await room.step("the bell leads to the campaign", { path: "/admin", as: "admin" }, async (page) => {
      await until(async () => await alertsOn(page) > 0, PATIENCE_MS, "the bell's count");
      await bell(page).click();
      const panel = page.getByRole("dialog", { name: "מה מחכה לטיפול" });
      const line = panel.getByRole("listitem").filter({ hasText: "קמפיין אחד הושהה אוטומטית" });
      await line.getByRole("link", { name: "לקמפיין" }).click();
      await page.waitForURL(`**/admin/campaigns/${campaign.id}`);
    });
  });
});

Deno.test("hours and pilot wave: shown wherever a campaign waits, and chosen before it is sent", async (t) => {
  await Room.with(t, "small", async (room) => {
    const active = await runningCampaign(room);
    const ready = { id: await makeReadyCampaign(room.client, "אביב בעיר", 12, { first: 42_000_001 }) };
    // No hour is open, so sending is closed at any time of the run.
    setRules(room, { sendingHoursEnforced: true, sendingClosesAt: 0, fridayClosesAt: 0 });
    room.edge.fill(
      `UPDATE campaigns SET kind = 'marketing', sent_text = message WHERE id IN (${active.id}, ${ready.id})`,
    );
    const goesOn = /תימשך( מעצמה)? ביום \S+ ב־09:00/;
    for (const view of VIEWS) {
      for (
        const [as, path] of [
          ["client", "/client"],
          ["client", `/client/campaign/${active.id}`],
          ["admin", "/admin/campaigns"],
          ["admin", `/admin/campaigns/${active.id}`],
        ] as const
      ) {
        await room.step(
          `${path} at ${view.width} shows when it continues`,
          { path, as, view, provoked: UNREADABLE },
          async (page, w) => {
            await page.getByText(goesOn).first().waitFor();
            await w.look(`hours${path.replaceAll("/", "-").replace(/-\d+$/, "-one")}`);
          },
        );
      }
      await room.step(`a pilot wave at ${view.width}`, {
        path: `/client/campaign/${ready.id}`,
        as: "client",
        view,
      }, async (page, w) => {
        await page.getByText(/^אפשר לאשר את השליחה כבר עכשיו/).or(page.getByText(/יתחילו לצאת ביום/)).first()
          .waitFor();
        await page.getByRole("button", { name: /גל ניסיון$|גל הניסיון$/ }).click();
        const dialog = page.getByRole("dialog", { name: "גל ניסיון" });
        await dialog.getByLabel("כמה ראשונים").fill("2");
        await dialog.getByLabel("דקות המתנה אחריהם").fill("45");
        await w.look("pilot-dialog");
        await dialog.getByRole("button", { name: "שמירת גל הניסיון" }).click();
        await page.getByText("קודם שתי הודעות, אחריהן המתנה של 45 דקות, ואז השאר.").waitFor();
        await w.look("pilot-chosen");
        assert.deepEqual((await read(room, ready.id)).pilot, { count: 2, waitMinutes: 45 });
      });
    }
    room.edge.fill(`UPDATE campaigns SET pilot_count = 2, pilot_wait_ms = 2700000, kind = 'service',
      pilot_last = (SELECT min(id) + 1 FROM deliveries WHERE campaign = ${active.id}),
      pilot_until = ${Date.now() + 2_700_000} WHERE id = ${active.id}`);
    await room.step("the wait shows its end and the signals", {
      path: `/client/campaign/${active.id}`,
      as: "client",
    }, async (page, w) => {
      await page.getByText(/^גל הניסיון יצא\. עד כה /).waitFor();
      await page.getByText(/נוספות ייצאו ביום \S+ ב־\d\d:\d\d/).waitFor();
      await w.look("pilot-wait");
    });
  });
});

Deno.test("an exception from the hours: an administrator says why, the client sees it, and it is taken back", async (t) => {
  await Room.with(t, "small", async (room) => {
    const { id } = await runningCampaign(room);
    setRules(room, { serviceHoursEnforced: true, sendingClosesAt: 0, fridayClosesAt: 0 });
    const client = (name: string, view: View, text: string | RegExp) =>
      room.step(
        `the client at ${view.width}: ${name}`,
        { path: `/client/campaign/${id}`, as: "client", view, provoked: UNREADABLE },
        async (page, w) => {
          await page.getByText(text).first().waitFor();
          await w.look(`hours-waiver-client-${name}`);
        },
      );
    for (const view of VIEWS) {
      await client("waits", view, "עכשיו מחוץ לשעות השליחה.");
      await room.step(`the administrator at ${view.width} grants the exception`, {
        path: `/admin/campaigns/${id}`,
        as: "admin",
        view,
        provoked: UNREADABLE,
      }, async (page, w) => {
        await page.getByRole("button", { name: "אישור שליחה מחוץ לשעות" }).click();
        const dialog = page.getByRole("dialog", { name: "שליחה מחוץ לשעות השליחה" });
        await dialog.getByLabel("הסיבה").fill("ביטול תורים של מחר");
        await w.look("hours-waiver-dialog");
        await dialog.getByRole("button", { name: "אישור החריגה" }).click();
        await page.getByText("הסיבה: ביטול תורים של מחר.").waitFor();
        await focusComesTo(page, "ביטול החריגה");
        await w.look("hours-waiver-given");
      });
      await client("may go", view, "ההודעות יכולות לצאת גם מחוץ לשעות השליחה.");
      await room.step(`the administrator at ${view.width} takes it back`, {
        path: `/admin/campaigns/${id}`,
        as: "admin",
        view,
        provoked: UNREADABLE,
      }, async (page) => {
        await page.getByRole("button", { name: "ביטול החריגה" }).click();
        await page.getByRole("button", { name: "אישור שליחה מחוץ לשעות" }).waitFor();
        await focusComesTo(page, "אישור שליחה מחוץ לשעות");
      });
    }
    await room.step("the audit log shows actor, campaign and reason", {
      path: "/admin/audit",
      as: "admin",
      provoked: UNREADABLE,
    }, async (page) => {
      await page.getByText(/רשאי לצאת גם מחוץ לשעות השליחה\. הסיבה: ביטול תורים של מחר/).first().waitFor();
      await page.getByText(/חזר לצאת רק בשעות השליחה/).first().waitFor();
    });
  });
});

Deno.test("every setting of health and law says why, its standard value and its bounds", async (t) => {
  await Room.with(t, "small", async (room) => {
    for (const view of VIEWS) {
      await room.step(`at ${view.width}`, { path: "/admin/settings", as: "admin", view }, async (page, w) => {
        const fields = page.locator("form input");
        await fields.first().waitFor();
        for (const field of await fields.all()) {
          const hint = page.locator(`[id="${(await field.getAttribute("aria-describedby"))!}"]`);
          // A switch has no inputmode; a large number uses a text field, which can show separators.
          const range = await field.getAttribute("inputmode") !== null
            ? /\S+.*ברירת המחדל: \S+\. אפשר מ־\S+ עד \S+\.$/
            : /\S+.*ברירת המחדל: (פועל|כבוי)\.$/;
          assert.match((await hint.textContent())!, range);
        }
        assert.ok(await fields.count() >= 16);
        await w.look("settings-why");
      });
    }
    await room.step("out of bounds is not saved, within them it is", {
      path: "/admin/settings",
      as: "admin",
    }, async (page) => {
      const share = page.getByLabel("עצירה כשיותר מדי הודעות נכשלות");
      await share.fill("0");
      await page.getByText("נא להזין מספר שלם מ־1 עד 100").waitFor();
      await share.fill("8");
      await page.getByRole("button", { name: "שמור שינויים" }).click();
      await toast(page, "ההגדרות נשמרו", "הן חלות על כל האתרים תוך שניות.");
    });
  });
});

function bell(page: Page) {
  return page.getByRole("button", { name: /^התראות: / });
}

async function alertsOn(page: Page): Promise<number> {
  const label = await bell(page).getAttribute("aria-label");
  return Number(/\d+/.exec(label ?? "")?.[0] ?? 0);
}

/** Replaces the browser's permission question and notifications, which a headless browser does not show. */
async function standInForTheBrowser({ context }: Window): Promise<void> {
  await context.addInitScript(() => {
    const shown: { title: string; body: string }[] = [];
    const state = { asked: 0 };
    class StandIn {
      onclick: (() => void) | null = null;
      constructor(title: string, { body }: { body: string }) {
        shown.push({ title, body });
      }
      static get permission() {
        return localStorage.getItem("stand-in") ?? "default";
      }
      static requestPermission() {
        state.asked++;
        localStorage.setItem("stand-in", "granted");
        return Promise.resolve("granted");
      }
    }
    Object.defineProperty(globalThis, "Notification", { value: StandIn });
    Object.defineProperty(globalThis, "standInNotifications", {
      value: () => ({ shown, asked: state.asked }),
    });
  });
}

async function notificationsIn(page: Page): Promise<Notifications> {
  return await page.evaluate(() =>
    (globalThis as unknown as { standInNotifications(): Notifications }).standInNotifications()
  );
}

/** Locks the screen of the first phone that is connected; it has been locked for an hour. */
function lockOne(room: Room): void {
  room.edge.fill(`UPDATE devices SET state = 'locked', state_since = ${Date.now() - 60 * 60_000}
    WHERE id = (SELECT min(id) FROM devices WHERE state = 'online')`);
}

/** Stops the first healthy account; its site reported just now. */
function stopOne(room: Room, state: "banned" | "restricted"): void {
  room.edge.fill(`UPDATE accounts SET state = '${state}', updated_at = ${Date.now()}
    WHERE id = (SELECT min(id) FROM accounts WHERE state = 'ok')`);
}

function setRules(room: Room, rules: Record<string, boolean | number>): void {
  for (const [key, value] of Object.entries(rules)) {
    room.edge.fill(
      `INSERT OR REPLACE INTO settings (key, value, updated_at) VALUES ('${key}', '${value}', 0)`,
    );
  }
}

async function read(room: Room, id: number): Promise<Campaign> {
  return await room.client.read("GET", `/api/campaigns/${id}`);
}

/** Returns a started campaign on an edge without phones: it stays running and never progresses. */
async function runningCampaign(room: Room): Promise<Campaign> {
  const id = await makeReadyCampaign(room.client, "חורף בעיר", 40);
  room.edge.fill(`INSERT INTO quota_ledger (client, at, kind, delta)
    SELECT client, ${Date.now()}, 'grant', 100 FROM campaigns WHERE id = ${id}`);
  await room.client.read("POST", `/api/campaigns/${id}/send`);
  room.edge.fill(`UPDATE campaigns SET status = 'active', first_acked_at = send_at WHERE id = ${id}`);
  return await read(room, id);
}
