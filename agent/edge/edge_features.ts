import type { EdgeFrameOf } from "shared/agent_protocol.ts";
import type { EdgeFeature } from "shared/features.ts";

type Welcome = EdgeFrameOf<"welcome">;

/** Returns the features in a `welcome`. The previous release of the edge writes two of them as flags. */
export function edgeFeatures(
  { features = [], takesReplies, leasesWithReports }: Welcome,
): ReadonlySet<EdgeFeature> {
  const all = new Set(features);
  if (takesReplies) all.add("takes_replies");
  if (leasesWithReports) all.add("leases_with_reports");
  return all;
}
