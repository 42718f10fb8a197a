import assert from "node:assert/strict";
import { jsonOf } from "./numbers_json.ts";

Deno.test("numbers of every length are written as JSON.stringify() writes them", () => {
  const numbers = [];
  for (let length = 1; length <= 15; length++) {
    const least = 10 ** (length - 1);
    numbers.push(least, least + 1, 5 * least, 10 * least - 1);
  }
  numbers.push(2 ** 31 - 1, 2 ** 31, 2 ** 32, 1_000_000_001, 972_500_000_009, Number.MAX_SAFE_INTEGER);
  assert.equal(jsonOf(Float64Array.from(numbers)), JSON.stringify(numbers));
});

Deno.test("no numbers are an empty list", () => {
  assert.equal(jsonOf(new Float64Array()), "[]");
});
