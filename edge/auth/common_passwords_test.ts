import assert from "node:assert/strict";
import { isCommonPassword } from "./common_passwords.ts";

Deno.test("isCommonPassword() matches each line of its file in any letter case, and nothing else", async () => {
  const text = await Deno.readTextFile(new URL("./common_passwords.txt", import.meta.url));
  const lines = text.trimEnd().split("\n");
  assert.equal(new Set(lines).size, 17_950);
  for (const line of lines) {
    assert.ok(line.length >= 8 && line === line.toLowerCase(), line);
    assert.ok(isCommonPassword(line) && isCommonPassword(line.toUpperCase()), line);
  }
  for (const other of ["", "password\n12345678", " password", "correct horse"]) {
    assert.ok(!isCommonPassword(other), other);
  }
});
