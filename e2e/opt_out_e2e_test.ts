import assert from "node:assert/strict";
import type { Campaign } from "shared/http_api.ts";
import { control } from "../agent/testing/control.ts";
import { launchBrowser, type View, Window } from "./browser.ts";
import { builtScreens } from "./built_screens.ts";
import { focusComesTo } from "./focus.ts";
import { Caller, makeReadyCampaign } from "./caller.ts";
import { Product } from "./product.ts";
import { PATIENCE_MS, until } from "./wait.ts";

const FIRST = 41_000_001;
/** The first replies "הסר!", the second mentions removal among other words. */
const [LEAVES, ASKS] = ["+972541000001", "+972541000002"];
const VIEWS: View[] = [{ width: 1280, theme: "light" }, { width: 390, theme: "dark" }];

async function sendToEnd(client: Caller, name: string): Promise<Campaign> {
  const id = await makeReadyCampaign(client, name, 4, { first: FIRST });
  await client.read("POST", `/api/campaigns/${id}/send`);
  const ended = async () => {
    const campaign = await client.read<Campaign>("GET", `/api/campaigns/${id}`);
    return campaign.completedAt !== null && campaign;
  };
  return await until(ended, PATIENCE_MS, `${name} ends`);
}

Deno.test("a recipient who answers 'הסר!' gets no more, an unclear reply waits for a person, and the client sees both", async () => {
  const webDir = await builtScreens("preact");
  const product = await Product.start({ devices: 2, speed: 50, rateLimit: 0, webDir });
  const browser = await launchBrowser();
  try {
    const client = await Caller.login(product.url, product.logins().find(({ role }) => role === "client")!);
    const first = await sendToEnd(client, "קיץ");
    assert.equal(first.sentCount, 4);
    await control(product.adbPort, `*:reply:${LEAVES},הסר!`);
    await control(product.adbPort, `*:reply:${ASKS},אולי תסירו אותי בפעם הבאה`);
    await control(product.adbPort, "*:reply:+972541000003,תודה רבה!");

    const window = await Window.open(browser, product.url, VIEWS[0]!);
    await window.takeSession(client.cookie);
    const { page } = window;
    await page.goto(`/client/campaign/${first.id}`);
    // The phones are read every twenty seconds.
    const answers = "נמען אחד ביקש הסרה · תשובה אחת ממתינה להחלטה";
    await page.getByRole("link", { name: answers }).click({ timeout: 2 * PATIENCE_MS });
    await page.getByRole("heading", { level: 1, name: "רשימת ההסרה" }).waitFor();
    await page.getByText("054-100-0001").waitFor();
    await page.getByText("״אולי תסירו אותי בפעם הבאה״").waitFor();
    await window.look("removals-waiting");

    const admin = await Caller.login(product.url, product.logins().find(({ role }) => role === "admin")!);
    const house = await Window.open(browser, product.url, VIEWS[0]!);
    await house.takeSession(admin.cookie);
    await house.page.goto("/admin/suppressions");
    await house.page.getByText("״אולי תסירו אותי בפעם הבאה״").waitFor();
    assert.equal(await house.page.getByText("054-100-0002").count(), 0, "masked for administrators");
    await house.look("admin-replies-waiting");

    // The third person's reply is stored nowhere.
    assert.deepEqual(
      product.query("SELECT state FROM replies ORDER BY phone"),
      [
        { state: "removed" },
        { state: "waiting" },
      ].map((row) => ({ __proto__: null, ...row })),
    );
    const second = await sendToEnd(client, "סתיו");
    assert.equal(second.totalContacts, 3, "the number was left out when the list was taken in");
    assert.equal(product.taps().filter(({ phone }) => phone === LEAVES).length, 1);
    assert.equal(
      product.taps().filter(({ phone }) => phone === ASKS).length,
      2,
      "a near miss removes nobody",
    );

    await page.getByRole("button", { name: `להסיר: ${ASKS}` }).click();
    await page.getByRole("dialog", { name: "להסיר את הנמען?" }).getByRole("button", { name: "הסרה" }).click();
    await page.getByText("אין תשובות שממתינות להחלטה.").waitFor();
    await page.getByText("054-100-0002").waitFor();
    const third = await sendToEnd(client, "חורף");
    assert.equal(third.totalContacts, 2);
    assert.equal(product.taps().filter(({ phone }) => phone === ASKS).length, 2);
    for (const view of VIEWS) {
      const other = await Window.open(browser, product.url, view);
      await other.takeSession(client.cookie);
      await other.page.goto("/account/removals");
      await other.page.getByText("054-100-0002").waitFor();
      await other.look("removals");
    }

    for (const view of VIEWS) {
      const other = await Window.open(browser, product.url, view);
      await other.takeSession(admin.cookie);
      await other.page.goto("/admin/suppressions");
      const card = other.page.getByRole("region", { name: "נמען שרוצה לחזור" });
      await card.getByLabel("המספר המלא של הנמען").fill("054-100-0002");
      await card.getByRole("button", { name: "חיפוש" }).click();
      if (view !== VIEWS[0]) {
        await card.getByText("המספר הזה לא ביקש הסרה מאף לקוח.").waitFor();
        await other.look("opt-out-undone");
        continue;
      }
      await card.getByRole("button", { name: /^לאפשר שוב שליחה: / }).click();
      const dialog = other.page.getByRole("dialog", { name: "לאפשר שוב שליחה?" });
      await dialog.getByLabel("הסיבה").fill("התקשר וביקש לחזור");
      await other.look("opt-out-undo");
      await dialog.getByRole("button", { name: "לאפשר שליחה" }).click();
      await card.getByText("המספר הזה לא ביקש הסרה מאף לקוח.").waitFor();
      await focusComesTo(other.page, "נמען שרוצה לחזור");
    }
    const fourth = await sendToEnd(client, "אביב");
    assert.equal(fourth.totalContacts, 3, "who asked to come back is written to again");
    assert.equal(product.taps().filter(({ phone }) => phone === ASKS).length, 3);
    assert.equal(await product.audit(), "All rules hold.");
  } finally {
    await browser.close();
    await product.stop();
  }
});
