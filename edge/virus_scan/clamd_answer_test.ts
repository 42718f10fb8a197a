import assert from "node:assert/strict";
import fc from "shared/testing/fast_check.ts";
import { readVerdict, ScanError } from "./clamd_answer.ts";

const bytesOf = (text: string) => new TextEncoder().encode(text);
const CLEAN = bytesOf("stream: OK\0");

Deno.test("readVerdict() returns clean only for clamd's own words, for any bytes", () => {
  assert.deepEqual(readVerdict(CLEAN), { found: null });
  const words = fc.constantFrom("stream: ", "stream", ":", "OK", " OK", " FOUND", " ERROR", " ", "\0", "\n");
  const likeIt = fc.array(fc.oneof(words, fc.string()), { maxLength: 6 }).map((parts) =>
    bytesOf(parts.join(""))
  );
  fc.assert(fc.property(fc.oneof(fc.uint8Array(), likeIt), (answer) => {
    try {
      if (readVerdict(answer).found === null) assert.deepEqual(answer, CLEAN);
    } catch (error) {
      assert.ok(error instanceof ScanError, String(error));
    }
  }));
});

Deno.test("readVerdict() refuses an answer with a byte missing or too many", () => {
  for (let length = 0; length < CLEAN.length; length++) {
    assert.throws(() => readVerdict(CLEAN.subarray(0, length)), ScanError);
  }
  fc.assert(fc.property(fc.uint8Array({ minLength: 1 }), (more) => {
    assert.throws(() => readVerdict(new Uint8Array([...CLEAN, ...more])), ScanError);
    assert.throws(() => readVerdict(new Uint8Array([...more, ...CLEAN])), ScanError);
  }));
});

Deno.test("readVerdict() returns the name of the virus as clamd spells it", () => {
  const visible = fc.integer({ min: 0x21, max: 0x7e }).map((code) => String.fromCharCode(code));
  const name = fc.string({ unit: visible, minLength: 1, maxLength: 200 });
  fc.assert(fc.property(name, (found) => {
    assert.deepEqual(readVerdict(bytesOf(`stream: ${found} FOUND\0`)), { found });
  }));
});

Deno.test("readVerdict() returns a refusal in clamd's words, and an unreadable answer unchanged", () => {
  assert.throws(
    () => readVerdict(bytesOf("INSTREAM size limit exceeded. ERROR\0")),
    /^ScanError: clamd refused: INSTREAM size limit exceeded\.$/,
  );
  assert.throws(() => readVerdict(bytesOf("UNKNOWN COMMAND\0")), /: it is "UNKNOWN COMMAND\\u0000"$/);
});
