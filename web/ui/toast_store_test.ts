import assert from "node:assert/strict";
import { clearToasts, dismissToast, readToasts, showToast, TOAST_REMOVE_DELAY_MS } from "./toast_store.ts";

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
