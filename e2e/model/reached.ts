/**
 * Measures the coverage of a set of histories: every act had an effect, and every row of the protocol's tables
 * occurred.
 */
import { ACTS } from "./steps.ts";

/** Moves in the oracle's notation; "offered" is leased without an acknowledgement, the number is the actor. */
const MOVES = [
  "queued → leased by 0",
  "queued → skipped by 0",
  "queued → cancelled by 0",
  "queued → sent by 1",
  "queued → unknown by 5",
  "offered → queued by 0",
  "offered → cancelled by 0",
  "offered → skipped by 0",
  "leased → sent by 1",
  "leased → failed by 1",
  "leased → queued by 1",
  "leased → cancelled by 1",
  "leased → unknown by 1",
  "leased → unknown by 3",
  "leased → unknown by 4",
  "leased → unknown by 5",
  "leased → unknown by 6",
  "unknown → sent by 1",
  "unknown → sent by 2",
  "unknown → failed by 1",
  "unknown → failed by 2",
  "unknown → queued by 1",
  "unknown → queued by 2",
  "unknown → cancelled by 1",
  "unknown → unknown by 1",
  "unknown → unknown by 5",
  "unknown → unknown by 6",
  "sent → failed by 1",
  "sent → sent by 1",
  "failed → sent by 1",
];
/** Reports of a site, with the reasons of the journal's table. */
const REPORTS = [
  "sent",
  "failed: not_on_app",
  "unknown: send_not_verified",
  "unknown: tap_too_late",
  "void: send_not_verified",
  "void: tap_too_late",
  "void: no_go",
  "void: agent_restarted",
  "void: recalled",
  "void: validity_over",
  "void: draining",
  "void: device_offline",
  "void: account_banned",
  "void: chat_not_opened",
];
const OTHERS = [
  "tap of a personal text",
  "acked applied",
  "acked known",
  "acked stale",
  "go omitted a row",
  "lease with a report",
  "lease not taken",
  "entry charge",
  "entry cover",
  "entry refund",
  "tap",
  "left for its sender",
  "leased to its sender",
  "leased after the wait for its sender",
  "took its place after the wait",
  "took its place without its sender",
];
/** Results of sending a list again to people reached in a lost time. */
export const WARNINGS = [
  "send refused while sites owe",
  "send refused by the warning",
  "sent without those who were reached",
  "sent with those who were reached",
  "tap of a person whom the lost time reached",
];

/** Events that a set of histories must contain, by their tally names. */
export const EXPECTED: readonly string[] = [
  ...Object.keys(ACTS).map((name) => `act ${name}`),
  ...MOVES.map((move) => `move ${move}`),
  ...REPORTS.map((report) => `reported ${report}`),
  ...OTHERS,
  ...WARNINGS,
];

/** Returns a table of the tally, and the missing events. */
export function readTally(tally: ReadonlyMap<string, number>): { table: string; missing: string[] } {
  const table = EXPECTED.map((what) => `${String(tally.get(what) ?? 0).padStart(9)}  ${what}\n`).join("");
  return { table, missing: EXPECTED.filter((what) => !tally.has(what)) };
}
