/** Refuses the words in comments that make a sentence hard to read (docs/design.md, glossary). */
import assert from "node:assert/strict";
import { sourceFiles } from "./source_files.ts";

const FOLDERS = ["agent", "bench", "checks", "client", "e2e", "edge", "shared", "simulator", "web"];
const COMMENT = /^\s*(?:\/\/|\/?\*)(.*)$/gm;
const REFUSED =
  /\b(?:whoever|whomever|anew|thereof|therein|of which|besides|any longer|all the same|notwithstanding|of before)\b/i;

Deno.test("no comment holds a word that a reader has to read twice", async () => {
  const found: string[] = [];
  for (const folder of FOLDERS) {
    for await (const path of sourceFiles(folder)) {
      const source = await Deno.readTextFile(path);
      for (const [, words] of source.matchAll(COMMENT)) {
        if (REFUSED.test(words!)) found.push(`${path}: ${words!.trim()}`);
      }
    }
  }
  assert.deepEqual(found, []);
});
