/** Part of `deno task ok`: code moves on, and a fault that cannot be planted any more proves nothing. */
import { deepStrictEqual } from "node:assert/strict";
import { whatIsMissing } from "./coverage.ts";
import { readFaults } from "./read_faults.ts";

const root = new URL("../../", import.meta.url).pathname;

Deno.test("every planted fault still applies to the code", async () => {
  const stale: string[] = [];
  for (const { name } of await readFaults()) {
    const args = ["apply", "--check", "--recount", "-C1", `${root}e2e/planted/${name}.patch`];
    const { success } = await new Deno.Command("git", { args, cwd: root, stderr: "null" }).output();
    if (!success) stale.push(name);
  }
  deepStrictEqual(stale, []);
});

Deno.test("each invariant, verb of the queue and step of the journal has a planted fault", async () => {
  deepStrictEqual(await whatIsMissing(await readFaults(), root), []);
});
