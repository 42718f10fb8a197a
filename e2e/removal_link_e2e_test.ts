/** The page behind the personal link of a message: as its recipient opens it, in a browser without a login. */
import assert from "node:assert/strict";
import type { Browser } from "playwright-core";
import type { Erasure } from "shared/privacy.ts";
import { REMOVAL_API, REMOVAL_PATH } from "shared/removal_address.ts";
import { untilOnline } from "../bench/house.ts";
import { launchBrowser, type View, Window } from "./browser.ts";
import { builtScreens } from "./built_screens.ts";
import { Caller } from "./caller.ts";
import { logInAsAdmin } from "./head_office.ts";
import { Product } from "./product.ts";
import { becomes, PATIENCE_MS, until } from "./wait.ts";

const VIEWS: View[] = [{ width: 1280, theme: "light" }, { width: 390, theme: "dark" }];
const ADVERTISER = {
  name: "משק הדר",
  address: "מושב נהלל",
  phone: "04-601-0042",
  email: "",
  removalLink: true,
};
const NUMBERS = ["0541000001", "0541000002", "0541000003"];
/** More calls than one address may make at once (REMOVAL_BOUND). */
const TOO_MANY = 150;

/** Sends an advertisement whose messages end with a link, and returns the link of each number. */
async function sendLinks(product: Product): Promise<string[]> {
  const client = await Caller.login(product.url, product.logins().find(({ role }) => role === "client")!);
  await client.read("PUT", "/api/profile", { json: ADVERTISER });
  const form = new FormData();
  form.set("name", "סלי סוכות");
  form.set("message", "סל ירקות ב־89 ₪");
  form.set("kind", "marketing");
  const { id } = await client.read<{ id: number }>("POST", "/api/campaigns", { form });
  const consent = { basis: "existing_customer" };
  const json = { numbers: NUMBERS.join("\n"), consent };
  await client.read("POST", `/api/campaigns/${id}/contacts/manual`, { json });
  await client.read("POST", `/api/campaigns/${id}/send`);
  await until(
    () => Promise.resolve(product.taps().length === NUMBERS.length),
    PATIENCE_MS,
    "the messages are sent",
  );
  const linkOf = new Map(
    product.taps().map(({ phone, text }) => [phone.replace("+972", "0"), /https?:\S+$/m.exec(text)![0]]),
  );
  return NUMBERS.map((number) => linkOf.get(number)!);
}

const removed = (product: Product) =>
  product.query<{ phone: number }>("SELECT phone FROM suppressions WHERE client <> 0 ORDER BY phone")
    .map(({ phone }) => `0${phone % 1e9}`);

/** Opens a link as a visitor does, and checks what is sent with the page. */
async function openLink(browser: Browser, product: Product, link: string, view: View): Promise<Window> {
  const window = await Window.open(browser, product.url, view);
  const answer = await window.page.goto(link);
  const headers = answer!.headers();
  assert.equal(headers["x-robots-tag"], "noindex, nofollow");
  assert.equal(headers["referrer-policy"], "no-referrer", "no other site learns the link");
  assert.match(headers["content-security-policy"]!, /default-src 'none'|default-src 'self'/);
  assert.deepEqual(await window.context.cookies(), []);
  return window;
}

const heading = ({ page }: Window, name: string) => page.getByRole("heading", { level: 1, name }).waitFor();
const button = ({ page }: Window) => page.getByRole("button", { name: "הסירו אותי" });

/** Looks in both themes, and asserts that the page broke no policy and wrote no error. */
async function look(window: Window, name: string): Promise<void> {
  await window.settled();
  await window.look(name);
  await window.lookInOtherTheme(name);
  assert.deepEqual(window.violations, []);
}

