import assert from "node:assert/strict";
import { applyEdit, parsePatchFile } from "./patch_file.ts";

const EDIT = "@@ edge/x.ts\n before\n-a\n+b\n";

Deno.test("parsePatchFile() reads a patch's invariant, place and catching test", () => {
  const text = `# invariant: I2\n# step: tapping\n# caught by: edge/x_test.ts "x() is right"\n${EDIT}`;
  assert.deepEqual(parsePatchFile("drop_x.patch", text), {
    name: "drop_x",
    invariant: "I2",
    step: "tapping",
    triedFirst: ["edge/x_test.ts"],
    test: "x() is right",
    isTheirs: false,
    edits: [{ path: "edge/x.ts", find: ["before", "a"], put: ["before", "b"] }],
  });
});

Deno.test("parsePatchFile() reads several edits, and a removed SQL comment in one", () => {
  const edits = "@@ edge/x.sql\n--- one\n+-- two\n@@ edge/x.sql\n-a\n+b\n";
  assert.deepEqual(parsePatchFile("x.patch", `# invariant: I2\n${edits}`).edits, [
    { path: "edge/x.sql", find: ["-- one"], put: ["-- two"] },
    { path: "edge/x.sql", find: ["a"], put: ["b"] },
  ]);
});

Deno.test("parsePatchFile() reads a fault that only one named test must catch", () => {
  const { triedFirst, test, isTheirs } = parsePatchFile(
    "a.patch",
    `# invariant: I2\n# caught only by: e2e/y_test.ts\n${EDIT}`,
  );
  assert.deepEqual([triedFirst, test, isTheirs], [["e2e/y_test.ts"], null, true]);
});

Deno.test("parsePatchFile() refuses a patch without an edit, without its invariant, or without a place", () => {
  assert.throws(() => parsePatchFile("a.patch", "# invariant: I2\n"), /a\.patch: no edit/);
  assert.throws(() => parsePatchFile("a.patch", EDIT), /no line "# invariant/);
  assert.throws(() => parsePatchFile("a.patch", "# invariant: I2\n@@ edge/x.ts\n+b\n"), /does not say where/);
  assert.throws(() => parsePatchFile("a.patch", "# invariant: I2\n@@ edge/x.ts\nb\n"), /begins with none/);
});

Deno.test("applyEdit() changes whole lines anywhere, but only when they occur once", () => {
  const edit = { path: "edge/x.ts", find: ["  a", "  b"], put: ["  $&"] };
  assert.equal(applyEdit(edit, "  a\n  a\n  b\nend\n"), "  a\n  $&\nend\n");
  assert.equal(applyEdit({ ...edit, put: [] }, "  a\n  b\n"), "");
  assert.throws(() => applyEdit(edit, "  a\n  bc\n"), /edge\/x\.ts holds 0 times/);
  assert.throws(() => applyEdit(edit, "  a\n  b\n  a\n  b\n"), /edge\/x\.ts holds 2 times/);
});
