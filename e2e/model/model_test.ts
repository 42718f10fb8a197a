/** The small model: what every change has to pass. The large one is thousand_e2e_test.ts. */
import { checkHistories } from "./histories.ts";
import { SEED } from "./seed.ts";

/** Others than those of the large one. */
const seed = SEED - 1;

Deno.test("edges, sites and phones keep I1 to I7 in random histories, and end when the faults end", async () => {
  await checkHistories({ runs: 40, steps: 300, seed });
});

Deno.test("the same on a remote database", async () => {
  await checkHistories({ runs: 5, steps: 100, seed, remote: true });
});
