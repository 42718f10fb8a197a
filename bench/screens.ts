/** Measures the size of the first screens, built as they ship. */
import { join } from "node:path";
import { buildWeb } from "../web/build/build.ts";
import {
  CHART,
  CLIENT_HOME,
  DASHBOARD,
  loadedChunks,
  PUBLIC_PAGES,
  screenWeight,
} from "../web/testing/screen_weight.ts";

/** Returns one line per budget: scripts and the style sheet by brotli 11, and whether the chart loads late. */
export async function measureScreens(): Promise<string[]> {
  const outDir = await Deno.makeTempDir();
  try {
    await buildWeb({ outDir, library: "preact", minify: true, compress: "best" });
    const script = async (entries: readonly string[]) => kb(await screenWeight(outDir, entries));
    const dashboard = await loadedChunks(outDir, DASHBOARD);
    const isLate = !dashboard.some((name) => name.startsWith(`${CHART}-`));
    return [
      `landing and login: ${await script(PUBLIC_PAGES)} of script (bar: 45 kB)`,
      `client home: ${await script(CLIENT_HOME)} of script (bar: 70 kB)`,
      `style sheet: ${kb(await styleBytes(outDir))} (bar: 20 kB)`,
      `dashboard: ${await script(DASHBOARD)} of script, its chart ${
        isLate ? "after" : "within"
      } the first load ` +
      `(bar: after)`,
    ];
  } finally {
    await Deno.remove(outDir, { recursive: true });
  }
}

function kb(bytes: number): string {
  return `${(bytes / 1000).toFixed(1)} kB brotli`;
}

async function styleBytes(outDir: string): Promise<number> {
  const folder = join(outDir, "assets");
  const names = (await Array.fromAsync(Deno.readDir(folder))).map(({ name }) => name);
  const sizes = names.filter((name) => name.endsWith(".css.br")).map((name) => Deno.stat(join(folder, name)));
  return (await Promise.all(sizes)).reduce((sum, { size }) => sum + size, 0);
}
