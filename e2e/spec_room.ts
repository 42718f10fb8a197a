/** One edge and one browser for a file of small browser tests, with a step for each rule of the specification. */
import assert from "node:assert/strict";
import type { Browser, Page } from "playwright-core";
import type { User } from "shared/http_api.ts";
import { launchBrowser, type View, Window } from "./browser.ts";
import { builtScreens } from "./built_screens.ts";
import { Caller, type Login } from "./caller.ts";
import { SeededEdge, type World } from "./seeded_edge.ts";

export type Who = "visitor" | "client" | "admin";

export interface OpenOptions {
  path: string;
  /** Session of the window; a visitor's when absent. */
  as?: Who;
  view?: View;
  /** Error statuses that the step itself causes. */
  provoked?: readonly number[];
  /** Runs in the window before its first page. */
  before?: (window: Window) => Promise<unknown>;
}

const WIDE: View = { width: 1280, theme: "dark" };

export class Room {
  private constructor(
    readonly edge: SeededEdge,
    readonly admin: Caller,
    readonly client: Caller,
    readonly clientLogin: Login,
    private readonly browser: Browser,
    private readonly t: Deno.TestContext,
  ) {}

  /** Runs `use` with an edge over a world, and stops both afterwards. */
  static async with(t: Deno.TestContext, world: World, use: (room: Room) => Promise<void>): Promise<void> {
    const edge = await SeededEdge.start(world, await builtScreens("preact"));
    const browser = await launchBrowser();
    try {
      assert.ok(edge.client);
      const admin = await Caller.login(edge.url, edge.admin);
      const client = await Caller.login(edge.url, edge.client);
      await use(new Room(edge, admin, client, edge.client, browser, t));
    } finally {
      await browser.close();
      await edge.stop();
    }
  }

  /** Runs one step in its own window; no error is allowed except the provoked ones. */
  async step(
    name: string,
    { path, as = "visitor", view = WIDE, provoked, before }: OpenOptions,
    prove: (page: Page, window: Window) => Promise<void>,
  ): Promise<void> {
    await this.t.step(name, async () => {
      const window = await Window.open(this.browser, this.edge.url, view);
      try {
        if (as !== "visitor") await window.takeSession(this[as].cookie);
        await before?.(window);
        await window.page.goto(path);
        await prove(window.page, window);
        await window.close(provoked);
      } catch (error) {
        await window.picture(`failure-${name.replace(/[^\p{L}\p{N}]+/gu, "-").slice(0, 60)}`);
        await window.context.close();
        throw error;
      }
    });
  }

  /** Returns the client's present state at the edge. */
  async me(): Promise<User> {
    return await this.client.read("GET", "/api/auth/me");
  }
}

/** Waits for the single toast on the screen, and asserts its exact title and text. */
export async function toast(page: Page, title: string, text: string): Promise<void> {
  const card = page.locator(".toast-card").filter({ has: page.getByText(title, { exact: true }) });
  await card.filter({ has: page.getByText(text, { exact: true }) }).first().waitFor();
  assert.ok(await page.locator(".toast-card").count() <= 1, "one toast at a time, and it may be gone by now");
}

/** Answers the next calls to a path with the status 500 and an empty body. */
export async function refuseBare(page: Page, path: string): Promise<void> {
  await page.route(path, (route) => route.fulfill({ status: 500, body: "" }));
}

/** Fills the login form and sends it. */
export async function fillLogin(page: Page, username: string, password: string): Promise<void> {
  await page.getByLabel("שם משתמש").fill(username);
  await page.getByLabel("סיסמה").fill(password);
  await page.getByRole("button", { name: "התחברות" }).click();
}
