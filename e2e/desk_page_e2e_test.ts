/** The page beside the phones on paper: pages, ink, and nothing fetched from elsewhere. */
import assert from "node:assert/strict";
import { DESK_PATH, deskSearch, MAKERS } from "../shared/desk_guide.ts";
import { launchBrowser } from "./browser.ts";
import { builtScreens } from "./built_screens.ts";
import { SeededEdge } from "./seeded_edge.ts";

const WHITE = "rgb(255, 255, 255)";
const BLACK = "rgb(0, 0, 0)";

Deno.test("the page beside the phones prints on two sheets, on one for a maker, and dark on white", async () => {
  const edge = await SeededEdge.start("empty", await builtScreens("preact"));
  const browser = await launchBrowser();
  try {
    const context = await browser.newContext({ viewport: { width: 390, height: 800 } });
    await context.addInitScript(() => localStorage.setItem("theme", "dark"));
    const page = await context.newPage();
    const foreign: string[] = [];
    page.on("request", (request) => {
      if (!request.url().startsWith(edge.url)) foreign.push(request.url());
    });
    for (const language of ["he", "en"] as const) {
      for (const maker of [null, ...MAKERS]) {
        await page.goto(`${edge.url}${DESK_PATH}${deskSearch(maker, language)}`);
        await page.getByRole("heading", { level: 1 }).waitFor();
        await page.evaluate(() => document.fonts.ready);
        const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
        assert.equal(wide, 0, `${language} ${maker} at 390`);
        const pdf = await page.pdf({ preferCSSPageSize: true });
        const sheets = [...new TextDecoder("latin1").decode(pdf).matchAll(/\/Type \/Page\b/g)].length;
        assert.ok(
          sheets >= 1 && sheets <= (maker === null ? 2 : 1),
          `${language} ${maker}: ${sheets} sheets`,
        );
      }
    }
    await page.emulateMedia({ media: "print" });
    const ink = await page.evaluate(() => {
      const styleOf = (selector: string) => getComputedStyle(document.querySelector(selector)!);
      return [
        styleOf("body").backgroundColor,
        styleOf("main ol").backgroundColor,
        styleOf("h1").color,
        styleOf("header").display,
      ];
    });
    assert.deepEqual(ink, [WHITE, WHITE, BLACK, "none"]);
    assert.deepEqual(foreign, []);
  } finally {
    await browser.close();
    await edge.stop();
  }
});
