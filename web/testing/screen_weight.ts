/** Measures the download size of a screen. */
import { join } from "node:path";

/** Chunks of a visitor's two pages. */
export const PUBLIC_PAGES = ["app", "landing", "login", "toasts"];
/** Chunks of a client's first screen. */
export const CLIENT_HOME = ["app", "toasts", "signed_in", "client_home"];

/** Chunks of an administrator's first screen. */
export const DASHBOARD = ["app", "toasts", "signed_in", "admin"];
/** Chunk of all charts, which must load after the first view. */
export const CHART = "line_chart";

/** Returns the brotli bytes of the named entries of a build and of all their static imports, at any depth. */
export async function screenWeight(outDir: string, entries: readonly string[]): Promise<number> {
  const chunks = await loadedChunks(outDir, entries);
  const sizes = await Promise.all(chunks.map((name) => Deno.stat(join(outDir, "assets", `${name}.br`))));
  return sizes.reduce((sum, { size }) => sum + size, 0);
}

/** Returns the files of the named entries and of all their static imports, at any depth. */
export async function loadedChunks(outDir: string, entries: readonly string[]): Promise<string[]> {
  const folder = join(outDir, "assets");
  const names = (await Array.fromAsync(Deno.readDir(folder))).map(({ name }) => name);
  const waiting = entries.map((entry) =>
    names.find((name) => name.startsWith(`${entry}-`) && name.endsWith(".js"))!
  );
  const seen = new Set<string>();
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
    if (seen.has(name)) continue;
    seen.add(name);
    const code = await Deno.readTextFile(join(folder, name));
    // Static imports only: a lazy screen is imported with import("…").
    for (const [, imported] of code.matchAll(/(?:from|import)"\.?\/(?:assets\/)?([^"]+\.js)"/g)) {
      waiting.push(imported);
    }
  }
  return [...seen];
}
