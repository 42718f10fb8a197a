/** Debian's Chromium under playwright-core, with the eyes every page test shares: CSP, console, axe, pictures. */
import axe, { type AxeResults } from "axe-core";
import assert from "node:assert/strict";
import { dirname } from "node:path";
import {
  type Browser,
  type BrowserContext,
  chromium,
  type Locator,
  type Page,
  type Request,
} from "playwright-core";
import { PATIENCE_MS, until } from "./product.ts";

export interface View {
  width: 1280 | 390;
  theme: "light" | "dark";
}

/** Between two looks at a page, where a test looks hundreds of times. */
export const FRAME_MS = 20;
/** Those of axe's rules, as it runs them unasked, that look at colours. */
const COLOUR_RULES = ["color-contrast", "link-in-text-block"];
const PICTURES = new URL("./screenshots/", import.meta.url).pathname;
/** Nothing is asserted of them and they take a quarter of the time, so a test takes them only where it is told to. */
const TAKES_PICTURES = Deno.env.has("PICTURES");
/** Once in some thousand pictures Chromium never draws the frame it was asked for; asked again, it does. */
const PICTURE_MS = 20_000;

/** Starts the system's Chromium without any connection of its own. @throws {Error} when it is not installed */
export function launchBrowser(): Promise<Browser> {
  return chromium.launch({
    executablePath: "/usr/bin/chromium",
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

/** One person's window on the product, which remembers everything that went wrong in it. */
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

  /** Goes to a path as a link of the application would, without loading the page anew. */
  async follow(path: string): Promise<void> {
    await this.page.evaluate((to) => {
      history.pushState(null, "", to);
      dispatchEvent(new PopStateEvent("popstate"));
      scrollTo(0, 0);
    }, path);
  }

  /** Waits until nothing is asked for, and nothing on the screen says that more is to come. */
  async settled(): Promise<void> {
    let calmLooks = 0;
    await until(
      async () => {
        const isCalm = this.#underWay.size === 0 && await this.page.evaluate(isAtRest) &&
          this.#underWay.size === 0;
        // Between an answer and the question that follows from it, nothing is asked for either.
        calmLooks = isCalm ? calmLooks + 1 : 0;
        return calmLooks === 2;
      },
      PATIENCE_MS,
      `${this.page.url()} at rest`,
      FRAME_MS,
    );
  }

  /** Takes a picture of the whole page into e2e/screenshots. */
  async picture(name: string): Promise<void> {
    const path = `${PICTURES}${name}-${this.view.width}-${this.view.theme}.png`;
    await Deno.mkdir(dirname(path), { recursive: true });
    const take = (timeout: number) => this.page.screenshot({ path, fullPage: true, timeout });
    await take(PICTURE_MS).catch(() => take(PATIENCE_MS));
  }

  /** Asserts as examine() does; with `PICTURES` in the environment it takes a picture before. */
  async look(name: string, rules?: readonly string[]): Promise<void> {
    if (TAKES_PICTURES) await this.picture(name);
    await this.examine(name, rules);
  }

  /**
   * Looks at the page in the other theme, and leaves it so. The themes differ in colours alone, so axe examines the
   * colours alone: the rest is as it was.
   */
  async lookInOtherTheme(name: string): Promise<void> {
    const theme = this.view.theme === "dark" ? "light" : "dark";
    // As the switch of web/ui/theme.ts does.
    await this.page.evaluate((theme) => void (document.documentElement.dataset.theme = theme), theme);
    this.view = { ...this.view, theme };
    await this.look(name, COLOUR_RULES);
  }

  /** Asserts that axe finds nothing, by all of its rules or by some, and nothing scrolls sideways. */
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
   * Asserts that no policy was violated and nothing was logged as an error, and closes the window. The browser
   * itself logs every answer with an error's status: those in `provoked` are no error of the screens.
   */
  async close(provoked: readonly number[] = []): Promise<void> {
    const isProvoked = (line: string) =>
      provoked.some((status) =>
        line.startsWith(`Failed to load resource: the server responded with a status of ${status} `) ||
        // The socket's words for a 401.
        (status === 401 && /^WebSocket connection to .* failed: HTTP Authentication failed/.test(line))
      );
    assert.deepEqual(this.violations, []);
    assert.deepEqual(this.consoleErrors.filter((line) => !isProvoked(line)), []);
    await this.context.close();
  }
}

/** Runs in the page: fonts and images are there, no skeleton and no word of loading is. */
function isAtRest(): boolean {
  const waits = [...document.querySelectorAll(".skeleton, [aria-busy=true], [role=status]")].some((element) =>
    !element.matches("[role=status]") || element.textContent?.startsWith("טוען")
  );
  return !waits && document.fonts.status === "loaded" &&
    [...document.images].every(({ complete }) => complete);
}

/** Presses what can be pressed until what is waited for is there, by the press or by itself. */
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
