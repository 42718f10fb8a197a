import assert from "node:assert/strict";
import { parsePatchFile } from "./patch_file.ts";

const DIFF = "diff --git a/edge/x.ts b/edge/x.ts\n--- a/edge/x.ts\n+++ b/edge/x.ts\n@@ -1 +1 @@\n-a\n+b\n";

Deno.test("parsePatchFile() reads what a patch breaks, where, and who should see it", () => {
  const text = `# invariant: I2\n# step: tapping\n# caught by: edge/x_test.ts "x() is right"\n${DIFF}`;
  assert.deepEqual(parsePatchFile("drop_x.patch", text), {
    name: "drop_x",
    invariant: "I2",
    step: "tapping",
    triedFirst: ["edge/x_test.ts"],
    test: "x() is right",
    isTheirs: false,
    changes: ["edge/x.ts"],
    diff: DIFF,
  });
});

Deno.test("parsePatchFile() knows a fault that asks whether one test sees it", () => {
  const { triedFirst, test, isTheirs } = parsePatchFile(
    "a.patch",
    `# invariant: I2\n# caught only by: e2e/y_test.ts\n${DIFF}`,
  );
  assert.deepEqual([triedFirst, test, isTheirs], [["e2e/y_test.ts"], null, true]);
});

Deno.test("parsePatchFile() refuses a patch without a diff or without its invariant", () => {
  assert.throws(() => parsePatchFile("a.patch", "# invariant: I2\n"), /a\.patch: no diff/);
  assert.throws(() => parsePatchFile("a.patch", DIFF), /no line "# invariant/);
});
