import assert from "node:assert/strict";
import { showSecret, stepOf } from "./totp.ts";

const SECRET = new TextEncoder().encode("12345678901234567890");
/** RFC 6238, appendix B, SHA-1: seconds, and the last six of the eight digits. */
const VECTORS: [number, string][] = [
  [59, "287082"],
  [1111111109, "081804"],
  [1111111111, "050471"],
  [1234567890, "005924"],
  [2000000000, "279037"],
  [20000000000, "353130"],
];

Deno.test("stepOf() matches the codes of RFC 6238, appendix B", () => {
  for (const [seconds, code] of VECTORS) {
    assert.equal(stepOf(SECRET, code, seconds * 1000), Math.floor(seconds / 30), code);
  }
});

Deno.test("stepOf() accepts the code of the half minutes before and after, and no other", () => {
  const [seconds, code] = VECTORS[3]!;
  const step = Math.floor(seconds / 30);
  const start = step * 30_000;
  const taken = [-30_001, -30_000, 0, 29_999, 59_999, 60_000].map((ms) => stepOf(SECRET, code, start + ms));
  assert.deepEqual(taken, [null, step, step, step, step, null]);
  for (const wrong of ["005925", "00592", "0059244", "", "abcdef"]) {
    assert.equal(stepOf(SECRET, wrong, start), null, wrong);
  }
});

Deno.test("tellSecret() says what an application reads, whatever the name", () => {
  const { secret, uri } = showSecret(SECRET, "דנה כהן: א&ב");
  assert.equal(secret, "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ");
  const url = new URL(uri);
  assert.equal(url.protocol + url.host, "otpauth:totp");
  assert.equal(decodeURIComponent(url.pathname), "/Shigur:דנה כהן: א&ב");
  assert.deepEqual(Object.fromEntries(url.searchParams), {
    issuer: "Shigur",
    secret,
    algorithm: "SHA1",
    digits: "6",
    period: "30",
  });
});
