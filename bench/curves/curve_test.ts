import assert from "node:assert/strict";
import { type Table, toLine } from "../figure.ts";
import { curvePart, lastToFirst } from "./curve.ts";

Deno.test("lastToFirst() compares each cost of the last size with that of the first", () => {
  assert.deepEqual(lastToFirst([[10, 4, 1], [100, 5, 1], [1000, 6, 0.5]]), [1.5, 0.5]);
});

Deno.test("curvePart() measures each size in turn and yields one readable table", async () => {
  const part = curvePart({
    name: "squares",
    about: "of a size",
    of: "size",
    sizes: [2, 4],
    costs: ["square"],
    measure: (size) => Promise.resolve([size * size]),
  });
  const tables = await Array.fromAsync(part.measure()) as Table[];
  assert.deepEqual(tables, [{ columns: ["size", "square"], rows: [[2, 4], [4, 16]], lastToFirst: [4] }]);
  assert.deepEqual(toLine(tables[0]).split("\n").map((line) => line.trim().split(/ {2,}/)), [
    ["size", "square"],
    ["2", "4"],
    ["4", "16"],
    ["last to first", "4 ×"],
  ]);
});
