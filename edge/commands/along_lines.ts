import type { TakenAlong } from "../backup/take_along.ts";

/** For a place without a database, or with an unreadable one. */
const NOTHING_KNOWN =
  "The earlier database could not be read: enter removals and erasures made since the backup again. Nothing else " +
  "knows who pressed a link for removal since.";

/** Returns lines for the operator: what a restored database got from the one that it replaces. */
export function alongLines({ isKnown, joined, removals, stopped, erasures }: TakenAlong): string[] {
  return [
    ...(isKnown ? [] : [NOTHING_KNOWN]),
    ...(joined.length > 0 ? [`Sites that joined since then are kept: ${joined.join(", ")}.`] : []),
    ...(removals > 0 ? [`Removals since then are kept: ${removals}.`] : []),
    ...(stopped > 0 ? [`Campaigns paused or cancelled since then are paused: ${stopped}.`] : []),
    ...(erasures > 0
      ? [`Numbers erased since then are erased again before anything is sent: ${erasures}.`]
      : []),
  ];
}
