/**
 * Opens every screen × role × theme × width × world, on both libraries. Each has its heading, finishes loading and
 * has no error. PICTURES=1 saves pictures: e2e/screenshots/<world>/<role>-<screen>-<width>-<theme>.png.
 */
import type { Browser } from "playwright-core";
import assert from "node:assert/strict";
import { ADMIN_PATHS } from "../web/admin_paths.ts";
import { PATHS } from "../web/paths.ts";
import { launchBrowser, type View, Window } from "./browser.ts";
import { builtScreens, type Library } from "./built_screens.ts";
import { adminScreens, clientScreens, type Screen, VISITOR_SCREENS } from "./every_screen.ts";
import { Caller } from "./caller.ts";
import { makeLists } from "./make_lists.ts";
import { SeededEdge, type World } from "./seeded_edge.ts";

/** Every view shows each screen in both themes, which are two values of one attribute of the page. */
const VIEWS: readonly View[] = [{ width: 1280, theme: "dark" }, { width: 390, theme: "light" }];
const WORLDS: Record<Library, readonly World[]> = {
  preact: ["empty", "small", "busy", "storm"],
  react: ["empty", "storm"],
};

interface Role {
  name: string;
  /** Absent for a visitor. */
  cookie?: string;
  screens: readonly Screen[];
}

for (const library of ["preact", "react"] as const) {
  for (const world of WORLDS[library]) {
    Deno.test(`every screen in the world "${world}" on ${library}: its heading, at rest, in order for axe, policy and console`, async () => {
      const edge = await SeededEdge.start(world, await builtScreens(library));
      const browser = await launchBrowser();
      try {
        const roles = await rolesOf(edge, world);
        if (world === "empty") assertAllPaths(roles);
        const folder = library === "preact" ? world : `${world}-${library}`;
        await Promise.all(
          roles.flatMap((role) => VIEWS.map((view) => lookAtAll(browser, edge.url, view, role, folder))),
        );
      } finally {
        await browser.close();
        await edge.stop();
      }
    });
  }
}

/** Fails for a path of the application without a screen in the list. */
function assertAllPaths(roles: readonly Role[]): void {
  const shown = new Set(roles.flatMap(({ screens }) => screens.map(({ path }) => path)));
  const { user: _, ...adminPaths } = ADMIN_PATHS;
  const paths = [...Object.values(PATHS), ...Object.values(adminPaths)].map((path) =>
    (typeof path === "string" ? path : path(99_999_999)).split("#")[0]!
  );
  assert.deepEqual(paths.filter((path) => !shown.has(path)), []);
}

/** Visitors' screens are equal in every world. */
async function rolesOf(edge: SeededEdge, world: World): Promise<Role[]> {
  assert.ok(edge.client);
  const client = await Caller.login(edge.url, edge.client);
  await makeLists(client, world);
  const admin = await Caller.login(edge.url, edge.admin);
  const roles: Role[] = [
    { name: "client", cookie: client.cookie, screens: await clientScreens(client, edge.client.username) },
    { name: "admin", cookie: admin.cookie, screens: await adminScreens(admin, edge.admin.username) },
  ];
  return world === "empty" ? [{ name: "visitor", screens: VISITOR_SCREENS }, ...roles] : roles;
}

async function lookAtAll(
  browser: Browser,
  url: string,
  view: View,
  role: Role,
  folder: string,
): Promise<void> {
  const window = await Window.open(browser, url, view);
  let last = "the first screen";
  try {
    if (role.cookie) await window.takeSession(role.cookie);
    for (const [index, { name, path, heading }] of role.screens.entries()) {
      last = `${role.name}-${name}`;
      await (index === 0 ? window.page.goto(path) : window.follow(path));
      await window.page.getByRole("heading", { level: 1, name: heading, exact: true }).waitFor();
      await window.settled();
      await window.look(`${folder}/${last}`);
      await window.lookInOtherTheme(`${folder}/${last}`);
    }
    await window.close(role.screens.flatMap(({ status }) => status ?? []));
  } catch (error) {
    await window.picture(`${folder}/failure`);
    throw new Error(`${folder}/${last} at ${window.view.width} ${window.view.theme}`, { cause: error });
  }
}
