/** What a screen costs to load. */
import { join } from "node:path";

/** The chunks that a visitor's two pages load. */
export const PUBLIC_PAGES = ["app", "landing", "login", "toasts"];
/** The chunks that a client's first screen loads. */
export const CLIENT_HOME = ["app", "toasts", "signed_in", "client_home"];

/** The chunks that an administrator's first screen loads. */
export const DASHBOARD = ["app", "toasts", "signed_in", "admin"];
/** The chunk of the dashboard's chart, which is to come after the first view. */
export const CHART = "send_rate_chart";

/** Brotli bytes of the named entries of a build and of all they import at once, however deep. */
export async function screenWeight(outDir: string, entries: readonly string[]): Promise<number> {
  const chunks = await loadedChunks(outDir, entries);
  const sizes = await Promise.all(chunks.map((name) => Deno.stat(join(outDir, "assets", `${name}.br`))));
  return sizes.reduce((sum, { size }) => sum + size, 0);
}

/** Files of the named entries and of all they import at once, however deep. */
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
    // Static imports only: a lazy screen is written import("…").
    for (const [, imported] of code.matchAll(/(?:from|import)"\.?\/(?:assets\/)?([^"]+\.js)"/g)) {
      waiting.push(imported);
    }
  }
  return [...seen];
}
