import assert from "node:assert/strict";
import {
  clearToasts,
  dismissToast,
  readToasts,
  shownFor,
  showToast,
  TOAST_REMOVE_DELAY_MS,
} from "./toast_store.ts";

Deno.test({
  name: "showToast() keeps one toast at a time, and dismissToast() hides it before it is removed",
  sanitizeOps: true,
  sanitizeResources: true,
  fn() {
    showToast({ title: "ראשון" });
    showToast({ title: "שני", tone: "bad" });
    assert.deepEqual(readToasts().map(({ title, tone, open }) => [title, tone, open]), [[
      "שני",
      "bad",
      true,
    ]]);
    dismissToast(readToasts()[0].id);
    assert.deepEqual(readToasts().map(({ open }) => open), [false]);
    assert.equal(TOAST_REMOVE_DELAY_MS, 1_000_000);
    clearToasts();
    assert.deepEqual(readToasts(), []);
  },
});

Deno.test("shownFor() leaves time to read: five seconds for a few words, more for a sentence, twice for a failure", () => {
  const toast = { id: 1, title: "שגיאה בשליחת קמפיין", open: true } as const;
  const sentence = "ה".repeat(131);
  assert.equal(shownFor({ ...toast, tone: "ok", description: "ההודעות נשלחות" }), 5_000);
  assert.equal(shownFor({ ...toast, tone: "bad" }), 5_000);
  assert.equal(shownFor({ ...toast, tone: "ok", description: sentence }), 15_000);
  assert.equal(shownFor({ ...toast, tone: "bad", description: sentence }), 25_000);
});
