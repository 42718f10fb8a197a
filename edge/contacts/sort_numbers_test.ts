import fc from "shared/testing/fast_check.ts";
import assert from "node:assert/strict";
import { orderOf, sortNumbers } from "./sort_numbers.ts";

Deno.test("sortNumbers() puts any phone numbers in the order of the numbers, and yields on the way", async () => {
  const one = fc.oneof(
    fc.integer({ min: 972_500_000_000, max: 972_599_999_999 }),
    fc.integer({ min: 0, max: 10 ** 15 }),
    fc.integer({ min: 0, max: 3 }),
    fc.constant(Number.MAX_SAFE_INTEGER),
  );
  await fc.assert(fc.asyncProperty(fc.array(one), async (numbers) => {
    const sorted = Float64Array.from(numbers);
    let yields = 0;
    await sortNumbers(sorted, () => void yields++);
    assert.deepEqual([...sorted], numbers.toSorted((a, b) => a - b));
    const spread = Math.max(0, ...numbers) - Math.min(...numbers, Number.MAX_SAFE_INTEGER);
    assert.equal(yields > 0, spread > 0);
  }));
});

Deno.test("orderOf() names the places of numbers in the order of the numbers, equal ones as they came", async () => {
  const one = fc.oneof(fc.integer({ min: 0, max: 3 }), fc.integer({ min: 0, max: Number.MAX_SAFE_INTEGER }));
  await fc.assert(fc.asyncProperty(fc.array(one), async (numbers) => {
    const expected = [...numbers.keys()].sort((a, b) => numbers[a]! - numbers[b]! || a - b);
    assert.deepEqual([...await orderOf(Float64Array.from(numbers), () => {})], expected);
  }));
});
