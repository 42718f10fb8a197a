import type { Campaign } from "shared/http_api.ts";
import { isRunning } from "./is_running.ts";
import { estimateWords, readyEstimate } from "./text/estimate.ts";

/** The end of a running campaign, or the end of a ready one if it were sent now; nothing while nothing can go. */
export function EstimateLine({ campaign, now }: { campaign: Campaign; now: number }) {
  const { estimate, counts, status } = campaign;
  if (!estimate) return null;
  if (status === "ready") return <p>{readyEstimate(estimate, now)}</p>;
  if (!isRunning(status)) return null;
  const { label, value } = estimateWords(estimate, counts.queued + counts.leased, now);
  return (
    <span className="text-sm text-ink-2">
      {label} <b className="text-base-content">{value}</b>
    </span>
  );
}
