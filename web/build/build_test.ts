import assert from "node:assert/strict";
import { join } from "node:path";
import { buildWeb } from "./build.ts";
import {
  CHART,
  CLIENT_HOME,
  DASHBOARD,
  loadedChunks,
  PUBLIC_PAGES,
  screenWeight,
} from "../testing/screen_weight.ts";

Deno.test("buildWeb() writes a page without inline scripts, within its weight, and only when something changed", async () => {
  const outDir = await Deno.makeTempDir();
  try {
    const options = { outDir, library: "preact", minify: true, compress: "best" } as const;
    assert.equal((await buildWeb({ ...options, outDir: `${outDir}/` })).built, true);
    assert.equal((await buildWeb(options)).built, false);

    const page = await Deno.readTextFile(join(outDir, "index.html"));
    assert.match(page, /<html lang="he" dir="rtl"/);
    for (const [script] of page.matchAll(/<script.*?<\/script>/gs)) {
      assert.match(script, /src="[^"]+"><\/script>/);
    }
    assert.match(page, /rel="preload" href="\/assets\/assistant-hebrew[^"]+\.woff2"/);
    for (const [, path] of page.matchAll(/(?:src|href)="(\/[^"]+)"/g)) await Deno.stat(join(outDir, path));

    const licences = await Deno.readTextFile(join(outDir, "licences.txt"));
    const named = [...licences.matchAll(/^(\S+) \d+\.\d+\.\d+$/gm)].map(([, name]) => name);
    for (
      const name of ["preact", "lucide-react", "daisyui", "@fontsource-variable/assistant", "apexcharts"]
    ) {
      assert.ok(named.includes(name), `${name} without its licence`);
    }
    assert.ok(!named.includes("react"), "what is not in the bundle has none");

    const names = (await Array.fromAsync(Deno.readDir(join(outDir, "assets")))).map(({ name }) => name);
    assert.deepEqual(names.filter((name) => name.endsWith(".woff2")).length, 2);
    const css = names.find((name) => name.endsWith(".css.br"))!;
    assert.ok((await Deno.stat(join(outDir, "assets", css))).size <= 20_000, "style sheet over 20 kB");
    assert.ok(
      await screenWeight(outDir, PUBLIC_PAGES) <= 45_000,
      "public pages over 45 kB",
    );
    assert.ok(
      await screenWeight(outDir, CLIENT_HOME) <= 70_000,
      "home over 70 kB",
    );
    const dashboard = await loadedChunks(outDir, DASHBOARD);
    assert.ok(names.some((name) => name.startsWith(`${CHART}-`)), "the chart has a chunk of its own");
    assert.ok(!dashboard.some((name) => name.startsWith(`${CHART}-`)), "the chart is in the first load");
  } finally {
    await Deno.remove(outDir, { recursive: true });
  }
});