Deno.test("the link of a message removes its recipient at one press, and says calmly whatever else is the case", async () => {
  const product = await Product.start({
    devices: 2,
    speed: 50,
    rateLimit: 0,
    hasPublicUrl: true,
    webDir: await builtScreens("preact"),
  });
  const browser = await launchBrowser();
  try {
    await untilOnline(product, 2);
    const links = await sendLinks(product);
    assert.ok(links.every((link) => link.startsWith(`${product.url}${REMOVAL_PATH}`)));
    for (const [place, view] of VIEWS.entries()) {
      const link = links[place]!;
      const before = removed(product);
      // Two windows: the link was opened twice before it was pressed.
      const [window, other] = [
        await openLink(browser, product, link, view),
        await openLink(browser, product, link, view),
      ];
      await button(window).waitFor();
      await button(other).waitFor();
      await window.page.getByText("משק הדר").waitFor();
      const masked = NUMBERS[place]!.replace(/^(...)(...)(....)$/, "$1-•••-$3");
      await window.page.getByText(masked).waitFor();
      assert.ok(!(await window.page.content()).includes(NUMBERS[place]!.slice(1)), "no whole number");
      await window.page.reload();
      await button(window).waitFor();
      assert.deepEqual(removed(product), before, "opening changes nothing");
      await look(window, "removal");

      await button(window).dblclick();
      await heading(window, "הוסרתם");
      assert.deepEqual(removed(product), [...before, NUMBERS[place]!]);
      await look(window, "removal-done");
      await button(other).click();
      await heading(other, "הוסרתם");
      await window.page.reload();
      await heading(window, "הוסרתם");
      assert.equal(await button(window).count(), 0);
      assert.deepEqual(removed(product), [...before, NUMBERS[place]!], "once");
      assert.deepEqual([...window.consoleErrors, ...other.consoleErrors], []);
      await Promise.all([window.close(), other.close()]);
    }

    for (const view of VIEWS) {
      const unknown = await openLink(browser, product, `${links[0]!.slice(0, -1)}-`, view);
      await heading(unknown, "הקישור כבר אינו פעיל");
      await unknown.page.getByText('להשיב להודעה שקיבלתם במילה "הסר"', { exact: false }).waitFor();
      assert.equal(await button(unknown).count(), 0);
      await look(unknown, "removal-unknown");
      await unknown.context.close();
    }

    await seeThrottled(browser, product, links[2]!);

    const admin = await logInAsAdmin(product);
    const window = await openLink(browser, product, links[2]!, VIEWS[1]!);
    await button(window).waitFor();
    const json = { phone: NUMBERS[2], reason: "בקשה של בעל המספר" };
    await admin.read<Erasure>("POST", "/api/admin/erasures", { json });
    // Few calls are free again after so many: a press that is too early says so, and the next one works.
    await becomes(async () => {
      if (await button(window).isVisible()) await button(window).click();
      await window.settled();
      return await window.page.getByRole("heading", { level: 1 }).textContent();
    }, "הקישור כבר אינו פעיל");
    await look(window, "removal-erased");
    await window.context.close();
    assert.deepEqual(removed(product), NUMBERS.slice(0, 2));

    const tokens = links.map((link) => link.slice(link.lastIndexOf("/") + 1));
    const logged = product.lines.join("");
    assert.deepEqual(tokens.filter((token) => logged.includes(token)), [], "no log holds a link");
    assert.equal(await product.audit(), "All rules hold.");
  } catch (error) {
    throw new Error(`The parts' last lines:\n${product.lines.slice(-40).join("\n")}`, { cause: error });
  } finally {
    await browser.close();
    await product.stop();
  }
});

/** Somebody behind the same address tries many links: the page says that it has to wait, and works later. */
async function seeThrottled(browser: Browser, product: Product, link: string): Promise<void> {
  const ask = async () => {
    const answer = await fetch(`${product.url}${REMOVAL_API}${"x".repeat(20)}`);
    await answer.body?.cancel();
    return answer.status;
  };
  const asked = await Promise.all(Array.from({ length: TOO_MANY }, ask));
  assert.ok(asked.includes(429));
  let isTrying = true;
  // A call is free again every half a second: take each of them while the page loads.
  const trying = Promise.all(Array.from({ length: 4 }, async () => {
    while (isTrying) await ask();
  }));
  const window = await openLink(browser, product, link, VIEWS[1]!);
  try {
    const told = window.page.getByText("יותר מדי ניסיונות", { exact: false });
    await until(
      async () => {
        await window.settled();
        if (await told.isVisible()) return true;
        // The page's own call was the one that was free.
        await window.page.reload();
        return false;
      },
      PATIENCE_MS,
      "the page is told to wait",
      0,
    );
    await look(window, "removal-throttled");
  } finally {
    isTrying = false;
    await trying;
  }
  await becomes(async () => {
    const again = window.page.getByRole("button", { name: "ניסיון נוסף" });
    if (await again.isVisible()) await again.click();
    return await button(window).isVisible();
  }, true);
  await window.context.close();
}
