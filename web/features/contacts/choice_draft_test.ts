import assert from "node:assert/strict";
import { choiceOf, draftOf, useOf, withName, withUse } from "./choice_draft.ts";

const PROPOSED = draftOf({ phone: 2, fields: [{ no: 1, name: "שם" }, { no: 3, name: "עיר" }] });

Deno.test("withUse() gives the numbers one column, and takes a field's name away with its use", () => {
  const moved = withUse(PROPOSED, 3, "phone", "עיר");
  assert.deepEqual([1, 2, 3].map((no) => useOf(moved, no)), ["field", "skip", "phone"]);
  assert.deepEqual(choiceOf(moved), { phone: 3, fields: [{ no: 1, name: "שם" }] });
  const none = withUse(PROPOSED, 2, "skip", "טלפון");
  assert.equal(choiceOf(none), "נא לבחור באיזו עמודה נמצאים מספרי הטלפון.");
});

Deno.test("choiceOf() cleans names, and says what is missing or wrong with one", () => {
  assert.deepEqual(choiceOf(withName(PROPOSED, 1, "  שם \u202e פרטי ")), {
    phone: 2,
    fields: [{ no: 1, name: "שם פרטי" }, { no: 3, name: "עיר" }],
  });
  assert.equal(choiceOf(withName(PROPOSED, 1, " ")), "נא לתת שם לכל פרט ששומרים.");
  assert.equal(choiceOf(withName(PROPOSED, 1, "עיר ")), "השם ״עיר״ ניתן לשתי עמודות.");
  assert.equal(
    choiceOf(withName(PROPOSED, 1, "{{שם}}")),
    "שם של פרט לא יכול לכלול סוגריים מסולסלים או קו אנכי.",
  );
  let many = PROPOSED;
  for (let no = 4; no < 24; no++) many = withUse(many, no, "field", `עמודה ${no}`);
  assert.equal(choiceOf(many), "אפשר לשמור עד 20 פרטים לכל אדם.");
});
