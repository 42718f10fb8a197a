/** Answers a restored database: what the site knows of the last 30 days, told once per database generation. */
import { MAX_REPORT_ITEMS } from "shared/lease.ts";
import type { ArchivedOutcome } from "./journal.ts";
import type { Site } from "./worker.ts";

/**
 * Sends every outcome when this generation is not known to have heard them. The edge leases nothing before it has,
 * so the first lease of a generation is the proof; until then each connection tells them again.
 */
export function sendOutcomes(site: Site, generation: string): void {
  if (site.journal.answeredGeneration === generation) return;
  let items: ArchivedOutcome[] = [];
  for (const item of site.journal.outcomes()) {
    if (items.length === MAX_REPORT_ITEMS) {
      site.say({ type: "outcomes", generation, items, last: false });
      items = [];
    }
    items.push(item);
  }
  site.say({ type: "outcomes", generation, items, last: true });
}
