import assert from "node:assert/strict";
import { siteCalled } from "./site_name.ts";

Deno.test("siteCalled() says what it is once, also of a site that says so itself", () => {
  assert.equal(siteCalled("מחסן חיפה"), "אתר מחסן חיפה");
  assert.equal(siteCalled("אתר הדגמה"), "אתר הדגמה");
  assert.equal(siteCalled("אתרים בצפון"), "אתר אתרים בצפון");
});
