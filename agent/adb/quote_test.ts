import assert from "node:assert/strict";
import fc from "shared/testing/fast_check.ts";
import { shellQuote } from "./quote.ts";

Deno.test("shellQuote() makes one argument of any text, as a real shell confirms", async () => {
  const part = fc.constantFrom(
    "'",
    '"',
    "\\",
    "$(reboot)",
    "`id`",
    ";",
    "|",
    "&",
    "\n",
    "*",
    "~",
    "שלום",
    " ",
    "-n",
    "!",
  );
  const texts = fc.sample(fc.array(part, { maxLength: 12 }).map((parts) => parts.join("")), 500);
  const command = `printf '%s\\0' ${texts.map(shellQuote).join(" ")}`;
  const { stdout, code } = await new Deno.Command("sh", { args: ["-c", command] }).output();
  assert.equal(code, 0);
  assert.deepEqual(new TextDecoder().decode(stdout).split("\0").slice(0, -1), texts);
});
