import assert from "node:assert/strict";
import fc from "shared/testing/fast_check.ts";
import { ByteReader, EndOfStreamError } from "./byte_reader.ts";

function sourceOf(chunks: Uint8Array[]) {
  const left = chunks.filter((chunk) => chunk.length > 0);
  return {
    read(into: Uint8Array): Promise<number | null> {
      const chunk = left.shift();
      if (!chunk) return Promise.resolve(null);
      const count = Math.min(chunk.length, into.length);
      into.set(chunk.subarray(0, count));
      if (count < chunk.length) left.unshift(chunk.subarray(count));
      return Promise.resolve(count);
    },
  };
}

Deno.test("ByteReader returns the same bytes for any pieces from the socket", async () => {
  const chunks = fc.array(fc.uint8Array({ maxLength: 40 }), { maxLength: 12 });
  await fc.assert(
    fc.asyncProperty(chunks, fc.array(fc.nat(30), { maxLength: 12 }), async (parts, lengths) => {
      const all = parts.flatMap((part) => [...part]);
      const reader = new ByteReader(sourceOf(parts));
      for (const length of lengths) {
        if (length > all.length) {
          await assert.rejects(reader.readExactly(length), EndOfStreamError);
          return;
        }
        assert.deepEqual([...await reader.readExactly(length)], all.splice(0, length));
      }
    }),
  );
});

Deno.test("ByteReader.readExactly() reads more than its buffer holds, and leaves the following bytes", async () => {
  const long = new Uint8Array(10_000).map((_, i) => i);
  const parts = [
    long.slice(0, 1_500),
    long.slice(1_500, 3_000),
    long.slice(3_000, 4_999),
    long.slice(4_999, 6_000),
  ];
  const reader = new ByteReader(sourceOf([...parts, new Uint8Array([7])]));
  assert.deepEqual(await reader.readExactly(6_000), long.slice(0, 6_000));
  assert.deepEqual([...await reader.readExactly(1)], [7]);
});

Deno.test("ByteReader.readExactly() returns bytes that later reads do not overwrite", async () => {
  const reader = new ByteReader(sourceOf([new Uint8Array([1, 2]), new Uint8Array([3, 4])]));
  const first = await reader.readExactly(2);
  await reader.readExactly(2);
  assert.deepEqual([...first], [1, 2]);
});
