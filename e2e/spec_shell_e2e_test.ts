/** One step for each rule of the specification about the frame: quick actions, sidebar, jump, theme, toasts. */
import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { focusComesTo, press } from "./focus.ts";
import { becomes, PATIENCE_MS, until } from "./wait.ts";
import { Room } from "./spec_room.ts";

const SIDEBAR_COOKIE = "sidebar_state";
const SEVEN_DAYS_S = 7 * 24 * 60 * 60;

Deno.test("each quick action of the dashboard does what it says", async (t) => {
  await Room.with(t, "small", async (room) => {
    const ways = [
      ["הוספת מכשיר", "/admin/sites", "אתרים"],
      ["העלאת CSV", "/admin/files", "תור קבצים"],
      ["הגדרות אנטי-באן", "/admin/settings#anti-ban", "הגדרות מערכת"],
      ["צפייה ביומן", "/admin/activity", "יומן פעילות"],
      ["הגדרות מערכת", "/admin/settings", "הגדרות מערכת"],
    ] as const;
    const card = (page: Page) => page.getByRole("region", { name: "פעולות מהירות" });
    for (const [name, path, heading] of ways) {
      await room.step(`${name} leads to ${path}`, { path: "/admin", as: "admin" }, async (page) => {
        await card(page).getByRole("link", { name }).click();
        await page.getByRole("heading", { level: 1, name: heading }).waitFor();
        assert.equal(page.url(), room.edge.url + path);
        if (!path.includes("#")) return;
        const target = page.getByRole("heading", { name: "אנטי-באן", exact: true });
        await until(
          () => target.evaluate((element) => document.activeElement === element),
          PATIENCE_MS,
          "the focus on the card that the address names",
        );
      });
    }

    await room.step(
      "רענון נתונים asks for the dashboard again",
      { path: "/admin", as: "admin" },
      async (page) => {
        await page.getByRole("group", { name: "נתוני היום" }).or(page.getByText("סה״כ מכשירים")).first()
          .waitFor();
        const go = Promise.withResolvers<void>();
        await page.route("**/api/admin/dashboard", async (route) => {
          await go.promise;
          await route.continue();
        });
        const asked = page.waitForRequest("**/api/admin/dashboard");
        await card(page).getByRole("button", { name: "רענון נתונים" }).click();
        await asked;
        await card(page).getByRole("button", { name: "מרענן..." }).waitFor();
        go.resolve();
        await card(page).getByRole("button", { name: "רענון נתונים" }).waitFor();
      },
    );
  });
});

Deno.test("the sidebar: narrow without a cookie, kept for seven days, Ctrl and Cmd+B, a sheet under 768 px", async (t) => {
  await Room.with(t, "empty", async (room) => {
    const rail = (page: Page) => page.getByRole("complementary", { name: "תפריט ניהול" });
    const widthOf = async (page: Page) => (await rail(page).boundingBox())!.width;

    await room.step(
      "without a cookie it is 3rem of icons",
      { path: "/admin/users", as: "admin" },
      async (page) => {
        await rail(page).waitFor();
        await becomes(() => widthOf(page), 48);
        const names = ["דשבורד", "ניהול מכשירים", "ניטור אנטי-באן", "תור קבצים", "ניהול משתמשים"];
        const links = await rail(page).getByRole("link").evaluateAll((all) =>
          all.map((link) => link.getAttribute("aria-label"))
        );
        assert.deepEqual(links.slice(0, 5), names);
        assert.equal(links.at(-1), "הגדרות מערכת");
      },
    );

    await room.step(
      "its button opens it to 16rem, and the cookie keeps that for seven days",
      { path: "/admin/users", as: "admin" },
      async (page, { context }) => {
        await page.getByRole("button", { name: "פתיחה וסגירה של התפריט" }).click();
        await becomes(() => widthOf(page), 256);
        await rail(page).getByText("v1.0.0").waitFor();
        await rail(page).getByText("המערכת פעילה").waitFor();
        const [cookie] = (await context.cookies()).filter(({ name }) => name === SIDEBAR_COOKIE);
        assert.equal(cookie?.value, "expanded");
        const leftS = cookie!.expires - Date.now() / 1000;
        assert.ok(leftS > SEVEN_DAYS_S - 600 && leftS <= SEVEN_DAYS_S, `${leftS} s`);
        await page.reload();
        await rail(page).waitFor();
        await becomes(() => widthOf(page), 256);
      },
    );

    await room.step("Ctrl+B and Cmd+B toggle it", { path: "/admin/users", as: "admin" }, async (page) => {
      await rail(page).waitFor();
      await press(page, "Control+b");
      await becomes(() => widthOf(page), 256);
      await press(page, "Meta+b");
      await becomes(() => widthOf(page), 48);
    });

    await room.step(
      "under 768 px it is a sheet of 18rem that a link closes",
      { path: "/admin/users", as: "admin", view: { width: 390, theme: "light" } },
      async (page) => {
        const toggle = page.getByRole("button", { name: "פתיחה וסגירה של התפריט" });
        await toggle.waitFor();
        assert.equal(await rail(page).count(), 0);
        const sheet = page.getByRole("dialog", { name: "תפריט ניהול" });
        await press(page, "Control+b");
        await sheet.waitFor();
        await becomes(async () => (await sheet.boundingBox())?.width, 288);
        await page.keyboard.press("Escape");
        await sheet.waitFor({ state: "detached" });
        await toggle.click();
        await sheet.getByRole("link", { name: "תור קבצים" }).click();
        await page.getByRole("heading", { level: 1, name: "תור קבצים" }).waitFor();
        await sheet.waitFor({ state: "detached" });
        await focusComesTo(page, "תור קבצים");
        await page.setViewportSize({ width: 768, height: 900 });
        await rail(page).waitFor();
      },
    );
  });
});

