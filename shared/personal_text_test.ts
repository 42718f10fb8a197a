import assert from "node:assert/strict";
import fc from "./testing/fast_check.ts";
import {
  canBeAsked,
  composeText,
  fieldsOf,
  isPersonal,
  MAX_PLACEHOLDERS,
  nearestField,
  parseTemplate,
  renameField,
  requiredFieldsOf,
} from "./personal_text.ts";

const codes = (text: string) =>
  parseTemplate(text).faults.map(({ code, at, end }) => [code, text.slice(at, end)]);
const compose = (text: string, values: Record<string, string>) =>
  composeText(parseTemplate(text).parts, values, () => "");

Deno.test("a placeholder becomes the value, and its fallback where the value is empty", () => {
  const text = "שלום {{שם|לקוחות יקרים}}, תור ב־{{ שעה }}!";
  assert.equal(compose(text, { שם: "דנה", שעה: "10:00" }), "שלום דנה, תור ב־10:00!");
  assert.equal(compose(text, { שם: "", שעה: "10:00" }), "שלום לקוחות יקרים, תור ב־10:00!");
  assert.equal(compose(text, { שעה: "10:00" }), "שלום לקוחות יקרים, תור ב־10:00!");
  assert.equal(compose(text, { שם: "דנה", שעה: "" }), null);
  assert.deepEqual(fieldsOf(parseTemplate(text).parts), ["שם", "שעה"]);
  assert.deepEqual(requiredFieldsOf(parseTemplate(text).parts), ["שעה"]);
});

Deno.test("a value that looks like a placeholder is written as it is, and a name of every object is no field", () => {
  assert.equal(compose("{{א}} {{ב|x}}", { א: "{{ב}}", ב: "$& $1" }), "{{ב}} $& $1");
  assert.equal(compose("{{constructor}}", {}), null);
  assert.equal(compose("{{__proto__|x}}", {}), "x");
});

Deno.test("what is wrong with a placeholder is found at its place", () => {
  assert.deepEqual(codes("שלום {{שם, מה"), [["unclosed", "{{"]]);
  assert.deepEqual(codes("{{a{{b}}"), [["unclosed", "{{"]]);
  assert.deepEqual(codes("{{שם\n}}"), [["unclosed", "{{"]]);
  assert.deepEqual(codes("{{}} {{ |x}}"), [["no_name", "{{}}"], ["no_name", "{{ |x}}"]]);
  assert.deepEqual(codes("{{שם| }}"), [["no_fallback", "{{שם| }}"]]);
  assert.deepEqual(codes("{{א}}".repeat(MAX_PLACEHOLDERS)), []);
  assert.deepEqual(codes("{{א}}".repeat(MAX_PLACEHOLDERS + 2)), [["too_many", "{{א}}"]]);
  assert.deepEqual(codes("{a} }} {b}"), []);
});

Deno.test("a text without placeholders is one part, and no other is composed of it", () => {
  fc.assert(fc.property(fc.string({ unit: "binary" }).filter((text) => !text.includes("{{")), (text) => {
    const { parts, faults } = parseTemplate(text);
    assert.deepEqual([faults, isPersonal(parts), composeText(parts, {}, () => "")], [[], false, text]);
  }));
});

Deno.test("every sound template composes to its words and values in order, whatever scripts they are in", () => {
  const words = fc.string({ unit: "grapheme" }).map((text) => text.replaceAll(/[{}]/g, ""));
  const field = fc.constantFrom("שם", "עיר", "اسم", "name", "שם משפחה");
  const value = fc.string({ unit: "binary", minLength: 1 });
  const parts = fc.array(fc.tuple(words, field), { maxLength: 8 });
  const values = fc.dictionary(field, value, { noNullPrototype: true });
  fc.assert(fc.property(parts, words, values, (parts, last, values) => {
    const text = parts.map(([words, field]) => `${words}{{${field}|—}}`).join("") + last;
    const expected = parts.map(([words, field]) => words + (values[field] ?? "—")).join("") + last;
    assert.deepEqual(parseTemplate(text).faults, []);
    assert.equal(compose(text, values), expected);
  }));
});

Deno.test("braces of any kind are parsed in time that grows with the text alone", () => {
  for (const unit of ["{", "{{", "}}", "{{a", "{{|", "{{a|", "}}{{"]) {
    const { parts, faults } = parseTemplate(unit.repeat(40_000));
    assert.ok(parts.length + faults.length > 0);
  }
});

Deno.test("the nearest name is offered for a mistyped one, and none for a stranger", () => {
  const names = ["שם", "שם משפחה", "עיר"];
  assert.equal(nearestField("שם משפחא", names), "שם משפחה");
  assert.equal(nearestField("עור", names), "עיר");
  assert.equal(nearestField("תאריך", names), null);
  assert.equal(nearestField("שם", []), null);
});

Deno.test("a field is renamed in each of its placeholders, and its fallbacks stay", () => {
  assert.equal(
    renameField("{{ שפ }} ו{{שפ|אתם}}, {{עיר}} {{שפ", "שפ", "שם"),
    "{{שם}} ו{{שם|אתם}}, {{עיר}} {{שפ",
  );
  assert.equal(renameField("{{a}}", "a", "$&"), "{{$&}}");
});

Deno.test("a field can be asked for unless its name would end its own placeholder", () => {
  assert.deepEqual(["שם", "a b", "O'Brien"].map(canBeAsked), [true, true, true]);
  assert.deepEqual(["a}}b", "a|b", "{", "", " a"].map(canBeAsked), [false, false, false, false, false]);
});
