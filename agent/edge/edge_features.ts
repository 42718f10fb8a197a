import type { EdgeFrame } from "shared/agent_protocol.ts";
import type { EdgeFeature } from "shared/features.ts";

type Welcome = Extract<EdgeFrame, { type: "welcome" }>;

/** Returns what the edge of a `welcome` can do. One of the release before says two of the features by flags. */
export function edgeFeatures(
  { features = [], takesReplies, leasesWithReports }: Welcome,
): ReadonlySet<EdgeFeature> {
  const all = new Set(features);
  if (takesReplies) all.add("takes_replies");
  if (leasesWithReports) all.add("leases_with_reports");
  return all;
}