Deno.test("Ctrl and Cmd+K lead anywhere by a few letters", async (t) => {
  await Room.with(t, "small", async (room) => {
    const jump = (page: Page) => page.getByRole("dialog", { name: "מעבר מהיר" });

    for (const key of ["Control+k", "Meta+k"]) {
      await room.step(`${key} opens the field, Enter goes`, { path: "/admin", as: "admin" }, async (page) => {
        await page.getByRole("heading", { level: 1 }).waitFor();
        await press(page, key);
        await jump(page).locator("input:focus").waitFor();
        await page.keyboard.type("הגדרות");
        await jump(page).getByRole("option", { name: "הגדרות מערכת", selected: true }).waitFor();
        await page.keyboard.press("Enter");
        await page.getByRole("heading", { level: 1, name: "הגדרות מערכת" }).waitFor();
      });
    }

    await room.step(
      "it finds a client, and names the kind of each result",
      { path: "/admin", as: "admin" },
      async (page) => {
        await page.getByRole("heading", { level: 1 }).waitFor();
        await press(page, "Control+k");
        await jump(page).locator("input:focus").waitFor();
        await page.keyboard.type(room.clientLogin.username);
        await jump(page).getByRole("option", { name: new RegExp(`${room.clientLogin.username}.*לקוח`) })
          .click();
        await page.getByRole("heading", { level: 1, name: "ניהול משתמשים" }).waitFor();
      },
    );
  });
});

Deno.test("the theme: dark until switched, kept under the key theme, applied before the first paint", async (t) => {
  await Room.with(t, "empty", async (room) => {
    const theme = (page: Page) => page.evaluate(() => document.documentElement.dataset.theme);
    const kept = (page: Page) => page.evaluate(() => localStorage.getItem("theme"));
    const forget = async ({ page }: { page: Page }) =>
      await page.addInitScript(() => {
        if (!sessionStorage.getItem("cleared")) localStorage.removeItem("theme");
        sessionStorage.setItem("cleared", "once");
      });

    await room.step(
      "nothing stored: dark, whatever the system prefers",
      { path: "/login", view: { width: 1280, theme: "light" } },
      async (page, window) => {
        assert.equal(await theme(page), "light");
        await forget(window);
        await page.emulateMedia({ colorScheme: "light" });
        await page.reload();
        await becomes(async () => [await theme(page), await kept(page)], ["dark", null]);
      },
    );

    await room.step("switched, it is stored and applied on the next load", { path: "/" }, async (page) => {
      const switchTo = async (name: string) => await page.getByRole("button", { name }).click();
      await switchTo("מעבר לערכה בהירה");
      await becomes(async () => [await theme(page), await kept(page)], ["light", "light"]);
      await switchTo("מעבר לערכה כהה");
      await becomes(async () => [await theme(page), await kept(page)], ["dark", "dark"]);
    });

    await room.step(
      "kept as light, the administrators' screens are light too, and have the switch",
      { path: "/admin", as: "admin", view: { width: 1280, theme: "light" } },
      async (page) => {
        await page.getByRole("button", { name: "מעבר לערכה כהה" }).waitFor();
        assert.equal(await theme(page), "light");
      },
    );
  });
});

