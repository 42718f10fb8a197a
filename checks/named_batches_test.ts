import assert from "node:assert/strict";
import { relative } from "node:path";
import { productFiles } from "./source_files.ts";

const root = new URL("../", import.meta.url).pathname;

/** Files that may use changes(): the client that reports the count of changed rows, and the constants for it. */
const MAY_ASK_CHANGES = ["edge/db/sqlite_connection.ts", "edge/db/write_batch.ts"];

Deno.test("results of a batch are read by name, and a step names the step that it depends on", async () => {
  const faults = new Map<string, string[]>();
  let read = 0;
  for await (const path of productFiles(`${root}edge`)) {
    read++;
    const file = relative(root, path);
    const found = MAY_ASK_CHANGES.includes(file) ? [] : faultsOf(await Deno.readTextFile(path));
    if (found.length > 0) faults.set(file, found);
  }
  assert.ok(read > 200, `only ${read} files were read`);
  assert.deepEqual([...faults], []);
});

Deno.test("faultsOf() finds raw changes(), holes in a destructuring, and results by number", () => {
  const bad: [string, string][] = [
    ["const SQL = `UPDATE a SET b = 1 WHERE changes() = 1`;", "asks raw changes()"],
    ["const [, told] = await ctx.db.batch(steps);", "skips an answer"],
    ["const [a, , b] = await tx.batch([\n  one,\n]);", "skips an answer"],
    ["const [{ rows: [row] }, , b] = await db.batch(steps);", "skips an answer"],
    ["const [fleet, [a, , b]] = await Promise.all([read(), db.batch(steps)]);", "skips an answer"],
    ["const all = await db.batch(steps);\nreturn all[0]!.rows;", "takes an answer by number"],
    ["const all = await db.batch(steps, 'read');\nreturn all.at(-1);", "takes an answer by number"],
    ["return (await db.batch([one, ...two(3)], 'read')).at(-2);", "takes an answer by number"],
  ];
  for (const [text, fault] of bad) assert.deepEqual(faultsOf(text), [fault], text);
  const good = [
    "const { told } = await writeBatch(db, { made, told });",
    "const [a, b] = await tx.batch([one, two]);",
    "const [, name] = parts;\nawait db.batch(steps);",
    "const all = await db.batch(steps);\nreturn all.flatMap(({ rows }) => rows);",
  ];
  for (const text of good) assert.deepEqual(faultsOf(text), [], text);
});

function faultsOf(text: string): string[] {
  const faults: string[] = [];
  if (/\bchanges\(\)/.test(text)) faults.push("asks raw changes()");
  const patterns = [...text.matchAll(/(?:const|let) (\[[^;=]*\]) = [^;]*?\.batch\(/g)];
  if (patterns.some(([, pattern]) => /[[,]\s*,/.test(pattern!))) faults.push("skips an answer");
  const names = [...text.matchAll(/(?:const|let) (\w+) = await [\w.]+\.batch\(/g)].map(([, name]) => name);
  const isByNumber = names.some((name) => new RegExp(`\\b${name}(\\[|\\.at\\()`).test(text)) ||
    /\(await [\w.]+\.batch\([^;]*\)\)(\[|\.at\()/.test(text);
  if (isByNumber) faults.push("takes an answer by number");
  return faults;
}
