import assert from "node:assert/strict";
import { breakingChanges } from "./api_changes.ts";
import { frozenDocument, presentDocument } from "./frozen_api.ts";

Deno.test("no program that was written for shared/openapi.json breaks", async () => {
  assert.deepEqual(breakingChanges(await frozenDocument(), await presentDocument()), []);
});

Deno.test("shared/openapi.json is the present API; `deno task openapi` writes it", async () => {
  assert.deepEqual(await frozenDocument(), await presentDocument());
});