Deno.test("toasts: one at a time, five seconds, swiped out to the right, F8 to the region", async (t) => {
  await Room.with(t, "empty", async (room) => {
    const cards = (page: Page) => page.locator(".toast-card");
    const complain = (page: Page) => page.getByRole("button", { name: "צור קמפיין" }).click();

    await room.step(
      "a new one takes the old one's place",
      { path: "/client", as: "client" },
      async (page) => {
        await holdClock(page);
        for (let turn = 0; turn < 3; turn++) {
          await complain(page);
          // Playwright's strict mode would throw if there were two.
          await cards(page).waitFor();
        }
      },
    );

    await room.step("after five seconds it is gone", { path: "/client", as: "client" }, async (page) => {
      await holdClock(page);
      await complain(page);
      await cards(page).waitFor();
      await page.clock.runFor(4_900);
      assert.equal(await cards(page).count(), 1);
      await page.clock.runFor(200);
      await cards(page).waitFor({ state: "detached" });
    });

    await room.step(
      "a long failure message stays longer, and as long as the pointer or the focus is on it",
      { path: "/client", as: "client", provoked: [500] },
      async (page) => {
        // Ten letters more than are read in five seconds.
        const error = "ש".repeat(60 - "הקמפיין לא נוצר".length);
        await page.route(
          "**/api/campaigns",
          (route) => route.fulfill({ status: 500, json: { error, code: "internal" } }),
        );
        await page.getByPlaceholder("למשל: קמפיין סתיו 2024").fill("קמפיין סתיו");
        await page.getByRole("textbox", { name: /הודעה/ }).fill("שלום");
        await page.getByRole("radio", { name: "שירות" }).check();
        await holdClock(page);
        await complain(page);
        const failed = cards(page).filter({ hasText: error });
        await failed.waitFor();
        await page.unrouteAll();
        const beside = () => page.mouse.move(600, 10);
        await beside();
        const staysFor = async (ms: number) => {
          await page.clock.runFor(ms);
          assert.equal(await failed.count(), 1);
        };
        await staysFor(6_900);
        const { x, y } = (await failed.boundingBox())!;
        await page.mouse.move(x + 20, y + 20);
        await staysFor(10_000);
        // Not with press(), which waits for a frame: the clock is paused.
        await page.keyboard.press("F8");
        await beside();
        await staysFor(10_000);
        await page.getByPlaceholder("למשל: קמפיין סתיו 2024").focus();
        await page.clock.runFor(200);
        await failed.waitFor({ state: "detached" });
      },
    );

    await room.step("a swipe of more than 50 px to the right throws it out", {
      path: "/client",
      as: "client",
    }, async (page) => {
      await holdClock(page);
      await complain(page);
      await cards(page).waitFor();
      await swipe(page, 40);
      assert.equal(await cards(page).count(), 1);
      await swipe(page, -120);
      assert.equal(await cards(page).count(), 1);
      await swipe(page, 70);
      await cards(page).waitFor({ state: "detached" });
    });

    await room.step(
      "F8 leads to the notifications from anywhere",
      { path: "/client", as: "client" },
      async (page) => {
        await complain(page);
        await cards(page).waitFor();
        await press(page, "F8");
        const label = () =>
          page.evaluate(() => document.activeElement?.closest("[role=region]")?.getAttribute("aria-label"));
        await becomes(label, "התראות (F8)");
      },
    );

    /** Pauses the page's clock until the test advances it: no toast disappears while a slow machine checks. */
    async function holdClock(page: Page): Promise<void> {
      await page.getByRole("button", { name: "צור קמפיין" }).waitFor();
      await page.clock.install();
      // Far ahead: the clock cannot go back, and a slow machine takes time to pause it.
      await page.clock.pauseAt(Date.now() + 60_000);
    }

    async function swipe(page: Page, byPx: number): Promise<void> {
      const box = (await cards(page).boundingBox())!;
      const [x, y] = [box.x + box.width / 2, box.y + 8];
      await page.mouse.move(x, y);
      await page.mouse.down();
      for (const part of [0.25, 0.5, 0.75, 1]) await page.mouse.move(x + byPx * part, y);
      await page.mouse.up();
    }
  });
});
