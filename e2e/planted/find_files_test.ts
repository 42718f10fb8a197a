import assert from "node:assert/strict";
import { findFiles } from "./find_files.ts";
import { parsePatchFile } from "./patch_file.ts";

const FAULT = parsePatchFile(
  "a.patch",
  '# invariant: I2\n# caught by: edge/lease_test.ts "lease()"\n@@ edge/lease.ts\n-one\n+two\n',
);

/** Returns the present paths of the fault's file and of its test. */
async function find(files: Record<string, string>): Promise<string[]> {
  const { edits, triedFirst } = await findFiles(FAULT, {
    paths: Object.keys(files),
    read: (path) => Promise.resolve(files[path]!),
  });
  return [...edits.map(({ path }) => path), ...triedFirst];
}

Deno.test("findFiles() takes the paths of the patch while there are such files", async () => {
  assert.deepEqual(
    await find({ "edge/lease.ts": "", "edge/lease_test.ts": "", "edge/x/lease_test.ts": "" }),
    [
      "edge/lease.ts",
      "edge/lease_test.ts",
    ],
  );
});

Deno.test("findFiles() follows files into other folders, and an edited file to another name", async () => {
  const moved = { "edge/claim/lease.ts": "one\n", "edge/claim/lease_test.ts": "", "edge/hold.ts": "one\n" };
  assert.deepEqual(await find(moved), ["edge/claim/lease.ts", "edge/claim/lease_test.ts"]);
  const renamed = { "edge/lease/claim.ts": "one\n", "edge/lease_test.ts": "", "docs/claim.md": "one\n" };
  assert.deepEqual(await find(renamed), ["edge/lease/claim.ts", "edge/lease_test.ts"]);
});

Deno.test("findFiles() refuses a text that is nowhere, or in several places", async () => {
  const test = { "edge/lease_test.ts": "" };
  await assert.rejects(find({ "edge/x/lease.ts": "other\n", ...test }), /edge\/lease\.ts .*: it is nowhere/);
  await assert.rejects(
    find({ "edge/x/lease.ts": "one\n", "agent/lease.ts": "one\n", ...test }),
    /edge\/lease\.ts .*: edge\/x\/lease\.ts, agent\/lease\.ts/,
  );
  await assert.rejects(
    find({ "edge/lease.ts": "one\n", "edge/x/lease_test.ts": "", "agent/lease_test.ts": "" }),
    /edge\/lease_test\.ts: edge\/x\/lease_test\.ts, agent\/lease_test\.ts/,
  );
});
