/** Answers a restored database: what the site knows of the last 30 days, told once per database generation. */
import type { AgentFrame } from "shared/agent_protocol.ts";
import { MAX_REPORT_ITEMS } from "shared/lease.ts";
import type { ArchivedOutcome, Journal } from "./journal.ts";

type OutcomesFrame = Extract<AgentFrame, { type: "outcomes" }>;

/** Every outcome in frames, at least one, the last marked; the next is said when the edge has taken the one before. */
export function* outcomeFrames(journal: Journal, generation: string): Generator<OutcomesFrame> {
  let items: ArchivedOutcome[] = [];
  for (const item of journal.outcomes()) {
    if (items.length === MAX_REPORT_ITEMS) {
      yield { type: "outcomes", generation, items, last: false };
      items = [];
    }
    items.push(item);
  }
  yield { type: "outcomes", generation, items, last: true };
}
