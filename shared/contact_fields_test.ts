import assert from "node:assert/strict";
import {
  cleanFieldName,
  cleanFieldValue,
  FieldNameSchema,
  FieldNamesSchema,
  FieldsSchema,
  MAX_FIELD_NAME_CHARS,
  MAX_FIELD_VALUE_CHARS,
  MAX_FIELDS,
} from "./contact_fields.ts";

Deno.test("cleanFieldValue() keeps names in Hebrew, Arabic, emoji and Latin as they are", () => {
  for (const name of ["דנה כהן", "محمد", "Zoë O'Neil", "צ׳רלי ד״ר", "👩‍👩‍👧 משפחת לוי", "שָׁלוֹם"]) {
    assert.equal(cleanFieldValue(name), name);
  }
});

Deno.test("cleanFieldValue() removes control and direction characters, and joins lines", () => {
  assert.equal(cleanFieldValue(" \u202eדנה\u202c\u200f \u0000\u0007"), "דנה");
  assert.equal(cleanFieldValue("רחוב\r\nהרצל\u2028 5\t"), "רחוב הרצל 5");
  assert.equal(cleanFieldValue("\u2066\ufeff"), "");
});

Deno.test("cleanFieldValue() cuts a long value without cutting a character", () => {
  const long = "א".repeat(MAX_FIELD_VALUE_CHARS - 1) + "😀";
  assert.equal(cleanFieldValue(long), "א".repeat(MAX_FIELD_VALUE_CHARS - 1));
  assert.equal(cleanFieldValue("ב".repeat(1_000)).length, MAX_FIELD_VALUE_CHARS);
});

Deno.test("cleanFieldValue() changes nothing when it cleans twice, whatever it reads", () => {
  let seed = Number(Deno.env.get("SEED") ?? 1057593997) >>> 0;
  const draw = (most: number) => (seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0) % most;
  const signs = [
    "א",
    "ם",
    " ",
    "\n",
    "\u200e",
    "\u202e",
    "😀",
    "\u0301",
    "\ud800",
    "a",
    "ض",
    "\u200d",
    "\u2029",
  ];
  for (let round = 0; round < 500; round++) {
    const text = Array.from({ length: draw(300) }, () => signs[draw(signs.length)]).join("");
    const clean = cleanFieldValue(text);
    assert.equal(cleanFieldValue(clean), clean);
    assert.ok(
      clean.length <= MAX_FIELD_VALUE_CHARS && !/[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u.test(clean),
    );
    assert.ok(clean.isWellFormed());
  }
});

Deno.test("FieldNameSchema trims, and refuses names that a placeholder could not hold", () => {
  assert.equal(FieldNameSchema.parse("  שם\u200f פרטי "), "שם פרטי");
  assert.equal(cleanFieldName("א".repeat(100)).length, MAX_FIELD_NAME_CHARS);
  for (const wrong of ["", " \u200e", "{{שם}}", "שם|כינוי"]) {
    assert.ok(!FieldNameSchema.safeParse(wrong).success);
  }
});

Deno.test("FieldNamesSchema and FieldsSchema hold at most 20 names, each once", () => {
  const names = Array.from({ length: MAX_FIELDS + 1 }, (_, no) => `שדה ${no}`);
  assert.ok(FieldNamesSchema.safeParse(names.slice(1)).success);
  assert.ok(!FieldNamesSchema.safeParse(names).success);
  assert.ok(!FieldNamesSchema.safeParse(["שם", " שם "]).success);
  assert.ok(!FieldsSchema.safeParse(Object.fromEntries(names.map((name) => [name, ""]))).success);
});
