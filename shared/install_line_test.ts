import assert from "node:assert/strict";
import { installLine } from "./install_line.ts";

Deno.test("installLine() returns the line that the guide shows, without characters special to the shell", async () => {
  const line = installLine("https://shigur.example", "3Fq…");
  const guide = await Deno.readTextFile(new URL("../docs/site_guide.md", import.meta.url));
  assert.equal(guide.split(`\n${line}\n`).length, 3, "once in each language");
  assert.match(installLine("https://shigur.example:8443", "aZ-_9"), /^[\w :/.|-]+$/);
});
