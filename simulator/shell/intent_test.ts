import assert from "node:assert/strict";
import fc from "shared/testing/fast_check.ts";
import { parseChatLink, parseIntent } from "./intent.ts";

Deno.test("parseChatLink() gives back any text that was percent-encoded, in all three links", () => {
  fc.assert(fc.property(fc.string({ unit: "grapheme" }), (text) => {
    const query = `text=${encodeURIComponent(text)}`;
    const expected = { number: "972501234567", text };
    assert.deepEqual(parseChatLink(`https://wa.me/972501234567?${query}`), expected);
    assert.deepEqual(parseChatLink(`whatsapp://send?phone=972501234567&${query}`), expected);
    assert.deepEqual(parseChatLink(`https://api.whatsapp.com/send?phone=%2B972501234567&${query}`), expected);
  }));
});

Deno.test("parseChatLink() reads a plus as a blank and broken bytes as U+FFFD, as Android does", () => {
  assert.equal(parseChatLink("https://wa.me/1234567?text=a+b%FF%zz")?.text, "a b\ufffd\ufffdzz");
  assert.equal(parseChatLink("https://example.com/1234567"), null);
});

Deno.test("parseIntent() reads intents that start a chat and that share a picture", () => {
  const share = parseIntent([
    ..."-a android.intent.action.SEND -t image/* --eu android.intent.extra.STREAM file:///sdcard/a.jpg".split(
      " ",
    ),
    ..."--es jid 972501234567@s.whatsapp.net -p com.whatsapp --user 10".split(" "),
    "--es",
    "android.intent.extra.TEXT",
    "שלום לך",
  ]);
  assert.deepEqual([share.action, share.app, share.user], ["android.intent.action.SEND", "com.whatsapp", 10]);
  assert.equal(share.extras.get("android.intent.extra.TEXT"), "שלום לך");
  assert.throws(() => parseIntent(["-d"]), SyntaxError);
  assert.throws(() => parseIntent(["--made-up"]), SyntaxError);
});
