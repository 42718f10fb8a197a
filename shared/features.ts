/** What each side of an agent's connection can do. It says so in its first frame, and the other side acts on it. */
import { z } from "zod";
import { listOf } from "./list_schema.ts";

export const AGENT_FEATURES = [
  /** Names in `hello` the phones that its journal holds stopped, and follows those of `helloAck`. */
  "follows_stops",
] as const;
export type AgentFeature = (typeof AGENT_FEATURES)[number];

export const EDGE_FEATURES = [
  /** Understands `inbound`. */
  "takes_replies",
  /** Lets a report ask for work, and leases with its answer. */
  "leases_with_reports",
  /** Compares the mark that `hello` returns with its database. */
  "compares_marks",
] as const;
export type EdgeFeature = (typeof EDGE_FEATURES)[number];

/** Most features that a side may name; room for later releases. */
export const MAX_FEATURES = 32;
const featureName = z.string().regex(/^[a-z_]{1,40}$/);

/** Schema of a side's features. It passes over those that are not in `known`: a later release has more. */
export function featuresOf<T extends string>(known: readonly T[]) {
  return listOf(featureName, { max: MAX_FEATURES })
    .refine((names) => new Set(names).size === names.length, "names a feature twice")
    .transform((names) => known.filter((feature) => names.includes(feature)));
}
