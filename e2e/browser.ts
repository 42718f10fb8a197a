/**
 * Runs Debian's Chromium with playwright-core, and the checks that every page test shares: CSP, console, axe,
 * pictures.
 */
import axe, { type AxeResults } from "axe-core";
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { dirname } from "node:path";
import {
  type Browser,
  type BrowserContext,
  chromium,
  type Locator,
  type Page,
  type Request,
} from "playwright-core";
import { PATIENCE_MS, until } from "./wait.ts";

export interface View {
  width: 1280 | 390;
  theme: "light" | "dark";
}

/** Interval between two checks of a page, where a test checks hundreds of times. */
export const FRAME_MS = 20;
/** Those of axe's default rules that examine colours. */
const COLOUR_RULES = ["color-contrast", "link-in-text-block"];
const PICTURES = new URL("./screenshots/", import.meta.url).pathname;
/** Pictures are off by default: no test asserts on them, and they take a quarter of the time. */
const TAKES_PICTURES = Deno.env.has("PICTURES");
/** About once in a thousand pictures Chromium never draws the requested frame; a second request works. */
const PICTURE_MS = 20_000;

/** Chromium without windows: the same pages take a quarter less processor time. */
const SHELL = "/usr/bin/chromium-headless-shell";

/**
 * Starts the system's Chromium without any connection of its own.
 *
 * @throws {Error} when it is not installed
 */
