/**
 * The steps that apply one reported outcome, in the order in which they run. Many outcomes share a transaction:
 * `stepsOf()` gives each step a unique name.
 *
 * Reasons for the order:
 * - `reached` reads the row as the backup had it, so it comes before every step that moves the row.
 * - `kept` changes a row only for a new attempt. `charged` depends on it, and `chargedToday` on `charged`.
 * - Recalls and doubts read the row's own attempt, so they come before the steps that give the row the reported one.
 * - `flipped` writes the state of a row that a cancellation has counted; only then may the row be settled.
 * - Steps made with follows() run only if the step named there, right before them, changed the row.
 */
import type { InStatement, InValue } from "@libsql/client/web";
import type { Outcome } from "shared/agent_protocol.ts";
import { statement } from "../../db/statement.ts";
import { rightAfter } from "../../db/write_batch.ts";
import { LOST_MESSAGE, REACHED } from "../lost_reaches.ts";
import { COUNT_ATTEMPT, KEEP_ATTEMPT, NUMBER_APART } from "./attempts.ts";
import {
  CHARGE,
  CHARGE_TODAY,
  DAY_AGAIN,
  HOUR_OF_ACCOUNT,
  HOUR_OF_CLIENT,
  HOUR_OF_FLEET,
  RETURN_CAP,
} from "./charge.ts";
import { CONTEST, DOUBT_HOLDER, LEAVE_OPEN } from "./contest.ts";
import { DOUBT_THE_ROWS, DOUBT_THIS, EARLIER_UNTAPPED, REOPEN, RESENT } from "./doubt.ts";
import { ENDED, FLIP, NOTE_SENDER, RECALL, RECALL_EARLIER, SENT, TAKE_OVER, UNKNOWN } from "./settle.ts";

/** SQL by the step's name. */
type Order = { readonly [step: string]: string | FollowingSql };
interface FollowingSql {
  after: string;
  sql: string;
}

/** Evidence of a possible tap, and its charge. */
const PAID = {
  reached: REACHED,
  lostMessage: LOST_MESSAGE,
  kept: KEEP_ATTEMPT,
  charged: follows("kept", CHARGE),
  chargedToday: follows("charged", CHARGE_TODAY),
} satisfies Order;
/** A sent report makes the row sent in any state. */
const WAS_SENT = {
  ...PAID,
  counted: COUNT_ATTEMPT,
  recalled: RECALL,
  flipped: FLIP,
  sent: SENT,
  countedForAccount: follows("sent", HOUR_OF_ACCOUNT),
  countedForFleet: follows("countedForAccount", HOUR_OF_FLEET),
  countedForClient: follows("countedForFleet", HOUR_OF_CLIENT),
  dayCountedAgain: follows("countedForClient", DAY_AGAIN),
  // Reads the row as sent.
  senderNoted: NOTE_SENDER,
} satisfies Order;
/** The row becomes unknown, unless its state is more certain. */
const MAYBE_SENT = {
  ...PAID,
  recalled: RECALL_EARLIER,
  flipped: FLIP,
  rowsDoubted: DOUBT_THE_ROWS,
  rowsResent: follows("rowsDoubted", RESENT),
  thisDoubted: DOUBT_THIS,
  thisResent: follows("thisDoubted", RESENT),
  // Reads the doubt that `thisDoubted` adds.
  reopened: REOPEN,
  // The doubts need the row's own number. From here on it is the reported one unless it was higher. UNKNOWN and
  // TAKE_OVER read it.
  counted: COUNT_ATTEMPT,
  unknown: UNKNOWN,
  takenOver: TAKE_OVER,
  // Only a row that now belongs to this attempt gets the next number.
  numberedApart: NUMBER_APART,
} satisfies Order;
/** Another site holds the row: it becomes unknown. */
const WAS_HELD = {
  ...PAID,
  holderDoubted: DOUBT_HOLDER,
  contested: CONTEST,
  // Needs the leased row; `leftOpen` ends the lease if `contested` has added its doubt.
  recalled: RECALL,
  leftOpen: LEAVE_OPEN,
} satisfies Order;
/** The attempt ended untapped: evidence, and the end of a doubt. */
const NOT_SENT = {
  kept: KEEP_ATTEMPT,
  counted: COUNT_ATTEMPT,
  doubtEnded: EARLIER_UNTAPPED,
  ended: ENDED,
  roomReturned: follows("ended", RETURN_CAP),
} satisfies Order;

/** Returns the steps of outcome `no` by name; `hold` is the value that LOOK_WHO_HOLDS returned for its row. */
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

/** Returns the name of outcome `no`'s step that returns the row which it took from another site. */
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
