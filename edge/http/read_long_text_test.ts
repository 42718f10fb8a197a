import assert from "node:assert/strict";
import fc from "shared/testing/fast_check.ts";
import { HttpError } from "./http_error.ts";
import { type LongText, readLongText } from "./read_long_text.ts";

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** Reads a body that arrives in pieces of this many bytes. */
function read(
  body: string | Uint8Array,
  pieceBytes = Infinity,
  maxOtherBytes = 1_000,
): Promise<LongText> {
  const bytes = typeof body === "string" ? encoder.encode(body) : body;
  let at = 0;
  const stream = new ReadableStream<Uint8Array>({
    pull(controller) {
      if (at >= bytes.length) return controller.close();
      controller.enqueue(bytes.subarray(at, at += Math.min(pieceBytes, bytes.length)));
    },
  });
  const bounds = { member: "numbers", maxTextBytes: 10_000, maxOtherBytes, yieldToEventLoop: () => {} };
  return readLongText(stream, bounds);
}

const isTooLarge = (error: unknown) => error instanceof HttpError && error.code === "body_too_large";
const isInvalid = (error: unknown) => error instanceof HttpError && error.code === "invalid_input";

Deno.test("readLongText() reads what JSON.parse() would, however the body is cut into pieces", async () => {
  const any = fc.jsonValue({ maxDepth: 2 });
  const text = fc.string({ unit: "binary", maxLength: 40 });
  const body = fc.record({ before: any, numbers: text, after: any });
  const written = fc.tuple(body, fc.constantFrom(undefined, 1, "\t")).map(([value, indent]) =>
    JSON.stringify(value, null, indent)
  );
  const escaped = written.map((json) =>
    json.replace(/[^\x20-\x7e\s]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`)
  );
  await fc.assert(
    fc.asyncProperty(fc.oneof(written, escaped), fc.integer({ min: 1, max: 9 }), async (json, pieceBytes) => {
      const { text, rest } = await read(json, pieceBytes);
      const parsed = JSON.parse(json);
      assert.equal(decoder.decode(text!), parsed.numbers.toWellFormed());
      // Half a character without an escape has become the replacement character in UTF-8.
      const asSent = JSON.parse(decoder.decode(encoder.encode(json)));
      assert.deepEqual(rest, { ...asSent, numbers: "" });
    }),
    { numRuns: 300 },
  );
});

Deno.test("readLongText() accepts and refuses the same texts as JSON.parse()", async () => {
  const parts = [
    '{"numbers":',
    '"0"',
    '"',
    "\\",
    "\\u00",
    "d83d",
    ":",
    ",",
    "{",
    "}",
    "[",
    "]",
    " ",
    "1",
    "\n",
    '"a"',
    "null",
  ];
  let taken = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(fc.constantFrom(...parts), { maxLength: 7 }), async (parts) => {
      const json = '{"numbers":' + parts.join("");
      let expected: { numbers?: unknown };
      try {
        expected = JSON.parse(json);
      } catch {
        return await assert.rejects(read(json, 3), isInvalid, json);
      }
      taken++;
      const { text, rest } = await read(json, 3);
      const numbers = text === null ? (rest as { numbers?: unknown }).numbers : decoder.decode(text);
      const meant = expected.numbers;
      assert.deepEqual(numbers, typeof meant === "string" ? meant.toWellFormed() : meant, json);
    }),
    { numRuns: 10_000 },
  );
  assert.ok(taken > 10, `only ${taken} were JSON`);
});

Deno.test("readLongText() reads only the outermost member, under its plain name, and the last of two", async () => {
  assert.deepEqual(await read('{"a":{"numbers":"1"}}'), { text: null, rest: { a: { numbers: "1" } } });
  assert.deepEqual(await read('["numbers","1"]'), { text: null, rest: ["numbers", "1"] });
  assert.deepEqual(await read('{"a":"numbers","b":"1"}'), { text: null, rest: { a: "numbers", b: "1" } });
  assert.deepEqual(await read('{"\\u006eumbers":"1"}'), { text: null, rest: { numbers: "1" } });
  assert.deepEqual(await read('{"numbers":1}'), { text: null, rest: { numbers: 1 } });
  assert.equal(decoder.decode((await read('{"numbers":"1","numbers":"2"}')).text!), "2");
  assert.equal(decoder.decode((await read('{"numbers":"\\ud83d\\ude42 \\ud83d"}')).text!), "🙂 \ufffd");
});

Deno.test("readLongText() uses the memory of one text, however often a body begins another", async () => {
  for (const again of [':"a"', ',"numbers":"a"']) {
    const body = encoder.encode(`{"numbers":"a"${again.repeat(60_000 / again.length)}`);
    const before = Deno.memoryUsage().external;
    await assert.rejects(read(body, Infinity, 1_000_000), isInvalid);
    const grown = Deno.memoryUsage().external - before;
    assert.ok(grown < 1_000_000, `${grown} bytes for ${again}`);
  }
});

Deno.test("readLongText() refuses texts over its bounds, and accepts any number of spaces", async () => {
  await assert.rejects(read(`{"numbers":"${"0".repeat(10_001)}"}`), isTooLarge);
  await assert.rejects(read(`{"a":"${"0".repeat(1_001)}"}`), isTooLarge);
  await assert.rejects(read("[".repeat(1_001)), isTooLarge);
  assert.equal(
    (await read(`{"numbers":"${"0".repeat(10_000)}"${" ".repeat(100_000)}}`)).text!.length,
    10_000,
  );
  for (
    const torn of [
      "",
      '{"numbers":"',
      '{"numbers":"0',
      '{"numbers":"\\',
      '{"numbers":"0"',
      '{"numbers":"\t"}',
    ]
  ) {
    await assert.rejects(read(torn), isInvalid, torn);
  }
});
