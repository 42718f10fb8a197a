/** One lie as a test: ten trials, or TRIALS=1000 of them. SEED=… repeats the phones' random choices. */
import assert from "node:assert/strict";
import { SEED } from "shared/testing/seed.ts";
import { runTrials, type TrialOptions } from "./trials.ts";

const COUNT = Number(Deno.env.get("TRIALS") ?? 10);
/** So many trials have every lie. */
const CERTAIN_COUNT = 100;
const LEAST_RIGHT = 0.999;
/** A site that sends almost nothing would be right and prove nothing. */
const LEAST_SENT = 0.1;

/** Registers the test of one lie, and prints a line of the table after it ran. */
export function trialTest(name: string, options: Omit<TrialOptions, "count" | "seed">): void {
  Deno.test(`trials: ${name} – what is reported is what the phones did`, async () => {
    const { outcomes, lied, doubled, wrong } = await runTrials({
      ...options,
      count: COUNT,
      seed: `${SEED}/${name}`,
    });
    const line = [
      name.padEnd(28),
      ...Object.entries(outcomes).map(([outcome, count]) => `${outcome} ${count}`.padEnd(13)),
      `lied to ${lied}`.padEnd(13),
      `right ${COUNT - wrong.length} of ${COUNT}`.padEnd(20),
      `doubled ${doubled}`,
    ].join(" ");
    Deno.stdout.writeSync(new TextEncoder().encode(`${line}\n`));
    const details = wrong.join("\n");
    assert.equal(doubled, 0, details);
    assert.ok(wrong.length <= COUNT * (1 - LEAST_RIGHT), details);
    assert.ok(outcomes.sent >= COUNT * LEAST_SENT, "next to nothing was sent");
    const isToLie = options.faults !== undefined || Object.keys(options.lies).length > 0;
    // In ten trials a rare lie may not occur.
    if (!isToLie || COUNT >= CERTAIN_COUNT) {
      assert.equal(lied > 0, isToLie, "the phones lied when they were to, and only then");
    }
  });
}