export function launchBrowser(): Promise<Browser> {
  return chromium.launch({
    executablePath: existsSync(SHELL) ? SHELL : "/usr/bin/chromium",
    headless: true,
    timeout: PATIENCE_MS,
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

/** One person's browser window on the product; it records every error. */
export class Window {
  readonly violations: string[] = [];
  readonly consoleErrors: string[] = [];
  readonly #underWay = new Set<Request>();

  private constructor(
    readonly context: BrowserContext,
    readonly page: Page,
    public view: View,
    private readonly baseURL: string,
  ) {}

  static async open(browser: Browser, baseURL: string, view: View): Promise<Window> {
    const context = await browser.newContext({
      baseURL,
      locale: "he-IL",
      timezoneId: "Asia/Jerusalem",
      viewport: { width: view.width, height: 900 },
      reducedMotion: "reduce",
    });
    context.setDefaultTimeout(PATIENCE_MS);
    const page = await context.newPage();
    const window = new Window(context, page, view, baseURL);
    await page.exposeFunction("reportViolation", (text: string) => window.violations.push(text));
    await page.addInitScript((theme) => {
      localStorage.setItem("theme", theme);
      document.addEventListener("securitypolicyviolation", (event) => {
        const report = (globalThis as unknown as { reportViolation(text: string): void }).reportViolation;
        report(`${event.violatedDirective} ${event.blockedURI}`);
      });
    }, view.theme);
    page.on("console", (message) => {
      if (message.type() === "error") {
        window.consoleErrors.push(`${message.text()} ${message.location().url}`);
      }
    });
    page.on("pageerror", (error) => window.consoleErrors.push(String(error)));
    page.on("request", (request) => window.#underWay.add(request));
    for (const end of ["requestfinished", "requestfailed"] as const) {
      page.on(end as "requestfinished", (request) => window.#underWay.delete(request));
    }
    return window;
  }

  /** Gives the window the session of a caller that logged in elsewhere. */
  async takeSession(cookie: string): Promise<void> {
    const cookies = cookie.split("; ").map((pair) => {
      const [name, ...value] = pair.split("=");
      return { name: name!, value: value.join("="), url: this.baseURL };
    });
    await this.context.addCookies(cookies);
  }

  /** Navigates to a path like a link of the application, without a page load. */
  async follow(path: string): Promise<void> {
    await this.page.evaluate((to) => {
      history.pushState(null, "", to);
      dispatchEvent(new PopStateEvent("popstate"));
      scrollTo(0, 0);
    }, path);
  }

  /** Waits until no request is under way and no loading text is visible. */
  async settled(): Promise<void> {
    let calmLooks = 0;
    await until(
      async () => {
        const isCalm = this.#underWay.size === 0 && await this.page.evaluate(isAtRest) &&
          this.#underWay.size === 0;
        // Between a response and the request that follows from it there is also no request under way: require
        // several calm checks.
        calmLooks = isCalm ? calmLooks + 1 : 0;
        return calmLooks === 2;
      },
      PATIENCE_MS,
      `${this.page.url()} at rest`,
      FRAME_MS,
    );
  }

  /** Saves a picture of the whole page in e2e/screenshots. */
  async picture(name: string): Promise<void> {
    const path = `${PICTURES}${name}-${this.view.width}-${this.view.theme}.png`;
    await Deno.mkdir(dirname(path), { recursive: true });
    const take = (timeout: number) => this.page.screenshot({ path, fullPage: true, timeout });
    await take(PICTURE_MS).catch(() => take(PATIENCE_MS));
  }

  /** Asserts like examine(); with `PICTURES` in the environment it takes a picture first. */
  async look(name: string, rules?: readonly string[]): Promise<void> {
    if (TAKES_PICTURES) await this.picture(name);
    await this.examine(name, rules);
  }

  /**
   * Examines the page in the other theme, and keeps that theme. The themes differ only in colours, so axe runs
   * only the colour rules.
   */
  async lookInOtherTheme(name: string): Promise<void> {
    const theme = this.view.theme === "dark" ? "light" : "dark";
    // The same change as the switch in web/ui/theme.ts.
    await this.page.evaluate((theme) => void (document.documentElement.dataset.theme = theme), theme);
    this.view = { ...this.view, theme };
    await this.look(name, COLOUR_RULES);
  }

  /** Asserts that axe finds nothing, with all of its rules or some, and that the page does not scroll sideways. */
  async examine(name: string, rules?: readonly string[]): Promise<void> {
    const hasAxe = await this.page.evaluate(() => "axe" in globalThis);
    if (!hasAxe) await this.page.evaluate(axe.source);
    const found = await this.page.evaluate(async (rules) => {
      const { axe } = globalThis as unknown as { axe: { run(options: object): Promise<AxeResults> } };
      return await axe.run({ resultTypes: ["violations"], ...(rules ? { runOnly: rules } : {}) });
    }, rules);
    assert.deepEqual(
      found.violations.map((one) => `${one.id}: ${one.nodes.map((node) => node.html).join(" | ")}`),
      [],
      `axe on ${name} at ${this.view.width} ${this.view.theme}`,
    );
    const wider = await this.page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    assert.ok(wider <= 0, `${name} is ${wider} px wider than the window`);
  }

  /**
   * Closes the window and asserts that there was no policy violation and no logged error. The browser itself logs
   * every response with an error status; statuses in `provoked` are expected.
   */
  async close(provoked: readonly number[] = []): Promise<void> {
    const isProvoked = (line: string) =>
      provoked.some((status) =>
        line.startsWith(`Failed to load resource: the server responded with a status of ${status} `) ||
        // The socket's error text for a 401.
        (status === 401 && /^WebSocket connection to .* failed: HTTP Authentication failed/.test(line))
      );
    assert.deepEqual(this.violations, []);
    assert.deepEqual(this.consoleErrors.filter((line) => !isProvoked(line)), []);
    await this.context.close();
  }
}

/** Runs in the page: returns whether fonts and images have loaded and no skeleton or loading text is left. */
function isAtRest(): boolean {
  const waits = [...document.querySelectorAll(".skeleton, [aria-busy=true], [role=status]")].some((element) =>
    !element.matches("[role=status]") || element.textContent?.startsWith("טוען")
  );
  return !waits && document.fonts.status === "loaded" &&
    [...document.images].every(({ complete }) => complete);
}

/** Presses a button until the awaited element appears, because of the press or by itself. */
export async function pressUntil(button: Locator, awaited: Locator): Promise<void> {
  await until(
    async () => {
      if (await button.isVisible()) await button.click({ timeout: 1_000 });
      return await awaited.isVisible();
    },
    PATIENCE_MS,
    "what the press asks for",
  );
}
