/** Measures the cost of a message at a site with few phones and with many. */
import { openDispatchWorld } from "../dispatch_world.ts";
import { runLoop } from "../loop.ts";
import { curvePart } from "./curve.ts";

const SENT_EACH = 50;
const VERB_SENT = 2_000;
const BATCH = 10;

export const phones = curvePart({
  name: "phones",
  about:
    `phones of one site: ${
      VERB_SENT.toLocaleString("en")
    } deliveries leased and reported by the verbs in batches ` +
    `of ${BATCH}, its phones in turn, and in one batch for all of them; then edge, agent and simulated phones as fast ` +
    `as they go, ${SENT_EACH} messages a phone`,
  of: "phones",
  sizes: [10, 50, 200],
  costs: [
    `batch ${BATCH}, CPU µs/delivery`,
    "one batch, CPU µs/delivery",
    "whole product, messages/s",
    "edge CPU ms/message",
    "agent CPU ms/message",
  ],
  async measure(size) {
    const inTurn = await sendByVerbs(size, BATCH);
    const atOnce = await sendByVerbs(size, size);
    const run = await runLoop(size, SENT_EACH * size);
    return [
      inTurn,
      atOnce,
      run.perSecond,
      ...[run.edge, run.agent].map(({ cpuPercent }) => cpuPercent * 10 / run.perSecond),
    ];
  },
});

async function sendByVerbs(size: number, batch: number): Promise<number> {
  await using world = await openDispatchWorld({ deliveries: 2 * VERB_SENT, phones: size });
  const run = await world.send(VERB_SENT, batch);
  return run.cpuSeconds * 1e6 / run.deliveries;
}
