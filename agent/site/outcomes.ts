/** Sends the site's outcomes of the last 30 days to a restored database, once per database generation. */
import type { AgentFrameOf } from "shared/agent_protocol.ts";
import { MAX_REPORT_ITEMS } from "shared/lease.ts";
import type { ArchivedOutcome, Journal } from "../journal/journal.ts";

type OutcomesFrame = AgentFrameOf<"outcomes">;

/**
 * Yields every outcome in frames of at most `atOnce`. There is at least one frame, and the last one is marked. Send
 * each after the edge has taken the one before.
 */
export function* outcomeFrames(
  journal: Journal,
  generation: string,
  atOnce = MAX_REPORT_ITEMS,
): Generator<OutcomesFrame> {
  let items: ArchivedOutcome[] = [];
  for (const item of journal.outcomes()) {
    if (items.length === atOnce) {
      yield { type: "outcomes", generation, items, last: false };
      items = [];
    }
    items.push(item);
  }
  yield { type: "outcomes", generation, items, last: true };
}
