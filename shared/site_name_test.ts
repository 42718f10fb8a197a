import assert from "node:assert/strict";
import { siteCalled } from "./site_name.ts";

Deno.test("siteCalled() adds the word for site once, also when the name contains it", () => {
  assert.equal(siteCalled("מחסן חיפה"), "אתר מחסן חיפה");
  assert.equal(siteCalled("אתר הדגמה"), "אתר הדגמה");
  assert.equal(siteCalled("אתרים בצפון"), "אתר אתרים בצפון");
});
