import assert from "node:assert/strict";
import { SMALL } from "./plan.ts";
import { liveFortnight } from "./run.ts";
import { violationsOf } from "./table.ts";

// `deno task fortnight --seeds 8` runs all of them, with fifty accounts and 20,000 recipients.
Deno.test("a small fortnight over the night summer time begins and the eve of Passover breaks no rule", async () => {
  assert.deepEqual(violationsOf(await liveFortnight(5, SMALL)), []);
});
