/** Seeing phones: a person in a browser, the edge, the agent and simulated phones as real processes. */
import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import type { AdbStatus } from "shared/http_api.ts";
import { launchBrowser, type View, Window } from "./browser.ts";
import { builtScreens } from "./built_screens.ts";
import { Caller, type Login, makeReadyCampaign } from "./caller.ts";
import { askAdbServer } from "./faults/ask_adb_server.ts";
import { Product } from "./product.ts";
import { PATIENCE_MS, until } from "./wait.ts";

const PHONES = 14;
const VIEWS: readonly View[] = [{ width: 1280, theme: "light" }, { width: 390, theme: "dark" }];

/** Opens the dialog from its button, gives the reason, and proves. */
async function look(page: Page, opener: string, { password }: Login): Promise<void> {
  await page.getByRole("button", { name: opener }).click();
  const dialog = page.getByRole("dialog", { name: "למה לראות את המסך?" });
  await dialog.getByLabel("הסיבה").fill("המכשיר לא שולח כבר שעה");
  await dialog.getByRole("button", { name: "לראות את המסך" }).click();
  const proof = page.getByRole("dialog", { name: "אישור בסיסמה" });
  await proof.getByLabel("הסיסמה הנוכחית").fill(password);
  await proof.getByRole("button", { name: "אישור" }).click();
}

/** Resolves when a picture has loaded that is not the one at `before`. */
async function picture(page: Page, device: string, before = ""): Promise<string> {
  const image = page.getByRole("img", { name: `המסך של ${device}`, exact: true });
  return await until(
    async () => {
      const src = await image.getAttribute("src");
      const isLoaded = await image.evaluate((one) => (one as HTMLImageElement).naturalWidth > 0);
      return src !== before && isLoaded && src;
    },
    PATIENCE_MS,
    `a picture of ${device}`,
    50,
  );
}

Deno.test("a person sees a phone's screen and the screens of a site, and no picture is kept anywhere", async () => {
  const product = await Product.start({
    devices: PHONES,
    speed: 2,
    webDir: await builtScreens("preact"),
    rateLimit: 5,
  });
  const browser = await launchBrowser();
  try {
    const admin = product.logins().find(({ role }) => role === "admin")!;
    const caller = await Caller.login(product.url, admin);
    const devices = await until(
      async () => {
        const { devices } = await caller.read<AdbStatus>("GET", "/api/devices/adb-status");
        return devices.length === PHONES && devices.every(({ accounts }) => accounts.length > 0) && devices;
      },
      PATIENCE_MS,
      "all phones",
    );
    const client = await Caller.login(product.url, product.logins().find(({ role }) => role === "client")!);
    const campaign = await makeReadyCampaign(client, "רימונים", 400);
    await client.read("POST", `/api/campaigns/${campaign}/send`);
    await until(() => Promise.resolve(product.taps().length > 0), PATIENCE_MS, "a phone at work");
    const [device] = devices;

    for (const view of VIEWS) {
      const window = await Window.open(browser, product.url, view);
      await window.takeSession(caller.cookie);
      const { page } = window;
      await page.goto(`/admin/devices/${device!.id}`);
      await look(page, "לראות את המסך", admin);
      const first = await picture(page, device!.name);
      await page.getByText(/^לפני (שנייה|\d+ שנ׳)$/).first().waitFor();
      await picture(page, device!.name, first);
      assert.match(first, /^blob:/);
      await window.look("device-screen");
      await window.lookInOtherTheme("device-screen");
      await page.getByRole("button", { name: "סיום הצפייה" }).click();
      assert.equal(await page.getByRole("img", { name: `המסך של ${device!.name}` }).count(), 0);

      await page.goto(`/admin/sites/${device!.siteId}/screens`);
      await page.getByRole("button", { name: "לראות 12 מסכים" }).waitFor();
      await window.look("site-screens-before");
      await look(page, "לראות 12 מסכים", admin);
      await until(
        async () => await page.getByRole("img", { name: /^המסך של/ }).count() >= 4,
        PATIENCE_MS,
        "screens",
      );
      await page.mouse.wheel(0, 4_000);
      await until(
        async () =>
          await page.getByRole("img", { name: /^המסך של/ }).count() >= (view.width === 390 ? 6 : 12),
        PATIENCE_MS,
        "the other screens",
      );
      await window.look("site-screens");
      await window.lookInOtherTheme("site-screens");
      await page.getByRole("button", { name: "סיום הצפייה" }).click();
      // The first ask for a look is refused, because it has no proof.
      await window.close([403, 409]);
    }

    // Black, and then gone.
    const window = await Window.open(browser, product.url, VIEWS[0]!);
    await window.takeSession(caller.cookie);
    await window.page.goto(`/admin/devices/${device!.id}`);
    await askAdbServer(product.adbPort, "host:simulate:*:lies:stillBlack=1");
    await look(window.page, "לראות את המסך", admin);
    await window.page.getByText("המסך כבוי או נעול, או שהאפליקציה לא מרשה לצלם אותו.").first().waitFor();
    await window.look("device-screen-black");
    await product.kill("agent");
    await window.page.getByText(/^המכשיר לא זמין כרגע/).first().waitFor();
    await window.look("device-screen-away");
    await window.close([403, 409]);

    // The end of the edge ends the looks that are still open.
    await product.stopPart("edge");
    const lines = product.query<{ id: number; kind: string; data: string }>(
      "SELECT id, kind, data FROM audit_log WHERE kind LIKE 'screen_look%' ORDER BY id",
    );
    const looked = lines.filter(({ kind }) => kind === "screen_looked").map(({ id }) => id);
    assert.equal(looked.length, 2 * (1 + 12) + 1);
    const ends = lines.filter(({ kind }) => kind === "screen_look_ended").map(({ data }) => JSON.parse(data));
    assert.ok(
      ends.length >= 20 &&
        ends.every(({ look, stills, closed }) => looked.includes(look) && (stills > 0 || closed === 1)),
      `${ends.length}`,
    );
    // A still begins with these bytes wherever it would be kept, and with these characters in base64.
    const png = String.fromCharCode(0x89) + "PNG\r\n";
    assert.ok(!product.lines.some((line) => line.includes(png) || line.includes("iVBORw0KGgo")));
    for (const file of filesUnder(product.dataDir)) {
      const text = new TextDecoder("latin1").decode(Deno.readFileSync(file));
      assert.ok(!text.includes(png) && !text.includes("iVBORw0KGgo"), file);
    }
  } finally {
    await browser.close();
    await product.stop();
  }
});

function* filesUnder(folder: string): Generator<string> {
  for (const { name, isDirectory, isFile } of Deno.readDirSync(folder)) {
    if (isDirectory) yield* filesUnder(`${folder}/${name}`);
    else if (isFile) yield `${folder}/${name}`;
  }
}
