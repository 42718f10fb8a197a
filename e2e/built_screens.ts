/** The built screens for browser tests, on one of the two libraries. */
import { buildWeb } from "../web/build/build.ts";

export type Library = "preact" | "react";

/** Builds the screens if their sources changed, and returns their folder. */
export async function builtScreens(library: Library): Promise<string> {
  const outDir = new URL(`./dist-${library}`, import.meta.url).pathname;
  await buildWeb({ outDir, library, minify: true, compress: "fast" });
  return outDir;
}
