import type { CampaignCounts } from "shared/campaign.ts";
import { DELIVERY_STATE_PLURALS } from "../text/delivery_states.ts";
import { formatNumber } from "../text/format.ts";

const SEGMENTS = [
  { key: "sent", shown: "sent", tone: "tone-ok" },
  { key: "leased", shown: "working", tone: "tone-live" },
  { key: "failed", shown: "failed", tone: "tone-bad" },
  { key: "unknown", shown: "unknown", tone: "tone-unsure" },
  { key: "skipped", shown: "skipped", tone: "tone-idle" },
] as const;

interface StripProps {
  counts: CampaignCounts;
  /** Draws the citron head before the rest. */
  running: boolean;
  /** Height as a CSS length. */
  height: string;
}

/** A campaign's recipients by state as a bar from the right, with the same information in words. */
export function Strip({ counts, running, height }: StripProps) {
  const rest = counts.queued + counts.cancelled;
  return (
    <div className="strip" style={{ "--strip-h": height } as object} role="img" aria-label={wordsOf(counts)}>
      {SEGMENTS.map(({ key, shown, tone }) =>
        counts[key] > 0 && <i key={key} data-s={shown} className={tone} style={{ flexGrow: counts[key] }} />
      )}
      {running && <i data-s="head" />}
      {rest > 0 && <i data-s="rest" style={{ flexGrow: rest }} />}
    </div>
  );
}

function wordsOf(counts: CampaignCounts): string {
  const states = ["sent", "leased", "failed", "unknown", "skipped", "queued", "cancelled"] as const;
  return states.filter((state) => counts[state] > 0)
    .map((state) => `${formatNumber(counts[state])} ${DELIVERY_STATE_PLURALS[state]}`)
    .join(", ") || `0 ${DELIVERY_STATE_PLURALS.sent}`;
}
