import assert from "node:assert/strict";
import fc from "shared/testing/fast_check.ts";
import {
  ADVERTISEMENT,
  type Advertiser,
  advertiserLine,
  aroundMarketing,
  canRefuseOnline,
  composeMarketing,
  OPT_OUT_LINE,
} from "./marketing.ts";

const line = fc.string({ unit: "grapheme", maxLength: 40 }).map((text) =>
  text.replace(/[\r\n\u2028\u2029]/g, " ")
);
const words = fc.string({ unit: "grapheme", minLength: 1, maxLength: 200 });
const advertisers: fc.Arbitrary<Advertiser> = fc.record({
  name: line.filter((text) => text !== ""),
  address: line,
  phone: line.filter((text) => text !== ""),
  email: line,
  removalLink: fc.boolean(),
});

Deno.test("composeMarketing() adds to any text that it is an advertisement, its advertiser and how to refuse", () => {
  fc.assert(fc.property(words, advertisers, (message, advertiser) => {
    const text = composeMarketing(message, advertiser);
    assert.ok(text.startsWith(`${ADVERTISEMENT}\n`));
    const lines = text.split("\n");
    assert.equal(lines.at(-1), OPT_OUT_LINE);
    const { removalLink: _, ...said } = advertiser;
    for (const part of Object.values(said)) assert.ok(lines.at(-2)!.includes(part));
    assert.equal(text.slice(ADVERTISEMENT.length + 1).slice(0, message.length), message);
  }));
});

Deno.test("composeMarketing() adds the same words to every message, so that their length is known", () => {
  fc.assert(fc.property(words, words, advertisers, (one, other, advertiser) => {
    const added = (message: string) => composeMarketing(message, advertiser).length - message.length;
    assert.equal(added(one), added(other));
  }));
});

Deno.test("composeMarketing() returns the text in the form that readers expect", () => {
  const advertiser = {
    name: "משק הדר",
    address: "מושב נהלל",
    phone: "04-601-0042",
    email: "",
    removalLink: false,
  };
  assert.equal(advertiserLine(advertiser), "משק הדר, מושב נהלל, 04-601-0042");
  assert.equal(
    composeMarketing("סל ירקות ב־89 ₪", advertiser),
    'פרסומת\nסל ירקות ב־89 ₪\nמשק הדר, מושב נהלל, 04-601-0042\nלהסרה השיבו "הסר"',
  );
});

Deno.test("composeMarketing() ends with the recipient's own link, on the line that says how to refuse", () => {
  const link = "https://shigur.example/r/1abc";
  fc.assert(fc.property(words, advertisers, (message, advertiser) => {
    const text = composeMarketing(message, advertiser, link);
    const { before, after } = aroundMarketing(advertiser, true);
    assert.equal(text, `${before}${message}${after}${link}`);
    assert.ok(text.split("\n").at(-1)!.startsWith(OPT_OUT_LINE));
    assert.ok(text.endsWith(` ${link}`));
  }));
});

Deno.test("canRefuseOnline() asks for an address to write to, or for a link that can be made", () => {
  const advertiser = {
    name: "משק הדר",
    address: "מושב נהלל",
    phone: "04-601-0042",
    email: "",
    removalLink: true,
  };
  const origin = "https://shigur.example";
  assert.equal(canRefuseOnline(advertiser, origin), true);
  assert.equal(canRefuseOnline(advertiser, null), false);
  assert.equal(canRefuseOnline({ ...advertiser, removalLink: false }, origin), false);
  assert.equal(
    canRefuseOnline({ ...advertiser, removalLink: false, email: "dana@hadar.example" }, null),
    true,
  );
});
