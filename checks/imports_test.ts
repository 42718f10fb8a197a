import assert from "node:assert/strict";
import { importNames, sourceFiles } from "./source_files.ts";

const PARTS = ["shared", "edge", "agent", "simulator", "web"] as const;
/** Allowed imports between the parts; start.ts, e2e/, bench/ and checks/ may import every part. */
const MAY_IMPORT: Record<string, readonly string[]> = {
  shared: ["shared"],
  edge: ["edge", "shared"],
  agent: ["agent", "simulator", "shared"],
  simulator: ["simulator", "agent", "shared"],
  web: ["web", "shared"],
};
const root = new URL("../", import.meta.url).pathname;

Deno.test("imports run one way: shared imports nothing of ours, and edge, web and the agent with its simulator never each other", async () => {
  const wrong: string[] = [];
  let read = 0;
  for (const part of PARTS) {
    for await (const file of sourceFiles(`${root}${part}`)) {
      read++;
      if (file.endsWith("imports_test.ts")) continue; // Its sample text below contains wrong imports on purpose.
      for (const target of importedParts(file, await Deno.readTextFile(file))) {
        if (!MAY_IMPORT[part].includes(target.part)) {
          wrong.push(`${file.slice(root.length)} imports ${target.name}`);
        }
      }
    }
  }
  assert.ok(read > 50, `only ${read} files were read`);
  assert.deepEqual(wrong, []);
});

Deno.test("importedParts() finds static, type-only, re-exported and dynamic imports", () => {
  const text =
    `import a from "shared/x.ts";\nimport type { B } from "../edge/b.ts";\nexport * from "../agent/c.ts";
const d = await import("../web/d.ts");\nimport "hono";`;
  assert.deepEqual(importedParts(`${root}shared/file.ts`, text).map((t) => t.part), [
    "shared",
    "edge",
    "agent",
    "web",
  ]);
});

Deno.test("every suite of random cases takes the seed of the run", async () => {
  const wrong: string[] = [];
  for (const part of [...PARTS, "e2e", "bench"]) {
    for await (const file of sourceFiles(`${root}${part}`)) {
      if (file.endsWith("shared/testing/fast_check.ts")) continue;
      if (importNames(await Deno.readTextFile(file)).includes("fast-check")) {
        wrong.push(file.slice(root.length));
      }
    }
  }
  assert.deepEqual(wrong, []);
});

Deno.test("features of the screens never import each other: they meet in routes", async () => {
  const wrong: string[] = [];
  let read = 0;
  const features = `${root}web/features/`;
  for await (const file of sourceFiles(`${root}web/features`)) {
    // A test may import other features that meet its own in a route.
    if (/_test\.tsx?$/.test(file)) continue;
    read++;
    const own = file.slice(features.length).split("/")[0];
    for (const name of importNames(await Deno.readTextFile(file))) {
      const { pathname } = new URL(name.startsWith(".") ? name : "./", `file://${file}`);
      const isOthers = pathname.startsWith(features) && !pathname.startsWith(`${features}${own}/`);
      if (isOthers) wrong.push(`${file.slice(root.length)} imports ${name}`);
    }
  }
  assert.ok(read > 80, `only ${read} files were read`);
  assert.deepEqual(wrong, []);
});

Deno.test("the queue imports no session, socket or screen", async () => {
  const wrong: string[] = [];
  for await (const file of sourceFiles(`${root}edge/queue`)) {
    if (file.endsWith("_test.ts")) continue;
    for (const name of importNames(await Deno.readTextFile(file))) {
      if (/^\.\.\/(campaigns|sites|live|users|auth)\//.test(name)) {
        wrong.push(`${file.slice(root.length)} imports ${name}`);
      }
    }
  }
  assert.deepEqual(wrong, []);
});

function importedParts(file: string, text: string): { part: string; name: string }[] {
  return importNames(text).flatMap((name) => {
    const path = name.startsWith(".") ? new URL(name, `file://${file}`).pathname.slice(root.length) : name;
    const part = path.split("/")[0];
    return (PARTS as readonly string[]).includes(part) ? [{ part, name }] : [];
  });
}
