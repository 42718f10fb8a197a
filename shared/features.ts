/**
 * Features of each side of an agent's connection. Each side lists its own in its first frame, and the other side
 * relies on them.
 */
import { z } from "zod";
import { listOf } from "./list_schema.ts";

export const AGENT_FEATURES = [
  /** Lists the phones that the journal holds stopped in `hello`, and follows the list in `helloAck`. */
  "follows_stops",
  /** Takes a lease in which each item has its own text. */
  "item_text",
  /** Reports in each inventory what was tried with each phone. */
  "reports_trials",
  /** Answers `still` with a picture of a phone's screen, in parts. */
  "shows_stills",
] as const;
export type AgentFeature = (typeof AGENT_FEATURES)[number];

export const EDGE_FEATURES = [
  /** Accepts `inbound` frames. */
  "takes_replies",
  /** Lets a report request work, and sends the lease with the report's acknowledgement. */
  "leases_with_reports",
  /** Compares the mark in `hello` with its database. */
  "compares_marks",
  /** Takes the notice of an unknown screen with an account of the inventory. */
  "knows_unknown_screens",
] as const;
export type EdgeFeature = (typeof EDGE_FEATURES)[number];

/** Most features that one side may list; leaves room for later releases. */
export const MAX_FEATURES = 32;
const featureName = z.string().regex(/^[a-z_]{1,40}$/);

/** Returns the schema of a side's features. It ignores features outside `known`: a later release has more. */
export function featuresOf<T extends string>(known: readonly T[]) {
  return listOf(featureName, { max: MAX_FEATURES })
    .refine((names) => new Set(names).size === names.length, "names a feature twice")
    .transform((names) => known.filter((feature) => names.includes(feature)));
}
