/**
 * The steps that take one told outcome, in the order in which they run. Many outcomes share a transaction: `stepsOf()`
 * gives the steps of each a name of its own.
 *
 * What the order rests on:
 * - `reached` looks at the row as the backup had it, so it comes before anything that moves the row.
 * - `kept` changes a row only for a new attempt. `charged` asks it, and `chargedToday` asks `charged`.
 * - Recalls and doubts look at the row's own attempt, so they come before the steps that give the row the told one.
 * - `flipped` catches up with a cancellation that has counted the row: only then may the row be settled.
 * - Steps made with follows() ask whether the step named there, right before them, changed the row.
 */
import type { InStatement, InValue } from "@libsql/client/web";
import type { Outcome } from "shared/agent_protocol.ts";
import { statement } from "../../db/statement.ts";
import { rightAfter } from "../../db/write_batch.ts";
import { REACHED } from "../lost_reaches.ts";
import { COUNT_ATTEMPT, KEEP_ATTEMPT, NUMBER_APART } from "./attempts.ts";
import { CHARGE, CHARGE_TODAY, HOUR_OF_ACCOUNT, HOUR_OF_FLEET, RETURN_CAP } from "./charge.ts";
import { CONTEST, DOUBT_HOLDER, LEAVE_OPEN } from "./contest.ts";
import { DOUBT_THE_ROWS, DOUBT_THIS, EARLIER_UNTAPPED, REOPEN, RESENT } from "./doubt.ts";
import { ENDED, FLIP, RECALL, RECALL_EARLIER, SENT, TAKE_OVER, UNKNOWN } from "./settle.ts";

/** SQL by the step's name. */
type Order = { readonly [step: string]: string | FollowingSql };
interface FollowingSql {
  after: string;
  sql: string;
}

/** What may have been tapped: evidence of it, and its price. */
const PAID = {
  reached: REACHED,
  kept: KEEP_ATTEMPT,
  charged: follows("kept", CHARGE),
  chargedToday: follows("charged", CHARGE_TODAY),
} satisfies Order;
/** Sent is sent, whatever the row says. */
const WAS_SENT = {
  ...PAID,
  counted: COUNT_ATTEMPT,
  recalled: RECALL,
  flipped: FLIP,
  sent: SENT,
  countedForAccount: follows("sent", HOUR_OF_ACCOUNT),
  countedForFleet: follows("countedForAccount", HOUR_OF_FLEET),
} satisfies Order;
/** Unknown, unless the row knows better. */
const MAYBE_SENT = {
  ...PAID,
  recalled: RECALL_EARLIER,
  flipped: FLIP,
  rowsDoubted: DOUBT_THE_ROWS,
  rowsResent: follows("rowsDoubted", RESENT),
  thisDoubted: DOUBT_THIS,
  thisResent: follows("thisDoubted", RESENT),
  // Looks for the doubt that `thisDoubted` adds.
  reopened: REOPEN,
  // The doubts need the row's own number. From here on it is the told one unless it was higher: UNKNOWN and TAKE_OVER ask.
  counted: COUNT_ATTEMPT,
  unknown: UNKNOWN,
  takenOver: TAKE_OVER,
  // Only a row that is this attempt's by now moves on to the next number.
  numberedApart: NUMBER_APART,
} satisfies Order;
/** Another site holds the row: it becomes unknown. */
const WAS_HELD = {
  ...PAID,
  holderDoubted: DOUBT_HOLDER,
  contested: CONTEST,
  // While the row is leased; `leftOpen` ends the lease where `contested` has added its doubt.
  recalled: RECALL,
  leftOpen: LEAVE_OPEN,
} satisfies Order;
/** Ended untapped: evidence, and the end of a doubt. */
const NOT_SENT = {
  kept: KEEP_ATTEMPT,
  counted: COUNT_ATTEMPT,
  doubtEnded: EARLIER_UNTAPPED,
  ended: ENDED,
  roomReturned: follows("ended", RETURN_CAP),
} satisfies Order;

/** Returns the steps of outcome `no` by name; `hold` is what LOOK_WHO_HOLDS returned of its row. */
export function stepsOf(
  no: number,
  args: Record<string, InValue> & { outcome: Outcome },
  hold: unknown,
): [name: string, step: InStatement][] {
  return Object.entries(orderOf(args.outcome, hold)).map(([step, sql]) => [
    nameOf(no, step),
    typeof sql === "string"
      ? statement(sql, args)
      : rightAfter(nameOf(no, sql.after), statement(sql.sql, args)),
  ]);
}

/** The step of outcome `no` that returns the row which it took from another site. */
export function leftOpenOf(no: number): string {
  return nameOf(no, "leftOpen" satisfies keyof typeof WAS_HELD);
}

function orderOf(outcome: Outcome, hold: unknown): Order {
  if (outcome === "failed" || outcome === "void") return NOT_SENT;
  if (hold === "held") return WAS_HELD;
  if (hold === "contested") return PAID;
  return outcome === "sent" ? WAS_SENT : MAYBE_SENT;
}

function nameOf(no: number, step: string): string {
  return `outcome ${no}: ${step}`;
}

function follows(after: string, sql: string): FollowingSql {
  return { after, sql };
}
