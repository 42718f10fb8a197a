import assert from "node:assert/strict";
import fc from "shared/testing/fast_check.ts";
import { shellQuote } from "../../agent/adb/quote.ts";
import { type Token, tokenise } from "./sh_tokens.ts";

/** Returns the words of a line without expansions, and operators between < and >. */
function words(source: string): string[] {
  return tokenise(source).map((token: Token) =>
    token.kind === "operator"
      ? `<${token.text}>`
      : token.parts.map((part) => part.kind === "text" ? part.text : part.kind).join("")
  );
}

Deno.test("tokenise() gives back every argument that shellQuote() quoted", () => {
  fc.assert(
    fc.property(
      fc.array(fc.string({ unit: "binary", maxLength: 20 }), { minLength: 1, maxLength: 4 }),
      (args) => {
        assert.deepEqual(words(args.map(shellQuote).join(" ")), args);
      },
    ),
  );
});

Deno.test("tokenise() either reads a line or throws SyntaxError, and always ends", () => {
  const shellish = fc.string({ unit: fc.constantFrom(..."ab $(){}'\"\\;&|<>#%\n2") });
  fc.assert(fc.property(shellish, (source) => {
    try {
      tokenise(source);
    } catch (error) {
      assert.ok(error instanceof SyntaxError);
    }
  }));
});

Deno.test("tokenise() splits as the phone's sh does", () => {
  assert.deepEqual(words(`a 'b c'd "e f" g\\ h ''`), ["a", "b cd", "e f", "g h", ""]);
  assert.deepEqual(words("a&&b||c;d|e>f 2>/dev/null # rest"), [
    ..."a <&&> b <||> c <;> d <|> e <>> f <>> /dev/null".split(" "),
  ]);
  assert.deepEqual(words(`"$a" $(b "c)d" (e)) \${f%%.*}`), ["parameter", "command", "parameter"]);
});

Deno.test("tokenise() keeps the descriptor of a redirection and the digits of a word apart", () => {
  assert.deepEqual(tokenise("2>x").at(0), { kind: "operator", text: ">", descriptor: 2 });
  assert.deepEqual(words("echo 2 >x"), ["echo", "2", "<>>", "x"]);
});
