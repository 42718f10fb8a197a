import assert from "node:assert/strict";

const ROOT = new URL("../../", import.meta.url);
const [, TABLE = ""] = (await Deno.readTextFile(new URL("docs/protocol.md", ROOT)))
  .split("## The journal: state × event → action");
const ROWS = Array.from(
  TABLE.split("\n## ")[0]!.matchAll(/^\| (\w.*?) +\| (.*?) +\| .*\|$/gm),
  ([, state, event]) => `${state} × ${event}`,
).slice(1);
const SOURCES = await Promise.all(
  ["agent/journal/decide_test.ts", "agent/site/lease_book_test.ts", "agent/site/worker_test.ts"].map((file) =>
    Deno.readTextFile(new URL(file, ROOT))
  ),
);

Deno.test("docs/protocol.md has the rows of the journal's table", () => {
  assert.equal(ROWS.length, 16);
});

for (const row of ROWS) {
  Deno.test(`the journal's row "${row}" has a test of its name`, () => {
    assert.ok(SOURCES.some((source) => source.includes(row)));
  });
}
