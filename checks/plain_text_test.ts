import assert from "node:assert/strict";
import { productFiles } from "./source_files.ts";

/**
 * Code that could show text as HTML, run it, or expose the page to another window. Tests and the build of the page
 * are excluded.
 */
const FORBIDDEN =
  /dangerouslySetInnerHTML|\b(inner|outer)HTML\b|insertAdjacentHTML|document\.write|\beval\(|new Function\(|postMessage|javascript:/;

Deno.test("the screens show every text as text", async () => {
  const found: string[] = [];
  let read = 0;
  for await (const path of productFiles(new URL("../web", import.meta.url).pathname)) {
    read++;
    if (FORBIDDEN.test(await Deno.readTextFile(path))) found.push(path);
  }
  assert.ok(read > 150, `only ${read} files were read`);
  assert.deepEqual(found, []);
});
