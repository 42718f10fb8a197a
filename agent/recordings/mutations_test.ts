import assert from "node:assert/strict";
import { SEED } from "shared/testing/seed.ts";
import { seededRandom } from "../../simulator/phone/random.ts";
import { parseRecording, type RecordedNode } from "./recording.ts";
import { replay } from "./replay.ts";
import { withOtherWords } from "./testing/mutate.ts";
import { runMutations } from "./testing/mutation_run.ts";

const FOLDER = new URL("./corpus/", import.meta.url);
/** `deno task lies` reads more than a hundred thousand. */
const SCREENS = Number(Deno.env.get("MUTATIONS") ?? 4_000);

const RECORDINGS = [...Deno.readDirSync(FOLDER)].map(({ name }) => name).filter((name) =>
  name.endsWith(".json")
)
  .sort().map((name) => parseRecording(Deno.readTextFileSync(new URL(name, FOLDER))));

Deno.test("mutations: whatever people write beside a right chat, it is sent to, and its account goes on", async () => {
  const random = seededRandom(`words/${SEED}`);
  const chats = RECORDINGS.filter(({ verdict, delivery }) =>
    verdict?.kind === "sent" && !delivery!.isPicture
  );
  for (let round = 0; round < Math.max(3, SCREENS / 1_000); round++) {
    for (const chat of chats) {
      // An own row with the words of our own message would be its proof.
      const kept = ownTexts(chat.steps.flatMap(({ answer }) => answer.dump ?? []));
      const steps = chat.steps.map((step) =>
        step.answer.dump
          ? { ...step, answer: { ...step.answer, dump: withOtherWords(step.answer.dump, kept, random) } }
          : step
      );
      const { verdict, wrongTaps } = await replay({ ...chat, steps });
      assert.deepEqual(
        { verdict, wrongTaps },
        { verdict: { kind: "sent" }, wrongTaps: [] },
        JSON.stringify(steps),
      );
    }
  }
});

/** Returns the texts of the rows with a tick. */
function ownTexts(nodes: readonly RecordedNode[]): string[] {
  return nodes.flatMap((node) => {
    const inner = JSON.stringify(node.nodes ?? []);
    const isOwn = /:id\/conversation_text_row$/.test(node.id ?? "") && /:id\/status"/.test(inner);
    if (!isOwn) return ownTexts(node.nodes ?? []);
    return (node.nodes ?? []).filter(({ id }) => id?.endsWith(":id/message_text")).map(({ text }) =>
      text ?? ""
    );
  });
}

Deno.test("mutations: on screens changed at random, only the right chat with exactly the right draft is tapped", async () => {
  const { screens, deliveries, rightTaps, wrong } = await runMutations(RECORDINGS, SCREENS, `${SEED}`);
  const line =
    `mutations: SEED=${SEED}, ${screens} screens in ${deliveries} deliveries, ${rightTaps} right taps, ` +
    `${wrong.length} wrong`;
  Deno.stdout.writeSync(new TextEncoder().encode(`${line}\n`));
  assert.deepEqual(wrong.slice(0, 20), []);
  assert.ok(screens >= SCREENS);
  assert.ok(rightTaps >= screens / 200, "next to nothing was tapped");
});
