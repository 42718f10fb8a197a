import assert from "node:assert/strict";
import fc from "shared/testing/fast_check.ts";
import { decideOptOut, excerptOf, MAX_EXCERPT_CHARS, OPT_OUT_KEYWORDS } from "./opt_out.ts";

const keyword = fc.constantFrom(...OPT_OUT_KEYWORDS);
/** Marks that people, phones and keyboards add around a word without changing it. */
const dressing = fc.string({
  unit: fc.constantFrom(
    ..." \t\n\u00a0.,!?…\"'״׳-–_*~()[]:;/",
    ..."👍🏽🙏❤️🇮🇱😡",
    ..."\u200e\u200f\u202a\u202c\u2068\u2069\ufeff",
  ),
  maxLength: 6,
});
/** Marks within a word: niqqud, cantillation, joiners, bidi controls. */
const mark = fc.constantFrom("", "", "\u05b8", "\u05b5", "\u05bc", "\u0591", "\u200f", "\u200d", "\ufe0f");
const marks = fc.array(mark, { minLength: 40, maxLength: 40 });

Deno.test("decideOptOut() removes for every keyword, with any vowel points, marks, spaces and letter case", () => {
  fc.assert(
    fc.property(
      keyword,
      dressing,
      dressing,
      marks,
      fc.infiniteStream(fc.boolean()),
      (words, before, after, points, upper) => {
        const letters = Array.from(words, (letter, at) => {
          const cased = upper.next().value ? letter.toUpperCase() : letter;
          return letter === " " ? "  " : cased + points[at % points.length];
        });
        assert.equal(decideOptOut(before + letters.join("") + after), "remove");
      },
    ),
  );
});

Deno.test("decideOptOut() leaves a reply with a keyword and other words to a person", () => {
  const other = fc.constantFrom("לא", "אל", "למה", "לקוח", "please", "the bus", "אתם", "2", "מחר");
  fc.assert(fc.property(keyword, other, fc.boolean(), (words, more, isFirst) => {
    const text = isFirst ? `${more} ${words}` : `${words} ${more}`;
    // "נא" and similar words are also the beginning of keywords.
    if (!OPT_OUT_KEYWORDS.includes(text)) assert.equal(decideOptOut(text), "unclear");
  }));
});

Deno.test("decideOptOut() ignores a text without a word about removal", () => {
  const word = fc.constantFrom(
    "הסרט",
    "סרט",
    "זה",
    "בסדר",
    "תודה",
    "כן",
    "לא",
    "מסירות",
    "stops",
    "shop",
    "מתי",
    "movie1",
    "ביטוי",
    "123",
  );
  fc.assert(fc.property(fc.array(word, { maxLength: 6 }), (words) => {
    assert.equal(decideOptOut(words.join(" ")), "none");
  }));
  fc.assert(fc.property(fc.string({ unit: "binary" }), (text) => {
    assert.ok(["remove", "unclear", "none"].includes(decideOptOut(text)));
  }));
});

for (
  const [text, decision] of [
    ["הסר", "remove"],
    ["הסר!", "remove"],
    ['  "הָסֵר".  🙏', "remove"],
    ["\u202bהסירו אותי\u202c", "remove"],
    ["הֲסָרָה", "remove"],
    ["STOP.", "remove"],
    ["Unsubscribe", "remove"],
    ["ＳＴＯＰ", "remove"],
    ["opt-out", "remove"],
    ["להסרה", "remove"],
    ["להסרה!", "remove"],
    ["שַּׁלום", "none"],
    ["", "none"],
    ["👍", "none"],
    ["הסרט היה מצוין", "none"],
    ["זה סרט", "none"],
    ["הסר בבקשה", "unclear"],
    ["אל תסירו אותי", "unclear"],
    ["תפסיקו כבר", "unclear"],
    ["והסירו גם את אשתי", "unclear"],
    ["הסרררר", "unclear"],
    ["ה.ס.ר", "unclear"],
    ["s t o p", "unclear"],
    ["הסיר", "unclear"],
    ["בקשה להסרה", "unclear"],
    ["הסירוני", "unclear"],
    ["תסירוני", "unclear"],
    ["הסרר", "unclear"],
    ["הסר1", "unclear"],
    ["הס״ר", "unclear"],
    ['הס"ר', "unclear"],
    ['כתבתי"הסר"', "unclear"],
    ["בהסרה", "unclear"],
    ["כשתסירו", "unclear"],
    ["Un-subscribe", "unclear"],
    ["opt me out", "unclear"],
    ["Take me off!", "unclear"],
    ["cancel", "unclear"],
    ["quit", "unclear"],
    ["מחקו אותי", "unclear"],
    ["ביטול", "unclear"],
    ["לא מעוניין", "unclear"],
    ["אל תשלחו לי", "unclear"],
    ["הס-ר", "unclear"],
    ["לא רוצה לקבל הודעות", "unclear"],
    ["אני לא רוצה יותר!", "unclear"],
    ["תמחקו את המספר שלי", "unclear"],
    ["עזבו אותי", "unclear"],
    ["די.", "unclear"],
    ["מספיק!!", "unclear"],
    ["Don't text me", "unclear"],
    ["no more please", "unclear"],
    ["די נחמד", "none"],
    ["יש מספיק מקום?", "none"],
    ["לא רוצה חומוס", "none"],
    ["מסירות", "none"],
    ["שלחו לי עוד", "none"],
    ["מעוניין מאוד", "none"],
    ["please opt out", "unclear"],
    ["don't stop", "unclear"],
    ["הסר\nזה היה נהדר, תודה", "unclear"],
  ] as const
) {
  Deno.test(`decideOptOut(${JSON.stringify(text)}) is ${decision}`, () => {
    assert.equal(decideOptOut(text), decision);
  });
}

Deno.test("decideOptOut() leaves a reply to a person when the phone showed only its beginning", () => {
  assert.equal(decideOptOut("הסר…", { isCut: true }), "unclear");
  assert.equal(decideOptOut("שלום…", { isCut: true }), "none");
});

Deno.test("excerptOf() keeps one line of bounded length without numbers", () => {
  assert.equal(excerptOf("הסירו\n את \u200f054-371-0968  בבקשה"), "הסירו את ••• בבקשה");
  fc.assert(fc.property(fc.string({ unit: "binary", maxLength: 400 }), (text) => {
    const excerpt = excerptOf(text);
    assert.ok(Array.from(excerpt).length <= MAX_EXCERPT_CHARS);
    assert.doesNotMatch(excerpt, /\d{7}|[\n\r\t\u200e\u200f\u202a-\u202e]/);
  }));
});
