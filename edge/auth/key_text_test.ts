import assert from "node:assert/strict";
import { crc32 } from "node:zlib";
import { hashKeyText, isKeyText, KEY_PATTERN, makeKeyText } from "./key_text.ts";

const random = { randomBytes: (length: number) => crypto.getRandomValues(new Uint8Array(length)) };

Deno.test("makeKeyText() makes keys of one length that their pattern and checksum find", () => {
  const made = new Set<string>();
  for (let i = 0; i < 500; i++) {
    const text = makeKeyText(random, i % 2 === 0 ? "live" : "test");
    assert.match(text, KEY_PATTERN);
    assert.ok(isKeyText(text));
    made.add(text);
  }
  assert.equal(made.size, 500);
  for (const byte of [0, 255]) {
    const edge = makeKeyText({ randomBytes: (length) => new Uint8Array(length).fill(byte) }, "live");
    assert.ok(isKeyText(edge), edge);
  }
});

Deno.test("the checksum of a key is the CRC-32 of zip files, in base 62", () => {
  const digits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
  for (let i = 0; i < 50; i++) {
    const text = makeKeyText(random, "live");
    const value = [...text.slice(-6)].reduce((sum, digit) => sum * 62 + digits.indexOf(digit), 0);
    assert.equal(value, crc32(text.slice(0, -6)));
  }
});

Deno.test("a key with one wrong character is no key", () => {
  const text = makeKeyText(random, "live");
  for (let at = 0; at < text.length; at++) {
    const other = text[at] === "7" ? "8" : "7";
    assert.ok(!isKeyText(text.slice(0, at) + other + text.slice(at + 1)), `character ${at}`);
  }
  for (const wrong of ["", text + "0", text.slice(0, -1), ` ${text}`, text.replace("live", "test")]) {
    assert.ok(!isKeyText(wrong), wrong);
  }
});

Deno.test("hashKeyText() returns SHA-256 in hexadecimal", async () => {
  assert.equal(
    await hashKeyText("abc"),
    "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
  );
});
