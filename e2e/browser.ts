/** Debian's Chromium under playwright-core, with the eyes every page test shares: CSP, console, axe, pictures. */
import { AxeBuilder } from "@axe-core/playwright";
import assert from "node:assert/strict";
import { type Browser, type BrowserContext, chromium, type Page } from "playwright-core";

export interface View {
  width: 1280 | 390;
  theme: "light" | "dark";
}

const PICTURES = new URL("./screenshots/", import.meta.url).pathname;

/** Starts the system's Chromium without any connection of its own. @throws {Error} when it is not installed */
export function launchBrowser(): Promise<Browser> {
  return chromium.launch({
    executablePath: "/usr/bin/chromium",
    headless: true,
    args: [
      "--no-sandbox",
      "--disable-gpu",
      "--disable-quic",
      "--no-first-run",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
    ],
  });
}

/** One person's window on the product, which remembers everything that went wrong in it. */
export class Window {
  readonly violations: string[] = [];
  readonly consoleErrors: string[] = [];

  private constructor(readonly context: BrowserContext, readonly page: Page, readonly view: View) {}

  static async open(browser: Browser, baseURL: string, view: View): Promise<Window> {
    const context = await browser.newContext({
      baseURL,
      locale: "he-IL",
      timezoneId: "Asia/Jerusalem",
      viewport: { width: view.width, height: 900 },
      reducedMotion: "reduce",
    });
    const page = await context.newPage();
    const window = new Window(context, page, view);
    await page.exposeFunction("reportViolation", (text: string) => window.violations.push(text));
    await page.addInitScript((theme) => {
      localStorage.setItem("theme", theme);
      document.addEventListener("securitypolicyviolation", (event) => {
        const report = (globalThis as unknown as { reportViolation(text: string): void }).reportViolation;
        report(`${event.violatedDirective} ${event.blockedURI}`);
      });
    }, view.theme);
    page.on("console", (message) => {
      if (message.type() === "error") window.consoleErrors.push(message.text());
    });
    page.on("pageerror", (error) => window.consoleErrors.push(String(error)));
    return window;
  }

  /** Takes a picture of the whole page into e2e/screenshots. */
  async picture(name: string): Promise<void> {
    await Deno.mkdir(PICTURES, { recursive: true });
    const path = `${PICTURES}${name}-${this.view.width}-${this.view.theme}.png`;
    await this.page.screenshot({ path, fullPage: true });
  }

  /** Takes a picture and asserts that axe finds nothing and nothing scrolls sideways. */
  async look(name: string): Promise<void> {
    await this.picture(name);
    const found = await new AxeBuilder({ page: this.page }).analyze();
    assert.deepEqual(
      found.violations.map((one) => `${one.id}: ${one.nodes.map((node) => node.html).join(" | ")}`),
      [],
      `axe on ${name} at ${this.view.width} ${this.view.theme}`,
    );
    const wider = await this.page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    assert.ok(wider <= 0, `${name} is ${wider} px wider than the window`);
  }

  /** Asserts that no policy was violated and nothing was logged as an error, and closes the window. */
  async close(): Promise<void> {
    assert.deepEqual(this.violations, []);
    assert.deepEqual(this.consoleErrors, []);
    await this.context.close();
  }
}
