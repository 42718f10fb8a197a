/** What the first screens weigh, built as they ship. */
import { buildWeb } from "../web/build.ts";
import { CLIENT_HOME, PUBLIC_PAGES, screenWeight } from "../web/testing/screen_weight.ts";

export interface ScreenFigures {
  screen: string;
  scriptKb: number;
  budgetKb: number;
}

/** Script of landing and login together, and of the client's home, brotli 11. */
export async function measureScreens(): Promise<ScreenFigures[]> {
  const outDir = await Deno.makeTempDir();
  try {
    await buildWeb({ outDir, library: "preact", minify: true, compress: "best" });
    return [
      {
        screen: "landing and login",
        scriptKb: await screenWeight(outDir, PUBLIC_PAGES) / 1000,
        budgetKb: 45,
      },
      { screen: "client home", scriptKb: await screenWeight(outDir, CLIENT_HOME) / 1000, budgetKb: 70 },
    ];
  } finally {
    await Deno.remove(outDir, { recursive: true });
  }
}
