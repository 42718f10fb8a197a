import assert from "node:assert/strict";
import { installLine } from "./install_line.ts";

Deno.test("installLine() is the line the guide shows, and has nothing the shell would take for its own", async () => {
  const line = installLine("https://shigur.example", "3Fq…");
  const guide = await Deno.readTextFile(new URL("../docs/site_guide.md", import.meta.url));
  assert.equal(guide.split(`\n${line}\n`).length, 3, "once in each language");
  assert.match(installLine("https://shigur.example:8443", "aZ-_9"), /^[\w :/.|-]+$/);
});
