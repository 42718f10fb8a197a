import assert from "node:assert/strict";
import { SEED } from "shared/testing/seed.ts";
import { parseRecording } from "./recording.ts";
import { runMutations } from "./testing/mutation_run.ts";

const FOLDER = new URL("./corpus/", import.meta.url);
/** `deno task lies` reads more than a hundred thousand. */
const SCREENS = Number(Deno.env.get("MUTATIONS") ?? 4_000);

Deno.test("mutations: on screens changed at random, only the right chat with exactly the right draft is tapped", async () => {
  const recordings = [...Deno.readDirSync(FOLDER)].map(({ name }) => name).filter((name) =>
    name.endsWith(".json")
  )
    .sort().map((name) => parseRecording(Deno.readTextFileSync(new URL(name, FOLDER))));
  const { screens, deliveries, rightTaps, wrong } = await runMutations(recordings, SCREENS, `${SEED}`);
  const line =
    `mutations: SEED=${SEED}, ${screens} screens in ${deliveries} deliveries, ${rightTaps} right taps, ` +
    `${wrong.length} wrong`;
  Deno.stdout.writeSync(new TextEncoder().encode(`${line}\n`));
  assert.deepEqual(wrong.slice(0, 20), []);
  assert.ok(screens >= SCREENS);
  assert.ok(rightTaps >= screens / 200, "next to nothing was tapped");
});
