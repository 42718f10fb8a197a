import assert from "node:assert/strict";
import { join } from "node:path";
import { buildWeb } from "./build.ts";

Deno.test("buildWeb() writes a page without inline scripts, within its weight, and only when something changed", async () => {
  const outDir = await Deno.makeTempDir();
  try {
    const options = { outDir, library: "preact", minify: true, compress: "best" } as const;
    assert.equal((await buildWeb(options)).built, true);
    assert.equal((await buildWeb(options)).built, false);

    const page = await Deno.readTextFile(join(outDir, "index.html"));
    assert.match(page, /<html lang="he" dir="rtl"/);
    for (const [script] of page.matchAll(/<script.*?<\/script>/gs)) {
      assert.match(script, /src="[^"]+"><\/script>/);
    }
    assert.match(page, /rel="preload" href="\/assets\/assistant-hebrew[^"]+\.woff2"/);
    for (const [, path] of page.matchAll(/(?:src|href)="(\/[^"]+)"/g)) await Deno.stat(join(outDir, path));

    const names = (await Array.fromAsync(Deno.readDir(join(outDir, "assets")))).map(({ name }) => name);
    assert.deepEqual(names.filter((name) => name.endsWith(".woff2")).length, 2);
    const css = names.find((name) => name.endsWith(".css.br"))!;
    assert.ok((await Deno.stat(join(outDir, "assets", css))).size <= 20_000, "style sheet over 20 kB");
    assert.ok(
      await weightOf(outDir, ["app", "landing", "login", "toasts"]) <= 45_000,
      "public pages over 45 kB",
    );
    assert.ok(
      await weightOf(outDir, ["app", "toasts", "signed_in", "client_home"]) <= 70_000,
      "home over 70 kB",
    );
  } finally {
    await Deno.remove(outDir, { recursive: true });
  }
});

/** Brotli bytes of the named entries and of all they import at once, however deep. */
async function weightOf(outDir: string, entries: string[]): Promise<number> {
  const folder = join(outDir, "assets");
  const names = (await Array.fromAsync(Deno.readDir(folder))).map(({ name }) => name);
  const waiting = entries.map((entry) =>
    names.find((name) => name.startsWith(`${entry}-`) && name.endsWith(".js"))!
  );
  const seen = new Set<string>();
  let bytes = 0;
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
    if (seen.has(name)) continue;
    seen.add(name);
    bytes += (await Deno.stat(join(folder, `${name}.br`))).size;
    const code = await Deno.readTextFile(join(folder, name));
    // Static imports only: a lazy screen is written import("…").
    for (const [, imported] of code.matchAll(/(?:from|import)"\.?\/(?:assets\/)?([^"]+\.js)"/g)) {
      waiting.push(imported);
    }
  }
  return bytes;
}
