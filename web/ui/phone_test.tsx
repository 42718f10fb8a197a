import "../testing/browser_env.ts";
import assert from "node:assert/strict";
import { cleanup, render } from "@testing-library/react";
import { Phone } from "./phone.tsx";

Deno.test("a number is shown in local form, with its masked digits hidden", () => {
  const shown = {
    "+972543710968": "054-371-0968",
    "+97254•••0968": "054-•••-0968",
    "+97254•••••••": "054-•••-••••",
    "+4479•••0958": "+4479 ••• 0958",
  };
  try {
    for (const [e164, text] of Object.entries(shown)) {
      assert.equal(render(<Phone e164={e164} />).container.textContent, text);
    }
  } finally {
    cleanup();
  }
});
