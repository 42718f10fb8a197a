/**
 * `deno task pictures`: writes README's pictures to docs/pictures, three from seeded worlds and one from simulated
 * phones at work.
 */
import type { Browser } from "playwright-core";
import type { Campaign, User } from "shared/http_api.ts";
import { launchBrowser, type View, Window } from "./browser.ts";
import { builtScreens } from "./built_screens.ts";
import { Caller, type Login } from "./caller.ts";
import { Product } from "./product.ts";
import { until } from "./wait.ts";
import { SeededEdge, type World } from "./seeded_edge.ts";
import { shrinkPng } from "./shrink_png.ts";

const FOLDER = new URL("../docs/pictures/", import.meta.url).pathname;
const SIZE = { width: 1200, height: 750 };
const RECIPIENTS = 400;

interface Picture {
  file: string;
  path: string;
  theme: View["theme"];
}

const webDir = await builtScreens("preact");
const browser = await launchBrowser();
try {
  await Deno.mkdir(FOLDER, { recursive: true });
  await ofWorld("small", async (edge) => {
    await take(browser, edge.url, edge.client!, { file: "client", path: "/client", theme: "light" });
    await take(browser, edge.url, edge.admin, { file: "devices", path: "/admin/devices", theme: "light" });
  });
  await ofWorld("busy", async (edge) => {
    await welcome(edge, ["מאפיית הכפר", "סטודיו קורל"]);
    await take(browser, edge.url, edge.admin, { file: "dashboard", path: "/admin", theme: "dark" });
  });
  await ofPhones();
} finally {
  await browser.close();
}

async function ofWorld(world: World, use: (edge: SeededEdge) => Promise<void>): Promise<void> {
  const edge = await SeededEdge.start(world, webDir);
  try {
    await use(edge);
  } finally {
    await edge.stop();
  }
}

/** Creates clients and loads messages for them, so that the newest activity lines show an administrator's work. */
async function welcome(edge: SeededEdge, clients: readonly string[]): Promise<void> {
  const admin = await Caller.login(edge.url, edge.admin);
  for (const username of clients) {
    const json = { username, password: edge.admin.password, role: "client" };
    const { id } = await admin.read<User>("POST", "/api/users", { json });
    await admin.read("PATCH", `/api/users/${id}/quota`, { json: { messageQuota: 2000 } });
  }
}

/** Takes a picture of a campaign that simulated phones have sent nearly half of. */
async function ofPhones(): Promise<void> {
  const product = await Product.start({ devices: 12, speed: 10, rateLimit: 0.5, webDir });
  try {
    const login = product.logins().find(({ role }) => role === "client")!;
    const caller = await Caller.login(product.url, login);
    const form = new FormData();
    form.set("name", "הזמנה לכנס הלקוחות");
    form.set("message", "שלום,\nכנס הלקוחות השנתי ייפתח ביום שלישי בשעה 17:00.\nנשמח לראותכם!");
    form.set("kind", "service");
    form.set("status", "draft");
    const { id } = await caller.read<Campaign>("POST", "/api/campaigns", { form });
    const numbers = Array.from({ length: RECIPIENTS }, (_, index) => `054-${3_710_001 + index}`).join("\n");
    await caller.read("POST", `/api/campaigns/${id}/contacts/manual`, { json: { numbers } });
    await caller.read("POST", `/api/campaigns/${id}/send`);
    const isHalfWay = async () =>
      (await caller.read<Campaign>("GET", `/api/campaigns/${id}`)).sentCount > RECIPIENTS * 0.45;
    await until(isHalfWay, 120_000, "nearly half of the campaign");
    await take(browser, product.url, login, {
      file: "campaign",
      path: `/client/campaign/${id}`,
      theme: "dark",
    });
  } finally {
    await product.stop();
  }
}

async function take(
  browser: Browser,
  url: string,
  login: Login,
  { file, path, theme }: Picture,
): Promise<void> {
  const window = await Window.open(browser, url, { width: 1280, theme });
  await window.takeSession((await Caller.login(url, login)).cookie);
  await window.page.setViewportSize(SIZE);
  await window.page.goto(path);
  await window.page.getByRole("heading", { level: 1 }).waitFor();
  await window.settled();
  await Deno.writeFile(`${FOLDER}${file}.png`, shrinkPng(await window.page.screenshot()));
  await window.close();
}
