/** Alerts as administrators work with them: acknowledged in one window, followed in another, and back when worse. */
import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import type { View } from "./browser.ts";
import { focusComesTo } from "./focus.ts";
import { Room } from "./spec_room.ts";
import { PATIENCE_MS, until } from "./wait.ts";

const NARROW: View = { width: 390, theme: "light" };

Deno.test("alerts: acknowledged, followed by other windows, and back when another account is banned", async (t) => {
  await Room.with(t, "small", async (room) => {
    await room.step(
      "an acknowledgement succeeds without a word and shows in the other window; a second ban brings the alert back in both",
      { path: "/admin/alerts", as: "admin" },
      async (page, window) => {
        banOne(room);
        const acknowledge = (on: Page, title: string) =>
          on.getByRole("button", { name: `ראיתי: ${title}`, exact: true });
        const other = await window.context.newPage();
        await other.goto("/admin/alerts");
        await acknowledge(page, "חשבון אחד נחסם").waitFor();
        await acknowledge(other, "חשבון אחד נחסם").waitFor();

        await acknowledge(page, "חשבון אחד נחסם").focus();
        await page.keyboard.press("Enter");
        for (const on of [page, other]) {
          await on.getByRole("region", { name: "מושתקות" }).getByText(/סומנה כמטופלת בידי/).waitFor();
        }
        await focusComesTo(page, "לפרטי המכשיר");
        assert.equal(await page.locator(".toast-card").filter({ hasText: "לא השתנתה" }).count(), 0);

        banOne(room);
        for (const on of [page, other]) await acknowledge(on, "שני חשבונות נחסמו").waitFor();
        assert.equal(await page.getByText(/סומנה כמטופלת בידי/).count(), 0);

        await page.getByRole("button", { name: "השתקה: שני חשבונות נחסמו" }).click();
        await page.getByRole("menuitem", { name: "השתקה ל־4 שעות" }).click();
        await other.getByText(/הושתקה בידי/).waitFor();
        banOne(room);
        for (const on of [page, other]) await acknowledge(on, "3 חשבונות נחסמו").waitFor();
      },
    );
    await room.step(
      "a chosen kind of alert has the colour of acts, unlike one that cannot be chosen",
      { path: "/admin/settings#outside", as: "admin" },
      async (page) => {
        const box = page.getByRole("checkbox", { name: "אתר לא מחובר: דוא״ל" });
        await box.waitFor();
        const save = page.getByRole("switch").first();
        const groundOf = (element: Element) => getComputedStyle(element).backgroundColor;
        assert.ok(await box.isChecked() && await save.isChecked());
        assert.equal(await box.evaluate(groundOf), await save.evaluate(groundOf));
      },
    );
    await room.step(
      "a live channel that gave up leaves a narrow page inside its window",
      {
        path: "/admin/devices",
        as: "admin",
        view: NARROW,
        before: async ({ page }) => {
          await page.clock.install();
          await page.routeWebSocket(/\/ws$/, (socket) => socket.close());
        },
      },
      async (page, window) => {
        await page.getByRole("heading", { level: 1, name: "ניהול מכשירים" }).waitFor();
        const light = page.getByRole("banner").getByText("לא מחובר בזמן אמת", { exact: true });
        await until(
          async () => {
            await page.clock.fastForward(20_000);
            return await light.isVisible();
          },
          PATIENCE_MS,
          "the channel gives up",
        );
        await window.look("given-up");
      },
    );
  });
});

/** Bans the first healthy account; its site reported just now. */
function banOne(room: Room): void {
  room.edge.fill(`UPDATE accounts SET state = 'banned', updated_at = ${Date.now()}
    WHERE id = (SELECT min(id) FROM accounts WHERE state = 'ok')`);
}
