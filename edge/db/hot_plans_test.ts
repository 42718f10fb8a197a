import assert from "node:assert/strict";
import { printHotPlans } from "../testing/hot_plans.ts";

const plans = await Deno.readTextFile(new URL("./hot_plans.txt", import.meta.url));

Deno.test("each statement of a hot act has the plan in hot_plans.txt; `deno task schema` writes it", async () => {
  assert.equal(await printHotPlans(), plans);
});

Deno.test("no hot act scans the deliveries", () => {
  assert.deepEqual(plans.match(/^ +SCAN deliveries$/gm), null);
});
