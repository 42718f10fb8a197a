import assert from "node:assert/strict";
import { stopBuilding, withoutComments } from "./without_comments.ts";

Deno.test({
  name:
    "withoutComments() detects a changed literal, name or statement, but no changed comment or line break",
  sanitizeResources: false,
  sanitizeOps: false,
  async fn() {
    const plain = await withoutComments("a.ts", "export const a = `-- ${1}`;\n");
    const same = "/** Says why. */\nexport const a =\n  `-- ${1}`; // and how\n";
    assert.equal(await withoutComments("a.ts", same), plain);
    for (
      const other of ["export const a = `-- ${2}`;", "export const b = `-- ${1}`;", "const a = `-- ${1}`;"]
    ) {
      assert.notEqual(await withoutComments("a.ts", other), plain);
    }
    assert.equal(
      await withoutComments("a.sql", "-- Says why.\nSELECT 1;\n\n"),
      await withoutComments("a.sql", "SELECT 1;"),
    );
    await stopBuilding();
  },
});
