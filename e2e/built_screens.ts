/** The screens as the browser tests are given them: built on one of the two libraries. */
import { buildWeb } from "../web/build/build.ts";

export type Library = "preact" | "react";

/** Builds the screens when their sources changed, and gives their folder. */
export async function builtScreens(library: Library): Promise<string> {
  const outDir = new URL(`./dist-${library}`, import.meta.url).pathname;
  await buildWeb({ outDir, library, minify: true, compress: "fast" });
  return outDir;
}
